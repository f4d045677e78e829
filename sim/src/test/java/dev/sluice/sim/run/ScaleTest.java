package dev.sluice.sim.run;

import static dev.sluice.sim.run.Worlds.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the simulator promises about its own speed, in time of the processor and not of the clock.
 * Takes minutes, so it runs only when asked for: {@code -Dtest.jvm.flags="-Dsluice.scale=true
 * -Xmx4g"}.
 */
@EnabledIfSystemProperty(named = "sluice.scale", matches = "true")
class ScaleTest {
  private static final double EVENTS_PER_SECOND_MIN = 2e6;
  private static final double LARGE_SITE_SECONDS_MAX = 300;
  private static final int WARM_UP_RUNS = 30;

  /** AdapTBF's experiment D: four jobs of 16 processes that write 1 GiB each to one target. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "static", "fair", "adaptbf"})
  void requestsPassAtMillionsOfEventsASecond(String policy) {
    TargetSpec target =
        new TargetSpec(new Target("ost0", 476, TokenUnit.OPERATIONS), 500_000_000L, 0, 0, 16, null);
    List<JobSpec> jobs = new ArrayList<>();
    for (long nodes : List.of(1L, 2L, 3L, 5L)) {
      jobs.add(Worlds.job("job" + nodes, nodes, Worlds.processes(16, 8, Worlds.write(1_024))));
    }
    Scenario world = Worlds.scenario(Scenario.Mode.REQUESTS, 600 * SECOND, List.of(target), jobs);
    for (int i = 0; i < WARM_UP_RUNS; i++) {
      Worlds.run(world, policy, i);
    }

    double events = 0;
    long before = processorNanos();
    for (int i = 0; i < WARM_UP_RUNS; i++) {
      events += Worlds.run(world, policy, i).events();
    }
    double perSecond = events * 1e9 / (processorNanos() - before);

    System.out.println(
        String.format(Locale.ROOT, "%s: %.1f million events/s", policy, perSecond / 1e6));
    assertThat(perSecond).isGreaterThan(EVENTS_PER_SECOND_MIN);
  }

  @Test
  void anHourOfALargeSiteTakesMinutes() {
    Scenario world = ScaleWorld.of(1_000, 10_000, 3_600 * SECOND);

    long before = processorNanos();
    RunResult result = Worlds.run(world, "adaptbf");
    double seconds = (processorNanos() - before) / 1e9;

    double ioPart =
        result.jobs().stream()
            .mapToDouble(job -> (double) job.ioNanos() / result.endNanos())
            .average()
            .orElseThrow();
    System.out.println(
        String.format(
            Locale.ROOT,
            "an hour of 1,000 targets and 10,000 jobs: %.0f s, %d decisions, %.0f %% I/O",
            seconds,
            result.decisions(),
            100 * ioPart));
    assertThat(ioPart).isBetween(0.1, 0.2);
    assertThat(seconds).isLessThan(LARGE_SITE_SECONDS_MAX);
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
