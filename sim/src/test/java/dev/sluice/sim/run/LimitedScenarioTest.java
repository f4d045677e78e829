package dev.sluice.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits that hold whatever a policy decides, and what may be saved up under them. */
class LimitedScenarioTest {
  private static Scenario scenario(String mode, String burst) {
    return ScenarioReader.parse(
        "scenario.yaml",
        """
        mode: %s
        end: 20 s
        targets: {ost0: {bandwidth: 100 MB/s}}
        limits: [{name: backup, match: user=backup, rate: 5 MB/s%s}]
        jobs:
          tape: {user: backup, nodes: 9, processes: {window: 16, sequential: {file: 100 GB}}}
          other: {user: alice, processes: {window: 16, sequential: {file: 100 GB}}}
        """
            .formatted(mode, burst),
        Path.of(""),
        1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "fair"})
  void aLimitHoldsWhateverAPolicyDecides(String policy) {
    RunResult result = Worlds.run(scenario("requests", ""), policy);
    assertThat(Worlds.job(result, "tape").bytes() / 1e6).isCloseTo(20 * 5, within(5.0));
    assertThat(Worlds.job(result, "other").bytes() / 1e6).isGreaterThan(1_800);
  }

  @Test
  void whatIsSavedIsSpentAboveTheLimit() {
    RunResult result = Worlds.run(scenario("requests", ", burst: 60 s"), "fair");
    assertThat(Worlds.job(result, "tape").bytes() / 1e6).isCloseTo(20 * 5 + 60 * 5, within(5.0));
  }

  @Test
  void streamsHaveNoBuckets() {
    assertThatThrownBy(() -> scenario("fluid", ""))
        .hasMessageContaining("scenario.yaml:4:1")
        .hasMessageContaining("expected only with mode requests");
  }
}
