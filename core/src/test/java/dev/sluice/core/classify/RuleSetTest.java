package dev.sluice.core.classify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class RuleSetTest {
  private static final Path EXAMPLE = Path.of("..", "examples", "rules", "site.rules");
  private static final Path GUIDE = Path.of("..", "docs", "rules.md");

  private static Flow flow(String job, String user, String client, String export) {
    return new Flow(JobId.of(job), user, "physics", ClientAddress.parse(client), export, "ost0001");
  }

  @Test
  void theFirstRuleThatMatchesDecidesJobAndClass() {
    RuleSet rules =
        RuleSet.parse(
            """
            # A comment, and a blank line

            jupyter: export=/home* client=10.2.0.0/16 -> job=jupyter-{user}
            metadata: class=metadata -> class=slow   # job as it is
            everyone:-> class=normal job="all others"\r
            """);
    Flow alice = flow("4711", "alice", "10.2.0.9", "/home/alice");
    Flow bob = flow("4712", "bob", "10.3.0.9", "/scratch");

    assertThat(rules.classify(alice, Operation.OPEN))
        .isEqualTo(new Classified(alice.chargedTo(JobId.of("jupyter-alice")), "jupyter"));
    assertThat(rules.classify(bob, Operation.OPEN)).isEqualTo(new Classified(bob, "slow"));
    assertThat(rules.classify(bob, Operation.READ))
        .isEqualTo(new Classified(bob.chargedTo(JobId.of("all others")), "normal"));
    assertThat(rules.rules())
        .extracting(Rule::name)
        .containsExactly("jupyter", "metadata", "everyone");
  }

  @Test
  void withoutARuleTheFlowStaysAsItIs() {
    Flow flow = flow("1", "alice", "10.0.0.1", "/home");
    for (String text : List.of("", "\n", "# nothing", "other: user=bob -> job=x")) {
      Classified classified = RuleSet.parse(text).classify(flow, Operation.READ);
      assertThat(classified.flow()).isSameAs(flow);
      assertThat(classified.trafficClass()).isEqualTo("default");
    }
  }

  @Test
  void aTemplateMayHoldEverythingThatIsKnown() {
    Flow flow = flow("4711", "alice", "10.2.0.9", "/home");
    assertThat(
            charged(
                "{job}.{user}.{group}.{client}.{export}.{target}.{operation}.{class}",
                flow,
                Operation.GETXATTR))
        .isEqualTo("4711.alice.physics.10.2.0.9./home.ost0001.getxattr.extended-attribute");
    assertThat(charged("{job}", flow, Operation.READ)).isEqualTo("4711");
    assertThat(charged("{user}{user}", flow, Operation.READ)).isEqualTo("alicealice");
    assertThat(charged("\"{user} * \\\"at\\\" {client}\"", flow, Operation.READ))
        .isEqualTo("alice * \"at\" 10.2.0.9");
  }

  @Test
  void aJobThatCannotBeNamedIsCutCleanedOrLeft() {
    Flow anonymous = flow("4711", "", "10.2.0.9", "/a\nb\u007f\u0085");
    Flow longPath = flow("4711", "", "10.2.0.9", "x".repeat(5_000));
    Flow pairAtTheEnd = flow("4711", "", "10.2.0.9", "x".repeat(254) + "\ud83d\ude80");

    assertThat(charged("{user}", anonymous, Operation.READ)).isEqualTo("4711");
    assertThat(charged("u-{user}", anonymous, Operation.READ)).isEqualTo("u-");
    assertThat(charged("{export}", anonymous, Operation.READ)).isEqualTo("/a?b??");
    assertThat(charged("e-{export}-{job}", longPath, Operation.READ))
        .isEqualTo("e-" + "x".repeat(253));
    assertThat(charged("{export}", pairAtTheEnd, Operation.READ)).isEqualTo("x".repeat(254));
  }

  @Test
  void noFlowMakesClassificationThrow() {
    List<String> templates = List.of("{user}", "{export}", "{user}-{export}{group}", "x{target}");
    List<RuleSet> rules =
        templates.stream().map(template -> RuleSet.parse("r: -> job=" + template)).toList();
    SeededCases.forAll(
        5_000,
        random -> {
          String[] texts = new String[4];
          for (int i = 0; i < texts.length; i++) {
            char[] text = new char[random.nextInt(3) == 0 ? 0 : random.nextInt(300)];
            for (int j = 0; j < text.length; j++) {
              text[j] =
                  (char) (random.nextBoolean() ? random.nextInt(160) : random.nextInt(1 << 16));
            }
            texts[i] = new String(text);
          }
          Flow flow =
              new Flow(
                  JobId.of("own"), texts[0], texts[1], ClientAddress.LOCAL, texts[2], texts[3]);
          for (RuleSet each : rules) {
            Classified classified = each.classify(flow, Operation.READ);
            assertThat(classified.trafficClass()).isEqualTo("r");
            assertThat(classified.flow().chargedTo(flow.job())).isEqualTo(flow);
          }
        });
  }

  @Test
  void aRuleHasAProperNameAndClass() {
    assertThatThrownBy(() -> new Rule("a b", FlowMatch.ANY, JobTemplate.OWN_JOB, "c"))
        .hasMessage("\"a b\": expected a rule name of " + Rule.NAME_EXPECTED);
    assertThatThrownBy(() -> new Rule("a", FlowMatch.ANY, JobTemplate.OWN_JOB, ""))
        .hasMessage("\"\": expected a traffic class of " + Rule.NAME_EXPECTED);
  }

  @Test
  void theExampleDoesWhatItsCommentsSay() throws IOException {
    RuleSet rules = RuleSet.parse(Files.readString(EXAMPLE));

    assertClassified(rules, flow("b1", "backup", "10.9.0.5", "/home"), "backup", "background");
    assertClassified(
        rules, flow("n1", "alice", "10.2.7.7", "/home/alice"), "jupyter-alice", "jupyter");
    assertClassified(rules, flow("700123", "bob", "10.4.0.1", "/scratch"), "700123", "urgent");
    assertClassified(rules, flow("700200", "bob", "10.4.0.1", "/scratch"), "700200", "batch");
    assertClassified(rules, flow("x", "carol", "192.168.1.1", "/scratch"), "user-carol", "others");
    assertThat(rules.classify(flow("700200", "bob", "10.4.0.1", "/scratch"), Operation.READDIR))
        .extracting(Classified::trafficClass)
        .isEqualTo("listing");
  }

  @Test
  void theGuidesExamplesParse() throws IOException {
    String guide = Files.readString(GUIDE);
    List<String> blocks =
        Pattern.compile("```rules\n(.*?)```", Pattern.DOTALL)
            .matcher(guide)
            .results()
            .map(result -> result.group(1))
            .toList();

    assertThat(blocks).hasSizeGreaterThanOrEqualTo(3);
    for (String block : blocks) {
      assertThat(RuleSet.parse(block).rules()).as(block).isNotEmpty();
    }
  }

  private static void assertClassified(RuleSet rules, Flow flow, String job, String trafficClass) {
    assertThat(rules.classify(flow, Operation.READ))
        .isEqualTo(new Classified(flow.chargedTo(JobId.of(job)), trafficClass));
  }

  private static String charged(String template, Flow flow, Operation operation) {
    RuleSet rules = RuleSet.parse("r: -> job=" + template);
    return rules.classify(flow, operation).flow().job().toString();
  }
}
