package dev.sluice.app.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.testkit.SeededCases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DecideCommandTest {
  private static final String EXAMPLE = "examples/decide/lend-and-return.yaml";

  @Test
  void theExampleGivesWhatItsPageSays() {
    Cli cli = Cli.run("decide", "--policy", "adaptbf", Cli.inTree(EXAMPLE).toString());
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .contains("adaptbf on ost0, 1 ktokens/s, every 100 ms")
        .contains("a        1      40        25             87             87         87     -62")
        .contains("b: 3 of 4 nodes make 75 tokens, it wants 90; gets back 24; may use 99");
  }

  @Test
  void jsonHasEveryFigureAndTheReasons() {
    Cli cli = Cli.run("decide", "--policy", "adaptbf", "--json", Cli.inTree(EXAMPLE).toString());
    List<DocumentNode> steps = steps(cli);
    assertThat(steps).hasSize(2);
    DocumentMap second = steps.get(1).map("jobs", "why");
    DocumentMap job = second.required("jobs").map("a", "b").required("a").openMap();
    assertThat(whole(job, "priority")).isEqualTo(25);
    assertThat(whole(job, "redistributed")).isEqualTo(25);
    assertThat(whole(job, "recompensated")).isEqualTo(1);
    assertThat(whole(job, "allocated")).isEqualTo(1);
    assertThat(whole(job, "record")).isEqualTo(-38);
    DocumentMap why = second.required("why").map("summary", "jobs");
    assertThat(why.required("summary").text()).contains("24 tokens given back");
    assertThat(why.required("jobs").map("a", "b").required("a").text()).contains("pays back 24");
  }

  private static List<DocumentNode> steps(Cli cli) {
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    return Documents.parse("out", cli.out()).map("steps").required("steps").list();
  }

  private static long whole(DocumentMap map, String key) {
    return map.required(key).whole(Long.MIN_VALUE, Long.MAX_VALUE);
  }

  @Test
  void everyExampleRunsUnderEveryPolicyFromFileAndStandardInputAlike() throws IOException {
    try (Stream<Path> examples = Files.list(Cli.inTree("examples/decide"))) {
      for (Path example : examples.sorted().toList()) {
        for (PolicyFactory policy : PolicyRegistry.all()) {
          String name = policy.info().name();
          Cli file = Cli.run("decide", "--policy", name, "--json", example.toString());
          assertThat(steps(file)).isNotEmpty();
          Cli input =
              Cli.runWithInput(
                  Files.readString(example), "decide", "--policy", name, "--json", "-");
          assertThat(input.out()).isEqualTo(file.out());
          assertThat(Cli.run("decide", "--policy", name, example.toString()).out())
              .contains("step 1: ");
        }
      }
    }
  }

  @Test
  void oneObservationNeedsNoSteps() {
    Cli cli =
        Cli.runWithInput(
            "{\"target\": {\"capacity\": \"100 MB/s\"}, \"jobs\": {\"a\": {\"demand\": \"5 MB\"}}}",
            "decide",
            "--policy",
            "adaptbf",
            "--json",
            "-");
    assertThat(cli.out()).contains("\"allocated\":10000000").contains("\"demand\":5000000");
  }

  @Test
  void badInputIsOneLineWithItsPlaceAndExitCodeTwo() {
    refused("jobs: {}", "standard input:1:1: a mapping: expected the key \"target\"");
    refused(
        "target: {capacity: 0}",
        "standard input:1:20: capacity: \"0\": expected a capacity of 1 to 2000000000000 a second");
    refused("target: {capacity: 1}\nstep: []", "standard input:2:1: \"step\": expected one of");
    refused("target: {capacity: 1}\nsteps: []", "standard input:2:8: steps: a list: expected 1 to");
    refused(
        "target: {capacity: 1}\nsteps:\n  - {jobs: {a: {demand: -1}}}",
        "standard input:3:25: demand: \"-1\": expected a whole number from 0 to");
    refused(
        "target: {capacity: 1}\njobs: {a: {nodes: 0, demand: 1}}",
        "standard input:2:19: nodes: \"0\": expected a whole number from 1 to");
    refused(
        "target: {capacity: 1}\njobs: {a: {nodes: 1}}",
        "standard input:2:11: a: a mapping: expected the key \"demand\"");
    refused(
        "target: {capacity: 1}\nperiod: 2 h\njobs: {a: {demand: 1}}",
        "standard input:2:9: period: \"2 h\": expected a duration from 1 ns to 1 h");
    refused(
        "target: {capacity: 1}\njobs: {\"\": {demand: 1}}",
        "standard input:2:12: a mapping: expected a job id as the key; a job id has 1 to 255");
    refused("target: [", "standard input:1:");
  }

  private static void refused(String input, String message) {
    Cli cli = Cli.runWithInput(input, "decide", "--policy", "adaptbf", "-");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err().lines()).hasSize(1);
    assertThat(cli.err()).startsWith(message);
    assertThat(cli.out()).isEmpty();
  }

  /** A good document with one character changed, dropped or doubled: an answer, or one line. */
  @Test
  void noInputMakesItFailInAnyOtherWay() throws IOException {
    String good = Files.readString(Cli.inTree(EXAMPLE));
    String letters = "{}[]:,-\n 019.aMk/\"'#&*";
    SeededCases.forAll(
        2_000,
        random -> {
          StringBuilder text = new StringBuilder(good);
          int at = random.nextInt(good.length());
          switch (random.nextInt(3)) {
            case 0 -> text.deleteCharAt(at);
            case 1 -> text.setCharAt(at, letters.charAt(random.nextInt(letters.length())));
            default -> text.insert(at, letters.charAt(random.nextInt(letters.length())));
          }
          Cli cli = Cli.runWithInput(text.toString(), "decide", "--policy", "adaptbf", "-");
          assertThat(cli.exitCode()).as(text + cli.err()).isIn(0, 2);
          assertThat(cli.err().lines().count()).isEqualTo(cli.exitCode() == 0 ? 0 : 1);
        });
  }
}
