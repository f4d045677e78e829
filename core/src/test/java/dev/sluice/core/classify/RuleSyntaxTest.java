package dev.sluice.core.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.testkit.SeededCases;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RuleSyntaxTest {
  private static final String KEYS =
      "expected the key of a condition, job, user, group, client, export, target, operation or"
          + " class";

  /** Each text has a ^ where the error is; it is taken out before the text is read. */
  static Stream<Arguments> wrongRules() {
    return Stream.of(
        // Names
        wrong("^: user=a", "expected a rule name of " + Rule.NAME_EXPECTED),
        wrong("  ^ärger: user=a", "expected a rule name of " + Rule.NAME_EXPECTED),
        wrong(
            "^" + "n".repeat(65) + ": user=a",
            "\"" + "n".repeat(60) + "…\": expected a rule name of " + Rule.NAME_EXPECTED),
        wrong("user^=alice -> job=x", "expected \":\" right after the rule name \"user\""),
        wrong("r^ : user=a", "expected \":\" right after the rule name \"r\""),
        wrong("r^", "expected \":\" right after the rule name \"r\""),
        // Keys
        wrong("r: ^exprot=/home", "\"exprot\": " + KEYS + "; did you mean export?"),
        wrong("r: ^Export=/home", "\"Export\": " + KEYS + "; did you mean export?"),
        wrong("r: ^op=read", "\"op\": " + KEYS + "; did you mean operation?"),
        wrong("r: ^uid=7", "\"uid\": " + KEYS),
        wrong("r: ^everything", "\"everything\": " + KEYS),
        wrong(
            "r: user=a ^user=b",
            "\"user\": expected each key once; alternatives go as in" + " user=a,b"),
        wrong("r: user^", "expected = or != right after \"user\""),
        wrong("r: user^ = a", "expected = or != right after \"user\""),
        wrong("r: user^<a", "expected = or != right after \"user\""),
        wrong("r: ^=a", "expected a condition such as user=alice"),
        wrong("r: user=a ^\"b\"", "expected a condition such as user=alice"),
        wrong("r: ^*", "expected a condition such as user=alice"),
        // Values
        wrong("r: user=^", "expected a value right after \"user=\""),
        wrong("r: user=^ -> job=x", "expected a value right after \"user=\""),
        wrong("r: user!=^,a", "expected a value right after \"user!=\""),
        wrong("r: user=a,^", "expected a value right after \",\""),
        wrong("r: user=a,^ b", "expected a value right after \",\""),
        wrong("r: user=a^#b", "\"#\": " + BLANK_OR_QUOTES),
        wrong("r: user=a^->job=x", "\"->\": " + BLANK_OR_QUOTES),
        wrong("r: user=a,export^=/b", "\"=\": " + BLANK_OR_QUOTES),
        wrong("r: user=a^\"b\"", "'\"': " + BLANK_OR_QUOTES),
        wrong("r: user=^\"a b", "expected a closing double quote for the one here"),
        wrong("r: user=^\"a\\\"", "expected a closing double quote for the one here"),
        wrong(
            "r: user=\"a^\\n\"",
            "expected \\\" or \\\\: in double quotes \\ stands before \" or \\"),
        wrong(
            "r: user=\"a\"^b",
            "expected a comma, a blank or the end after the closing double quote"),
        wrong(
            "r: user=b,^" + "x".repeat(4_097),
            "\""
                + "x".repeat(60)
                + "…\": expected a value of at most 4096 characters, this one has"
                + " 4097"),
        wrong(
            "r: user="
                + IntStream.range(0, 1_000).mapToObj(i -> "a" + i).collect(Collectors.joining(","))
                + ",^b",
            "expected at most 1000 values for one key"),
        wrong("r: job=a,^\"\"", "\"\": a job id has 1 to 255 characters, this one has 0"),
        wrong("r: client=^10.2.0.0/33", "\"10.2.0.0/33\": expected a prefix length of 0 to 32"),
        wrong(
            "r: client=10.0.0.1,^fd00::/129",
            "\"fd00::/129\": expected a prefix length of 0 to" + " 128"),
        wrong(
            "r: client=^10.2.0.1/16",
            "\"10.2.0.1/16\": the address has bits beyond the prefix; the network is 10.2.0.0"),
        wrong(
            "r: client=^10.2.*",
            "\"10.2.*\": expected an IPv4 or IPv6 address such as 10.1.2.3 or fd00::12"),
        wrong(
            "r: class=data,^meta",
            "\"meta\": expected a class of operations, data, metadata, directory or"
                + " extended-attribute; did you mean metadata?"),
        wrong(
            "r: class=^\"d*\"",
            "\"d*\": expected a class of operations, data, metadata, directory or"
                + " extended-attribute"),
        // Placement
        wrong("r: ->^", "expected job=… or class=… after \"->\""),
        wrong("r: user=a -> ^# job=b", "expected job=… or class=… after \"->\""),
        wrong("r: -> job=a ^-> class=b", "expected job=… or class=… after \"->\""),
        wrong(
            "r: -> ^jbo=a",
            "\"jbo\": expected what the rule sets, job or class; did you mean job?"),
        wrong("r: -> ^user=a", "\"user\": expected what the rule sets, job or class"),
        wrong("r: -> job^!=a", "expected = right after \"job\""),
        wrong("r: -> job=^", "expected a value right after \"job=\""),
        wrong("r: -> job=a^,b", "\",\": expected one value for \"job\""),
        wrong("r: -> job=a ^job=b", "\"job\": expected each key once"),
        wrong("r: -> class=^\"a b\"", "\"a b\": expected a traffic class of " + Rule.NAME_EXPECTED),
        wrong("r: -> job=^\"\"", "expected a job id or a template such as jupyter-{user}"),
        wrong("r: -> job=a-^{user", "\"{\": expected a closing brace"),
        wrong("r: -> job=a-user^}", "\"}\": expected an opening brace before it"),
        wrong(
            "r: -> job=\"\\\"a\\\\ ^{usr}\"",
            "\"usr\": expected what goes in braces, job, user, group, client, export, target,"
                + " operation or class; did you mean user?"),
        wrong(
            "r: -> job=a^*",
            "\"*\": expected no wildcard in a template; a literal one goes in double quotes"),
        wrong(
            "r: -> job=^{user}" + "x".repeat(256),
            "\"{user}"
                + "x".repeat(54)
                + "…\": expected a job id of at most 255 characters, this"
                + " one has at least 256"),
        // Characters that cannot be seen
        wrong("r: user=a^\u0000b", "\"U+0000\": expected no control characters"),
        wrong("r: user=\"a^\rb\"", "\"U+000D\": expected no control characters"),
        wrong("^\ufeffr: user=a", "expected a rule name of " + Rule.NAME_EXPECTED),
        wrong(
            "r: class=^\"data\u00a0\"",
            "\"dataU+00A0\": expected a class of operations, data,"
                + " metadata, directory or extended-attribute; did you mean data?"),
        // Columns count characters, not the units they are stored in
        wrong(
            "r: user=\ud83d\ude80 client=^x",
            "\"x\": expected an IPv4 or IPv6 address such as" + " 10.1.2.3 or fd00::12"));
  }

  private static final String BLANK_OR_QUOTES =
      "expected a blank before it, or the whole value in double quotes";

  @ParameterizedTest
  @MethodSource("wrongRules")
  void namesThePlaceTheValueAndWhatWasExpected(String marked, String problem) {
    int place = marked.indexOf('^');
    String text = marked.substring(0, place) + marked.substring(place + 1);

    RuleSyntaxException error = errorIn("# comment\n\nok: user=a # fine\n" + text + "\nlast:");

    assertThat(error.problem()).isEqualTo(problem);
    assertThat(error.line()).isEqualTo(4);
    assertThat(error.column()).isEqualTo(marked.codePointCount(0, place) + 1);
    assertThat(error).hasMessageEndingWith("line 4, column " + error.column() + ": " + problem);
  }

  @Test
  void theMessageNamesTheRule() {
    RuleSyntaxException error = errorIn("a:\njupyter: export=/home* client=10.2.0.0/33");

    assertThat(error)
        .hasMessage(
            "rule \"jupyter\", line 2, column 31: \"10.2.0.0/33\": expected a prefix length of 0 to"
                + " 32");
    assertThat(error.ruleName()).isEqualTo("jupyter");
    assertThat(errorIn("jupyter client=10.2.0.0/33").ruleName()).isNull();
  }

  @Test
  void anUnknownOperationIsToldAllOfThem() {
    assertThat(errorIn("r: operation=readdirs"))
        .hasMessageStartingWith(
            "rule \"r\", line 1, column 14: \"readdirs\": expected an operation, read, write,")
        .hasMessageEndingWith(" or removexattr; did you mean readdir?");
  }

  @Test
  void aNameIsTakenOnce() {
    assertThat(errorIn("a:\nb:\n\n  a: user=x"))
        .hasMessage(
            "rule \"a\", line 4, column 3: \"a\": expected a name of its own; line 1 has it too");
  }

  @Test
  void rulesLinesAndTextAreBounded() {
    String most =
        IntStream.range(0, 10_000).mapToObj(i -> "r" + i + ":\n").collect(Collectors.joining());
    assertThat(RuleSet.parse(most).rules()).hasSize(10_000);
    assertThat(errorIn(most + "x:"))
        .hasMessage("rule \"x\", line 10001, column 1: expected at most 10000 rules");

    assertThat(RuleSet.parse("#".repeat(16_384)).rules()).isEmpty();
    assertThat(errorIn("\n" + "#".repeat(16_385)))
        .hasMessage(
            "line 2, column 16385: expected a line of at most 16384 characters, this one has"
                + " 16385");

    assertThat(RuleSet.parse("\n".repeat(1 << 22)).rules()).isEmpty();
    assertThat(errorIn("\n".repeat((1 << 22) + 1)))
        .hasMessage(
            "line 1, column 1: expected rules of at most 4194304 characters, these have 4194305");
  }

  @Test
  void conditionsAloneHaveNeitherArrowNorComment() {
    assertThat(errorInMatch("user=a -> job=b").problem())
        .isEqualTo("expected conditions alone, such as user=alice");
    assertThat(errorInMatch("user=a -> job=b").column()).isEqualTo(8);
    assertThat(errorInMatch("user=a #b").column()).isEqualTo(8);
    assertThat(errorInMatch("user=a\nexport=b"))
        .hasMessage("line 1, column 7: \"U+000A\": expected no control characters");
  }

  // Whatever is read, it is read or it is refused with a place in the text; nothing else happens.
  @Test
  void noTextMakesAnythingButRulesOrASyntaxError() {
    int[] refused = {0};
    SeededCases.forAll(
        50_000,
        random -> {
          String pieces = "jobuserclientexport \t\",,\\==!=->#:{}*/\n\r\u0001é10.fd::";
          StringBuilder text = new StringBuilder(random.nextBoolean() ? "r: " : "");
          String[] starts = {"job=", "user=\"", "client=10.", "-> job={", "-> class=", "export!="};
          for (int i = random.nextInt(12); i > 0; i--) {
            text.append(
                random.nextInt(4) == 0
                    ? starts[random.nextInt(starts.length)]
                    : String.valueOf(pieces.charAt(random.nextInt(pieces.length()))));
          }
          try {
            RuleSet.parse(text.toString());
          } catch (RuleSyntaxException e) {
            String[] lines = text.toString().split("\n", -1);
            assertThat(e.line()).as("%s", text).isBetween(1, lines.length);
            assertThat(e.column()).as("%s", text).isBetween(1, lines[e.line() - 1].length() + 1);
            refused[0]++;
          }
        });
    assertThat(refused[0]).isBetween(10_000, 49_900);
  }

  private static RuleSyntaxException errorIn(String text) {
    RuleSyntaxException error =
        catchThrowableOfType(RuleSyntaxException.class, () -> RuleSet.parse(text));
    assertThat(error).as("error in %.200s", text).isNotNull();
    return error;
  }

  private static RuleSyntaxException errorInMatch(String text) {
    RuleSyntaxException error =
        catchThrowableOfType(RuleSyntaxException.class, () -> FlowMatch.parse(text));
    assertThat(error).as("error in %s", text).isNotNull();
    return error;
  }

  private static Arguments wrong(String marked, String problem) {
    return Arguments.of(marked, problem);
  }
}
