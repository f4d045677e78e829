package dev.sluice.app.documented;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command that a document, a help text or an example shows is given here, on a small site.
 * Where that cannot be, it is at least understood.
 */
@Timeout(300)
@Tag("untimed")
class DocumentedCommandsTest {
  /** Done by the launcher itself. */
  private static final Set<String> OF_THE_LAUNCHER = Set.of("test", "format", "bench", "package");

  /** A word that stands for others. */
  private static final Pattern PLACEHOLDER = Pattern.compile("[A-Z][A-Z:,\\[\\]]+|.*[…].*");

  /**
   * What is not given here, and why.
   *
   * @param command how it begins
   */
  private record NotGiven(String command, String why) {}

  private static final List<NotGiven> NOT_GIVEN =
      List.of(
          new NotGiven("serve", "it runs until it is stopped; the site runs one"),
          new NotGiven("controller -c", "as serve"),
          new NotGiven("agent --controller", "as serve"),
          new NotGiven("agent$", "as serve"),
          new NotGiven("aggregator", "as serve; ControlCommandsTest runs one"),
          new NotGiven("stop", "the site is stopped by it, at the end"),
          new NotGiven("top(?!.*--once)", "it shows until a key is pressed"),
          new NotGiven("status --watch", "it shows until Ctrl-C"),
          new NotGiven("demo", "it takes a minute; DemoCommandTest plays a shorter one"),
          new NotGiven("arena", "it takes minutes; ArenaCommandTest runs some"),
          new NotGiven("reproduce", "it takes minutes; ReproduceCommandTest runs some"),
          new NotGiven("lustre", "it needs a server; LustreCommandTest has a stand-in for one"),
          new NotGiven("(dashboard|report|record) -c lustre", "as lustre; see LustreShownTest"),
          new NotGiven("failover", "it needs two gateways; FailoverTest has them"),
          new NotGiven("setup", "it writes where it stands; SetupCommandTest says elsewhere"),
          new NotGiven("keys init --authority", "one is there already; SitePkiTest does it"),
          new NotGiven("limits apply .*--on-version", "it is about one version, not the next"));

  @TempDir static Path directory;

  private static @Nullable Site site;

  @BeforeAll
  static void openTheSite() throws Exception {
    site = Site.open(directory);
  }

  @AfterAll
  static void closeTheSite() throws Exception {
    if (site != null) {
      site.close();
    }
  }

  /** Each once, and those last after which keys cannot be made again. */
  static Stream<DocumentedCommand> given() {
    Set<String> seen = new HashSet<>();
    return DocumentedCommand.all().stream()
        .filter(DocumentedCommandsTest::isGiven)
        .filter(command -> seen.add(command.text()))
        .sorted(Comparator.comparing(command -> command.text().startsWith("keys revoke")));
  }

  private static boolean isGiven(DocumentedCommand command) {
    return !command.words().isEmpty()
        && !isOfTheLauncher(command)
        && !isPattern(command)
        && !isNameOnly(command)
        && !command.command().inBackground()
        && NOT_GIVEN.stream().noneMatch(exception -> isAbout(exception, command));
  }

  private static boolean isAbout(NotGiven exception, DocumentedCommand command) {
    return Pattern.compile(exception.command).matcher(command.text()).lookingAt();
  }

  private static boolean isOfTheLauncher(DocumentedCommand command) {
    return OF_THE_LAUNCHER.contains(command.words().getFirst());
  }

  private static boolean isPattern(DocumentedCommand command) {
    return command.words().stream().anyMatch(word -> PLACEHOLDER.matcher(word).matches());
  }

  /** A sentence names a command without saying what to do with it. */
  private static boolean isNameOnly(DocumentedCommand command) {
    return !command.isExample()
        && command.words().stream().allMatch(word -> word.matches("[a-z]+|--[a-z]+"));
  }

  @ParameterizedTest
  @MethodSource("given")
  void doesWhatItIsDocumentedFor(DocumentedCommand command) throws Exception {
    if (Set.of("agent", "limit", "run").contains(command.words().getFirst())) {
      Assumptions.assumeTrue(Site.hasStage(), "libsluice.so was not built: no C compiler");
    }
    Cli cli = Objects.requireNonNull(site).run(command);
    assertThat(cli.exitCode()).as(command + "\n" + cli.out() + cli.err()).isZero();
  }

  @Test
  void whatIsNotGivenIsUnderstood() {
    for (DocumentedCommand command : DocumentedCommand.all()) {
      if (command.words().isEmpty() || isOfTheLauncher(command) || isGiven(command)) {
        continue;
      }
      if (isNameOnly(command)) {
        hasHelp(command);
      } else {
        assertThat(Cli.misunderstood(command.words().toArray(String[]::new)))
            .as(command.toString())
            .isEmpty();
      }
    }
  }

  private static void hasHelp(DocumentedCommand command) {
    List<String> options = new ArrayList<>(command.words());
    options.removeIf(word -> !word.startsWith("--"));
    List<String> words = new ArrayList<>(command.words());
    words.removeAll(options);
    words.add("--help");
    Cli help = Cli.run(words.toArray(String[]::new));
    assertThat(help.exitCode()).as(command.toString()).isZero();
    options.forEach(option -> assertThat(help.out()).as(command.toString()).contains(option));
  }

  @Test
  void theLauncherKnowsWhatItIsSaidToDo() throws IOException {
    String launcher = Files.readString(Cli.inTree("sluice"));
    List<String> benchmarks;
    try (Stream<Path> files = Files.walk(Cli.inTree("bench/src/main/java"))) {
      benchmarks =
          files
              .map(file -> String.valueOf(file.getFileName()))
              .map(name -> name.toLowerCase(Locale.ROOT))
              .toList();
    }
    for (DocumentedCommand command : DocumentedCommand.all()) {
      if (command.words().isEmpty() || !isOfTheLauncher(command) || isPattern(command)) {
        continue;
      }
      String text = command.text().replaceFirst(" (--|dev[.]).*", "");
      boolean isNamed = launcher.contains("#   ./sluice " + text + " ");
      boolean isBenchmark =
          text.startsWith("bench ")
              && benchmarks.stream().anyMatch(name -> name.startsWith(text.substring(6)));
      assertThat(isNamed || isBenchmark || isPartOfBenchmark(command, launcher))
          .as(command.toString())
          .isTrue();
    }
  }

  /**
   * Such as {@code bench stage agent}, one of the functions of a script, or {@code bench growth
   * nodes}, one that a class has a name for.
   */
  private static boolean isPartOfBenchmark(DocumentedCommand command, String launcher)
      throws IOException {
    List<String> words = command.words();
    if (words.size() < 3
        || !words.getFirst().equals("bench")
        || !launcher.contains("#   ./sluice bench " + words.get(1) + " ")) {
      return false;
    }
    Path script = Cli.inTree("bench").resolve(words.get(1)).resolve("measure");
    Path parts = Cli.inTree("bench/src/main/java/dev/sluice/bench/GrowthBenchmark.java");
    return Files.exists(script)
        ? Files.readString(script).contains(words.get(2))
        : words.get(1).equals("growth")
            && Files.readString(parts).contains("parts.put(\"" + words.get(2) + "\",");
  }

  @Test
  void everyExceptionIsOne() {
    List<DocumentedCommand> all = DocumentedCommand.all();
    assertThat(all).hasSizeGreaterThan(100);
    for (NotGiven exception : NOT_GIVEN) {
      assertThat(all).as(exception.why).anyMatch(command -> isAbout(exception, command));
    }
  }
}
