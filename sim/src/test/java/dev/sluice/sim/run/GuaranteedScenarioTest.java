package dev.sluice.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A minimum that somebody was promised, in both modes. */
class GuaranteedScenarioTest {
  private static Scenario scenario(String mode, String rate) {
    return ScenarioReader.parse(
        "scenario.yaml",
        """
        mode: %s
        end: 20 s
        targets: {ost0: {bandwidth: 100 MB/s}}
        guarantees: [{user: alice, rate: %s}]
        jobs:
          small: {repeat: 2, user: alice, processes: {window: 16, sequential: {file: 100 GB}}}
          big: {user: bob, nodes: 18, processes: {window: 16, sequential: {file: 100 GB}}}
        """
            .formatted(mode, rate),
        Path.of(""),
        1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"requests", "fluid"})
  void twoJobsOfOneNodeHaveWhatTheirUserWasPromised(String mode) {
    RunResult result = Worlds.run(scenario(mode, "40 MB/s"), "fair");
    double big = Worlds.job(result, "big").bytes();
    double all = result.jobs().stream().mapToDouble(job -> job.bytes()).sum();
    // And a little more, so that every second has all of it.
    assertThat(big / all).isBetween(0.5, 0.6);
  }

  @Test
  void sojournKeepsWhatWasPromisedToo() {
    RunResult result = Worlds.run(scenario("requests", "40 MB/s"), "sojourn");
    double big = Worlds.job(result, "big").bytes();
    double all = result.jobs().stream().mapToDouble(job -> job.bytes()).sum();
    assertThat(big / all).isBetween(0.5, 0.6);
  }

  @Test
  void whatDoesNotFitIsRefused() {
    assertThatThrownBy(() -> scenario("requests", "91 MB/s"))
        .hasMessageContaining("scenario.yaml:4:14")
        .hasMessageContaining("are left");
  }
}
