package dev.sluice.sim.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.Scenario;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SimRunsTest {
  private static final Scenario SCENARIO =
      new Scenario("s", "", Scenario.Mode.REQUESTS, 1, 1, 0, 0, List.of(), List.of(), List.of());
  private static final List<SimRuns.Choice> ALL =
      PolicyRegistry.all().stream()
          .map(
              policy -> new SimRuns.Choice(SCENARIO, policy, new Settings(policy.info(), Map.of())))
          .toList();

  @Test
  void runsGoOnAtTheSameTimeAndComeBackInOrder() throws InterruptedException {
    CountDownLatch together = new CountDownLatch(ALL.size());
    Simulator waitsForAll =
        (scenario, policy, settings, seed, progress) -> {
          together.countDown();
          try {
            assertThat(together.await(20, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          return result(policy.info().name(), seed);
        };
    List<SimRuns.Outcome> outcomes =
        new SimRuns(() -> waitsForAll, ALL.size(), () -> 0).run(ALL, 3, _ -> {});
    assertThat(outcomes.stream().map(outcome -> outcome.result().policy()))
        .containsExactlyElementsOf(
            PolicyRegistry.all().stream().map(policy -> policy.info().name()).toList());
    assertThat(outcomes).allMatch(outcome -> outcome.result().seed() == 3);
  }

  @Test
  void aFailureIsTheCallers() {
    Simulator fails =
        (scenario, policy, settings, seed, progress) -> {
          throw new IllegalArgumentException("no such thing");
        };
    assertThatThrownBy(() -> new SimRuns(() -> fails, 2, () -> 0).run(ALL, 1, _ -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no such thing");
  }

  private static RunResult result(String policy, long seed) {
    return new RunResult("s", policy, seed, 1, 1, 0, 0, List.of(), List.of());
  }
}
