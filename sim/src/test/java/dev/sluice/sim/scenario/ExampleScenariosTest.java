package dev.sluice.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.document.DocumentException;
import dev.sluice.testkit.SeededCases;
import java.io.InputStream;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What is written for people is read by the reader. */
class ExampleScenariosTest {
  private static final Path ROOT = Path.of("..");
  private static final Path EXAMPLES = ROOT.resolve("examples/scenarios");
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9.-]+( [kMG]?i?B(/s)?| m?s)?");
  private static final Path PAGE = ROOT.resolve("docs/scenarios.md");

  @TestFactory
  Stream<DynamicTest> everyExampleIsRead() throws Exception {
    List<Path> files;
    try (Stream<Path> found = Files.list(EXAMPLES)) {
      files = found.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
    assertThat(files).hasSizeGreaterThanOrEqualTo(9);
    return files.stream()
        .map(file ->
            DynamicTest.dynamicTest(
                file.getFileName().toString(),
                () -> {
                  Scenario scenario =
                      ScenarioReader.read(file.toString(), InputStream.nullInputStream(), 1);
                  assertThat(scenario.name() + ".yaml").isEqualTo(file.getFileName().toString());
                  assertThat(scenario.description()).isNotEmpty();
                }));
  }

  @Test
  void theThreeOfAdapTbfAreWhatTheyReplay() {
    assertThat(nodes("allocation")).containsExactly(10L, 10L, 30L, 50L);
    assertThat(nodes("redistribution")).containsExactly(30L, 30L, 30L, 10L);
    assertThat(nodes("recompensation")).containsExactly(25L, 25L, 25L, 25L);
    assertThat(read("recompensation").jobs())
        .extracting(job -> job.processes().getLast().delayNanos() / 1_000_000_000)
        .containsExactly(20L, 50L, 80L, 0L);
    for (String name : List.of("allocation", "redistribution", "recompensation")) {
      assertThat(read(name).jobs().getLast().processes())
          .extracting(ProcessGroup::count)
          .containsExactly(16);
      assertThat(read(name).policies()).containsExactly("none", "static", "adaptbf", "fair");
    }
  }

  private static List<Long> nodes(String name) {
    return read(name).jobs().stream().map(JobSpec::nodes).toList();
  }

  private static Scenario read(String name) {
    return ScenarioReader.read(
        EXAMPLES.resolve(name + ".yaml").toString(), InputStream.nullInputStream(), 1);
  }

  /** What a block lacks of a whole scenario is added. */
  @TestFactory
  Stream<DynamicTest> everyBlockOfThePageIsRead() throws Exception {
    String page = Files.readString(PAGE);
    List<MatchResult> blocks = blocks(page, "yaml");
    assertThat(blocks).hasSizeGreaterThanOrEqualTo(9);
    return blocks.stream()
        .map(block -> {
          long line = page.substring(0, block.start()).lines().count() + 1;
          return DynamicTest.dynamicTest(
              "line " + line,
              () -> ScenarioReader.parse(PAGE.toString(), whole(block.group(1)), EXAMPLES, 1));
        });
  }

  private static List<MatchResult> blocks(String page, String language) {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(page)
        .results()
        .toList();
  }

  @Test
  void theTraceOfThePageIsRead() throws Exception {
    String block = blocks(Files.readString(PAGE), "csv").getFirst().group(1);
    TraceReader trace = new TraceReader("page", new StringReader(block), List.of("mdt0", "ost0"));
    int requests = 0;
    while (trace.next() != null) {
      requests++;
    }
    assertThat(requests).isEqualTo(3);
  }

  private static String whole(String block) {
    String text = block;
    if (!text.contains("end:")) {
      text += "end: 1 h\n";
    }
    if (!text.contains("targets:\n")) {
      text +=
          """
          targets:
            ost: {repeat: 4, bandwidth: 1 GB/s}
            ost0: {bandwidth: 1 GB/s}
            mdt0: {bandwidth: 1 GB/s}
          """;
    }
    if (!text.contains("jobs:\n") && !text.contains("trace:\n")) {
      text += "jobs: {a: {processes: {sequential: {file: 1 GB}}}}\n";
    }
    return text;
  }

  /** Slips of the hand, thousands of them: a value for another, a letter or a line too few. */
  @Test
  void whateverIsWrittenIsReadOrRefusedWithItsPlace() throws Exception {
    List<String> texts = new ArrayList<>();
    List<String> words = new ArrayList<>(List.of("0", "-1", "99999999999999999999", "''", "[]"));
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      for (Path file : files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList()) {
        texts.add(Files.readString(file));
        Matcher word = WORD.matcher(texts.getLast());
        word.results().map(MatchResult::group).distinct().forEach(words::add);
      }
    }
    List<Boolean> refused = new ArrayList<>();
    SeededCases.forAll(
        3_000,
        random -> {
          String text = slip(texts.get(random.nextInt(texts.size())), words, random);
          try {
            ScenarioReader.parse("slip.yaml", text, EXAMPLES, 1);
            refused.add(false);
          } catch (DocumentException e) {
            refused.add(true);
            assertThat(e).message().matches("(?:slip.yaml|\\S+trace.csv):\\d+:\\d+: .+");
          }
        });
    if (refused.size() > 1_000) {
      assertThat(refused).as("both happens often").filteredOn(each -> each).hasSizeGreaterThan(300);
      assertThat(refused)
          .as("both happens often")
          .filteredOn(each -> !each)
          .hasSizeGreaterThan(300);
    }
  }

  private static String slip(String text, List<String> words, RandomGenerator random) {
    List<MatchResult> found = WORD.matcher(text).results().toList();
    MatchResult word = found.get(random.nextInt(found.size()));
    String instead =
        switch (random.nextInt(3)) {
          case 0 -> words.get(random.nextInt(words.size()));
          case 1 -> word.group().substring(1);
          default -> "";
        };
    return text.substring(0, word.start()) + instead + text.substring(word.end());
  }

  /** The page names every key there is, as the messages about unknown keys list them. */
  @Test
  void everyKeyIsOnThePage() throws Exception {
    String page = Files.readString(PAGE);
    for (String source :
        List.of("ScenarioReader", "TargetsReader", "JobsReader", "ProcessesReader")) {
      String code =
          Files.readString(
              ROOT.resolve("sim/src/main/java/dev/sluice/sim/scenario/" + source + ".java"));
      Pattern.compile("\\.map\\(([^)]*)\\)")
          .matcher(code)
          .results()
          .flatMap(call -> Pattern.compile("\"([a-z-]+)\"").matcher(call.group(1)).results())
          .map(key -> key.group(1))
          .forEach(key ->
              assertThat(page.toLowerCase(Locale.ROOT))
                  .as("docs/scenarios.md on the key %s", key)
                  .contains("`" + key + "`"));
    }
  }
}
