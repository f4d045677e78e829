package dev.sluice.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.ScenarioReader;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Latencies that somebody was promised. */
class GoalScenarioTest {
  private static Scenario scenario(String promises) {
    return ScenarioReader.parse(
        "scenario.yaml",
        """
        end: 120 s
        targets: {ost0: {bandwidth: 100 MB/s, threads: 16}}
        %s
        jobs:
          shell: {user: alice, processes: {open-loop: {rate: 20 ops/s, request: 4 KiB}}}
          big: {user: bob, nodes: 18, processes: {window: 64, sequential: {file: 100 GB}}}
        """
            .formatted(promises),
        Path.of(""),
        1);
  }

  @Test
  void othersStepBackAsFarAsNeeded() {
    RunResult free = Worlds.run(scenario(""), "fair");
    RunResult kept = Worlds.run(scenario("goals: [{user: alice, p99: 40 ms}]"), "fair");
    assertThat(Worlds.job(free, "shell").latency().p99Nanos()).isGreaterThan(100_000_000);
    assertThat(Worlds.job(kept, "shell").latency().p99Nanos()).isLessThan(40_000_000);
    assertThat((double) Worlds.job(kept, "big").bytes())
        .isGreaterThan(0.9 * Worlds.job(free, "big").bytes());
  }

  @Test
  void streamsHaveNoLatencies() {
    assertThatThrownBy(() -> scenario("goals: [{user: alice, p99: 40 ms}]\nmode: fluid"))
        .hasMessageContaining("scenario.yaml:3:1")
        .hasMessageContaining("mode requests");
  }
}
