package dev.sluice.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A target whose capacity nobody typed in. */
class FoundCapacityScenarioTest {
  private static Scenario scenario(String mode) {
    return ScenarioReader.parse(
        "scenario.yaml",
        """
        mode: %s
        end: 120 s
        targets:
          ost0: {bandwidth: 100 MB/s, capacity: auto, threads: 32, operation-cost: 100 us}
        jobs:
          small: {processes: {window: 32, sequential: {file: 100 GB}}}
          big: {nodes: 3, processes: {window: 32, sequential: {file: 100 GB}}}
        """
            .formatted(mode),
        Path.of(""),
        1);
  }

  @Test
  void isFoundAndDividedByNodes() {
    RunResult result = Worlds.run(scenario("requests"), "fair");
    double small = (double) Worlds.job(result, "small").bytes();
    double big = (double) Worlds.job(result, "big").bytes();
    assertThat(small / (small + big)).isCloseTo(0.25, within(0.03));
    assertThat((small + big) / 120).as("used").isGreaterThan(0.93 * 100e6);
  }

  @Test
  void streamsShowNothing() {
    assertThatThrownBy(() -> scenario("fluid"))
        .hasMessageContaining("scenario.yaml:4:41")
        .hasMessageContaining("only requests show");
  }
}
