package dev.sluice.sim.run;

import static dev.sluice.sim.run.Worlds.MIB;
import static dev.sluice.sim.run.Worlds.MILLISECOND;
import static dev.sluice.sim.run.Worlds.SECOND;
import static dev.sluice.sim.run.Worlds.bytes;
import static dev.sluice.sim.run.Worlds.dump;
import static dev.sluice.sim.run.Worlds.job;
import static dev.sluice.sim.run.Worlds.processes;
import static dev.sluice.sim.run.Worlds.run;
import static dev.sluice.sim.run.Worlds.scenario;
import static dev.sluice.sim.run.Worlds.target;
import static dev.sluice.sim.run.Worlds.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FluidSimulationTest {
  private static final List<TargetSpec> ONE_TARGET = List.of(target("ost0", 500));
  private static final Percentage FIVE_PERCENT = Percentage.withPercentage(5);

  /** Four jobs with 10, 10, 30 and 50 % of the nodes that all write as fast as they can. */
  private static List<JobSpec> continuous() {
    return List.of(
        job("a", 1, processes(16, 8, write(512))),
        job("b", 1, processes(16, 8, write(512))),
        job("c", 3, processes(16, 8, write(512))),
        job("d", 5, processes(16, 8, write(512))));
  }

  /** Three jobs with short bursts, and one that writes all the time. */
  private static List<JobSpec> bursty() {
    Workload bursts =
        new Workload.Bursts(Operation.WRITE, Long.MAX_VALUE, 128 * MIB, MIB, 4 * SECOND, 0.1);
    return List.of(
        job("a", 3, processes(2, 8, bursts)),
        job("b", 3, new ProcessGroup(2, SECOND, 8, bursts, Worlds.ONE_STRIPE)),
        job("c", 3, new ProcessGroup(2, 2 * SECOND, 8, bursts, Worlds.ONE_STRIPE)),
        job("d", 1, processes(16, 8, write(100_000))));
  }

  /** Jobs that compute and write in turns, and wait for their slowest process. */
  private static List<JobSpec> phased() {
    Workload phases = new Workload.Phases(5, 3 * SECOND, 0.2, Operation.WRITE, 200 * MIB, MIB);
    return List.of(
        job("a", 1, processes(4, 8, phases)),
        job("b", 2, processes(4, 8, phases)),
        job("c", 3, processes(4, 8, phases)));
  }

  /**
   * Job a is on one target and b on two: only who decides about both together sees that b can have
   * no more of the second than of the first, and that a may be throttled for it.
   */
  @ParameterizedTest
  @ValueSource(strings = {"bsip", "gift"})
  void decidesAboutAllTargetsTogether(String policy) {
    FileLayout both = new FileLayout(FileLayout.Placement.ROUND_ROBIN, 2, MIB, List.of());
    FileLayout first = new FileLayout(FileLayout.Placement.GIVEN, 1, MIB, List.of("ost0"));
    Workload endless = write(1_000_000);
    JobSpec a = job("a", 1, new ProcessGroup(1, 0, 64, endless, first));
    JobSpec b = job("b", 1, new ProcessGroup(1, 0, 128, endless, both));
    RunResult result =
        run(
            scenario(
                Scenario.Mode.FLUID,
                310 * SECOND,
                List.of(target("ost0", 100), target("ost1", 100)),
                List.of(a, b)),
            policy);

    double throttled = policy.equals("gift") ? 45 : 50;
    // Nobody is limited before the first decision: both have half of the first target.
    assertThat((double) job(result, "a").bytes() / MIB)
        .isCloseTo(500 + 300 * throttled, FIVE_PERCENT);
    assertThat((double) job(result, "b").bytes() / MIB)
        .isCloseTo(1_000 + 300 * 2 * (100 - throttled), FIVE_PERCENT);
    assertThat(result.decisions()).isEqualTo(31);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "static", "fair", "adaptbf"})
  void agreesWithEveryRequestSimulated(String policy) {
    for (List<JobSpec> jobs : List.of(continuous(), bursty(), phased())) {
      RunResult fine = run(world(Scenario.Mode.REQUESTS, jobs), policy);
      RunResult fluid = run(world(Scenario.Mode.FLUID, jobs), policy);

      for (JobSpec spec : jobs) {
        JobResult expected = job(fine, spec.id().toString());
        JobResult actual = job(fluid, spec.id().toString());
        assertThat(actual.bytes())
            .as("bytes of job %s", spec.id())
            .isCloseTo(expected.bytes(), FIVE_PERCENT);
        assertThat(actual.isDone()).as("job %s is done", spec.id()).isEqualTo(expected.isDone());
        if (expected.isDone()) {
          assertThat(actual.endNanos())
              .as("end of job %s", spec.id())
              .isCloseTo(expected.endNanos(), FIVE_PERCENT);
        }
        assertThat(actual.computeNanos())
            .as("computation of job %s", spec.id())
            .isCloseTo(expected.computeNanos(), FIVE_PERCENT);
      }
    }
  }

  private static Scenario world(Scenario.Mode mode, List<JobSpec> jobs) {
    return scenario(mode, 60 * SECOND, ONE_TARGET, jobs);
  }

  @Test
  void equalSeedsGiveEqualResultsAndOthersDiffer() {
    Scenario world = ScaleWorld.of(8, 40, 200 * SECOND);

    String first = dump(run(world, "adaptbf", 7));

    assertThat(dump(run(world, "adaptbf", 7))).isEqualTo(first);
    assertThat(dump(run(world, "adaptbf", 8))).isNotEqualTo(first);
  }

  @Test
  void stripesMoveAtTheSpeedOfTheSlowest() {
    FileLayout both = new FileLayout(FileLayout.Placement.ROUND_ROBIN, 2, MIB, List.of());
    Scenario world =
        scenario(
            Scenario.Mode.FLUID,
            60 * SECOND,
            List.of(target("slow", 100), target("fast", 300)),
            List.of(job("striped", 1, new ProcessGroup(1, 0, 64, write(1_000), both))));

    RunResult result = run(world, "none");

    assertThat(result.endNanos()).isCloseTo(5 * SECOND, within(MILLISECOND));
    assertThat(result.targets().stream().map(TargetResult::bytes))
        .containsExactly(500 * MIB, 500 * MIB);
    assertThat(job(result, "striped").isolatedIoNanos()).isCloseTo(5 * SECOND, within(MILLISECOND));
  }

  @Test
  void aWindowAndALatencyBoundWhatAJobCanTake() {
    TargetSpec far =
        new TargetSpec(
            new Target("far", 1_000, TokenUnit.OPERATIONS),
            1_000 * MIB,
            0,
            99 * MILLISECOND,
            64,
            null);
    List<JobSpec> jobs = List.of(job("waiting", 1, processes(1, 4, write(400))));

    RunResult fine = run(scenario(Scenario.Mode.REQUESTS, 60 * SECOND, List.of(far), jobs), "none");
    RunResult fluid = run(scenario(Scenario.Mode.FLUID, 60 * SECOND, List.of(far), jobs), "none");

    assertThat(fluid.endNanos()).isCloseTo(10 * SECOND, FIVE_PERCENT);
    assertThat(fine.endNanos()).isCloseTo(10 * SECOND, FIVE_PERCENT);
    assertThat(job(fluid, "waiting").isolatedIoNanos()).isCloseTo(10 * SECOND, FIVE_PERCENT);
    assertThat(job(fine, "waiting").isolatedIoNanos()).isCloseTo(10 * SECOND, FIVE_PERCENT);
  }

  @Test
  void openLoopsKeepTheirRateAndMetadataCostsItsOperations() {
    Workload data = new Workload.OpenLoop(Operation.READ, MIB, 100, true, 1_000);
    Workload closed = new Workload.MetadataMix(Map.of(Operation.STATFS, 1), 20_000, 0);
    TargetSpec mdt =
        new TargetSpec(
            new Target("mdt0", 10_000, TokenUnit.OPERATIONS),
            1_000 * MIB,
            SECOND / 10_000,
            0,
            8,
            null);

    RunResult open =
        run(
            scenario(
                Scenario.Mode.FLUID,
                60 * SECOND,
                ONE_TARGET,
                List.of(job("open", 1, processes(1, 1, data)))),
            "fair");
    RunResult metadata =
        run(
            scenario(
                Scenario.Mode.FLUID,
                60 * SECOND,
                List.of(mdt),
                List.of(job("closed", 1, processes(1, 4, closed)))),
            "fair");

    assertThat(open.endNanos()).isCloseTo(10 * SECOND, within(100 * MILLISECOND));
    assertThat(bytes(open)).isEqualTo(1_000 * MIB);
    assertThat(metadata.endNanos()).isCloseTo(2 * SECOND, within(MILLISECOND));
    assertThat(job(metadata, "closed").operations()).isEqualTo(20_000);
  }

  @Test
  void idleTargetsDecideNothing() {
    Workload phases = new Workload.Phases(3, 100 * SECOND, 0, Operation.WRITE, 50 * MIB, MIB);
    Scenario world =
        scenario(
            Scenario.Mode.FLUID,
            1_000 * SECOND,
            List.of(target("used", 100), target("idle", 100)),
            List.of(job("rare", 1, processes(1, 8, phases))));

    RunResult result = run(world, "adaptbf");

    assertThat(job(result, "rare").bytes()).isEqualTo(150 * MIB);
    assertThat(result.decisions()).isLessThan(60);
  }

  /**
   * Eight jobs on eight targets, one on each in turn: who only weighs them is told of each where it
   * sends something, and who sets rates of all of them everywhere.
   */
  @Test
  void whoOnlyWeighsJobsIsToldOfThoseThatUseATarget() {
    List<TargetSpec> targets = IntStream.range(0, 8).mapToObj(i -> target("ost" + i, 500)).toList();
    List<JobSpec> jobs =
        IntStream.range(0, 8)
            .mapToObj(i -> job("job" + i, 1, processes(1, 8, write(512))))
            .toList();
    Scenario world = scenario(Scenario.Mode.FLUID, 30 * SECOND, targets, jobs);

    RunResult weighed = run(world, "fair");

    assertThat(weighed.changes()).isEqualTo(8);
    assertThat(run(world, "static").changes()).isEqualTo(64);
    assertThat(bytes(weighed)).isEqualTo(8 * 512 * MIB);
  }

  @Test
  void aTraceIsRefused() {
    Workload replay =
        new Workload.Replay(List.of(new Workload.TraceLine(0, "ost0", Operation.READ, 1)));
    Scenario world =
        scenario(
            Scenario.Mode.FLUID,
            SECOND,
            ONE_TARGET,
            List.of(job("old", 1, processes(1, 1, replay))));

    assertThatThrownBy(() -> run(world, "none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("job old replays a trace");
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "static", "fair", "adaptbf"})
  void noTargetServesMoreThanItCan(String policy) {
    Scenario world = ScaleWorld.of(4, 60, 300 * SECOND);

    RunResult result = run(world, policy);

    long served = result.targets().stream().mapToLong(TargetResult::bytes).sum();
    assertThat(served).isCloseTo(bytes(result), within(100L));
    for (TargetResult target : result.targets()) {
      assertThat(target.bytes()).isLessThanOrEqualTo(300 * target.capacityBytesPerSecond());
      assertThat(target.busyNanos()).isLessThanOrEqualTo(300 * SECOND);
    }
  }
}
