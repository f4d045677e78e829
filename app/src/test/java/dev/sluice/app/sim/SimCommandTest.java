package dev.sluice.app.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimCommandTest {
  private static final String SCENARIO =
      """
      name: two-writers
      description: One writes much, one little.
      end: 20 s
      targets:
        ost0: {bandwidth: 100 MB/s}
      jobs:
        hog:
          nodes: 1
          processes: {count: 4, sequential: {operation: write, file: 100 MB}}
        mouse:
          nodes: 3
          processes: {count: 1, sequential: {operation: write, file: 50 MB}}
      """;

  @TempDir Path top;
  private Path scenario = Path.of("");

  @BeforeEach
  void writeScenario() throws IOException {
    scenario = Files.writeString(top.resolve("two-writers.yaml"), SCENARIO);
  }

  @Test
  void policiesAreComparedInATable() {
    Cli cli = Cli.run("sim", scenario.toString(), "--policy", "none", "--policy", "fair");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out())
        .startsWith("two-writers, seed 1, scenario ")
        .contains("Policies compared", "fairness", "Each job under each policy", "vs none")
        .containsPattern("(?m)^  none +\\d")
        .containsPattern("(?m)^  fair +\\d")
        .containsPattern("(?m)^  mouse +3 +fair ");
    assertThat(cli.err()).isEmpty();
  }

  @Test
  void equalSeedsGiveEqualFiles() throws IOException {
    for (String name : new String[] {"a", "b"}) {
      Cli cli = Cli.run("sim", scenario.toString(), "--seed", "5", "--out", top + "/" + name);
      assertThat(cli.exitCode()).isZero();
    }
    int files = 0;
    try (var all = Files.list(top.resolve("a"))) {
      for (Path file : all.toList()) {
        assertThat(top.resolve("b").resolve(file.getFileName())).hasSameBinaryContentAs(file);
        files++;
      }
    }
    assertThat(files).isEqualTo(7);
    assertThat(top.resolve("a/report.html")).content().contains("two-writers", "<svg");
    assertThat(top.resolve("a/result.json")).content().doesNotContain(top.toString());
  }

  @Test
  void jsonComesAloneOnStandardOutput() {
    Cli cli = Cli.run("sim", scenario.toString(), "--policy", "none", "--json");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).startsWith("{").endsWith("}\n").contains("\"bytes_per_s\"");
  }

  @Test
  void linearProgramsCanBeSolvedByTheNativeSolverToo() {
    Cli cli = Cli.run("sim", scenario.toString(), "--policy", "gift", "--set", "solver=glop");
    assertThat(cli.exitCode()).as(cli.err()).isZero();
    assertThat(cli.out()).containsPattern("(?m)^  gift +\\d");
    Cli told = Cli.run("policies", "gift");
    assertThat(told.out()).contains("what solves the linear programs: built-in, glop");
  }

  @Test
  void anUnknownPolicyGetsTheKnownOnes() {
    Cli cli = Cli.run("sim", scenario.toString(), "--policy", "adaptbff");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .startsWith("there is no policy \"adaptbff\"; there are none, static, fair, adaptbf")
        .hasLineCount(1);
  }

  @Test
  void aSettingThatNoPolicyHasIsRefused() {
    Cli cli = Cli.run("sim", scenario.toString(), "--policy", "none", "--set", "speed=1");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err())
        .startsWith("no policy that runs has a parameter \"speed\"; they have none")
        .hasLineCount(1);
  }

  @Test
  void aMissingFileAndABadOneAreOneLineEach() throws IOException {
    Cli cli = Cli.run("sim", top + "/nowhere.yaml");
    assertThat(cli.exitCode()).isEqualTo(2);
    assertThat(cli.err()).isEqualTo(top + "/nowhere.yaml: no such file\n");
    Path bad = Files.writeString(top.resolve("bad.yaml"), SCENARIO.replace("nodes: 3", "nodes: x"));
    Cli refused = Cli.run("sim", bad.toString());
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).startsWith(bad + ":11:").hasLineCount(1);
  }

  @Test
  void aPlaceThatCannotBeWrittenFailsBeforeAnythingRuns() {
    Cli cli = Cli.run("sim", scenario.toString(), "--out", scenario.toString());
    assertThat(cli.exitCode()).isEqualTo(1);
    assertThat(cli.err())
        .isEqualTo(scenario + ": expected a directory, but a file has this name\n");
    assertThat(cli.out()).isEmpty();
  }

  @Test
  void aScenarioComesFromStandardInputToo() {
    Cli cli = Cli.runWithInput(SCENARIO, "sim", "-", "--policy", "none", "--quiet");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).startsWith("two-writers, seed 1, scenario ");
  }

  @Test
  void theHelpTeaches() {
    Cli cli = Cli.run("sim", "--help");
    assertThat(cli.exitCode()).isZero();
    assertThat(cli.out()).contains("Example: ./sluice sim examples/scenarios/", "--seed");
  }
}
