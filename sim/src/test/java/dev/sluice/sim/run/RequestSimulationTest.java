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
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.Summary;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RequestSimulationTest {
  private static final List<TargetSpec> ONE_TARGET = List.of(target("ost0", 100));

  @ParameterizedTest
  @ValueSource(strings = {"none", "static", "fair", "adaptbf"})
  void equalSeedsGiveEqualResultsAndOthersDiffer(String policy) {
    Workload bursts =
        new Workload.Bursts(Operation.WRITE, Long.MAX_VALUE, 2 * MIB, MIB, SECOND / 3, 0.5);
    Scenario world =
        scenario(
            10 * SECOND,
            ONE_TARGET,
            job("busy", 3, processes(2, 4, write(10_000))),
            job("bursty", 1, processes(3, 4, bursts)));

    String first = dump(run(world, policy, 7));

    assertThat(dump(run(world, policy, 7))).isEqualTo(first);
    assertThat(dump(run(world, policy, 8))).isNotEqualTo(first);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "static", "fair", "adaptbf"})
  void aLoneJobGetsAllOfATarget(String policy) {
    Scenario world =
        scenario(20 * SECOND, ONE_TARGET, job("alone", 4, processes(4, 4, write(100_000))));

    RunResult result = run(world, policy);

    assertThat((double) bytes(result) / (2_000 * MIB)).isBetween(0.99, 1.0);
    assertThat(result.endNanos()).isEqualTo(20 * SECOND);
    assertThat(job(result, "alone").ioNanos()).isEqualTo(20 * SECOND);
  }

  @Test
  void withoutControlWhoeverAsksMoreGetsMore() {
    Scenario world =
        scenario(
            20 * SECOND,
            ONE_TARGET,
            job("modest", 9, processes(1, 2, write(100_000))),
            job("greedy", 1, processes(3, 2, write(100_000))));

    RunResult result = run(world, "none");

    assertThat(share(result, "modest")).isCloseTo(0.25, within(0.01));
  }

  @Test
  void staticRatesAreKeptExactlyAndWhatOthersDoNotUseIsLost() {
    Scenario world =
        scenario(
            10 * SECOND,
            ONE_TARGET,
            job("capped", 1, processes(8, 4, write(100_000))),
            job("idle", 3, processes(1, 1, write(0))));

    RunResult result = run(world, "static");

    // 25 a second, and the three that the full bucket held at the beginning.
    assertThat(job(result, "capped").operations()).isBetween(252L, 253L);
    assertThat(result.targets().getFirst().busyNanos()).isLessThan(26 * SECOND / 10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fair", "adaptbf", "static"})
  void busyJobsShareByNodes(String policy) {
    Scenario world =
        scenario(
            20 * SECOND,
            ONE_TARGET,
            job("small", 1, processes(8, 4, write(100_000))),
            job("large", 3, processes(4, 8, write(100_000))));

    RunResult result = run(world, policy);

    assertThat(share(result, "small")).isCloseTo(0.25, within(0.03));
    assertThat((double) bytes(result) / (2_000 * MIB)).isGreaterThan(0.97);
  }

  @Test
  void adaptbfLendsWhatAnIdleJobDoesNotUse() {
    Scenario world =
        scenario(
            20 * SECOND,
            ONE_TARGET,
            job("busy", 1, processes(8, 4, write(100_000))),
            job("idle", 3, processes(1, 1, write(0))));

    assertThat((double) bytes(run(world, "adaptbf")) / (2_000 * MIB)).isGreaterThan(0.99);
  }

  @Test
  void figuresOfAPolicyAreKeptForEachJob() {
    Scenario world =
        scenario(
            2 * SECOND,
            ONE_TARGET,
            job("small", 1, processes(8, 4, write(100_000))),
            job("large", 3, processes(8, 4, write(100_000))));

    Map<String, Timeline> figures = job(run(world, "adaptbf"), "large").figures();

    assertThat(figures).containsKeys("allocated", "demand", "record");
    Timeline allocated = Objects.requireNonNull(figures.get("allocated"));
    assertThat(allocated.size()).isEqualTo(20);
    assertThat(allocated.value(15)).isBetween(7.0, 8.0);
  }

  @Test
  void phasesWaitForTheSlowestProcess() {
    Workload small = new Workload.Phases(3, SECOND, 0, Operation.WRITE, MIB, MIB);
    Workload large = new Workload.Phases(3, SECOND, 0, Operation.WRITE, 99 * MIB, MIB);
    Scenario world =
        scenario(
            60 * SECOND,
            ONE_TARGET,
            job("phased", 1, processes(1, 1, small), processes(1, 1, large)));

    JobResult phased = job(run(world, "none"), "phased");

    // Each iteration computes for a second and writes 100 MiB at 100 MiB/s.
    assertThat(phased.endNanos()).isEqualTo(6 * SECOND);
    assertThat(phased.computeNanos()).isEqualTo(3 * SECOND);
    assertThat(phased.ioNanos()).isEqualTo(3 * SECOND);
    assertThat(phased.isolatedIoNanos()).isEqualTo(3 * SECOND);
  }

  @Test
  void computationsDifferByTheirJitterAndAreTheSameForAllProcesses() {
    Workload phases = new Workload.Phases(50, SECOND, 0.5, Operation.WRITE, 0, MIB);
    Scenario world = scenario(200 * SECOND, ONE_TARGET, job("phased", 1, processes(9, 1, phases)));

    JobResult phased = job(run(world, "none"), "phased");

    assertThat(phased.computeNanos()).isEqualTo(phased.endNanos()).isNotEqualTo(50 * SECOND);
    assertThat(phased.endNanos()).isBetween(42 * SECOND, 58 * SECOND);
  }

  @Test
  void burstsBeginWhenTheyAreDueAndALateOneDelaysTheNext() {
    Workload bursts = new Workload.Bursts(Operation.WRITE, 90 * MIB, 30 * MIB, MIB, SECOND, 0);
    ProcessGroup delayed = new ProcessGroup(1, 2 * SECOND, 1, bursts, Worlds.ONE_STRIPE);
    Scenario punctual = scenario(60 * SECOND, ONE_TARGET, job("bursty", 1, delayed));
    Scenario late = scenario(60 * SECOND, List.of(target("slow", 20)), job("bursty", 1, delayed));

    JobResult inTime = job(run(punctual, "none"), "bursty");
    JobResult behind = job(run(late, "none"), "bursty");

    assertThat(inTime.endNanos()).isCloseTo(4_300 * MILLISECOND, within(10L));
    assertThat(inTime.ioNanos()).isCloseTo(900 * MILLISECOND, within(10L));
    assertThat(behind.endNanos()).isEqualTo(2 * SECOND + 4_500 * MILLISECOND);
    assertThat(behind.ioNanos()).isEqualTo(4_500 * MILLISECOND);
  }

  @Test
  void stripesLieOnTargetsInTurn() {
    List<TargetSpec> targets = List.of(target("a", 100), target("b", 100), target("c", 100));
    FileLayout two = new FileLayout(FileLayout.Placement.ROUND_ROBIN, 2, 4 * MIB, List.of());
    Scenario world =
        scenario(
            60 * SECOND,
            targets,
            job("first", 1, new ProcessGroup(1, 0, 8, write(30), two)),
            job("second", 1, new ProcessGroup(1, 0, 8, write(8), two)));

    RunResult result = run(world, "none");

    // The first file: stripes of 4 MiB on a and b in turn, so 16 and 14; the second: c, then a.
    assertThat(result.targets().stream().map(TargetResult::bytes))
        .containsExactly(20 * MIB, 14 * MIB, 4 * MIB);
  }

  @Test
  void noRequestCrossesTheEndOfAStripe() {
    FileLayout two = new FileLayout(FileLayout.Placement.GIVEN, 2, 3 * MIB / 2, List.of("b", "a"));
    Scenario world =
        scenario(
            60 * SECOND,
            List.of(target("a", 100), target("b", 100)),
            job("first", 1, new ProcessGroup(1, 0, 8, write(3), two)));

    RunResult result = run(world, "none");

    assertThat(result.targets().stream().map(TargetResult::bytes))
        .containsExactly(3 * MIB / 2, 3 * MIB / 2);
    assertThat(result.targets().stream().map(TargetResult::operations)).containsExactly(2L, 2L);
  }

  @Test
  void balancedFilesFillTargetsByTheirBandwidth() {
    FileLayout balanced = new FileLayout(FileLayout.Placement.CAPACITY_BALANCED, 1, MIB, List.of());
    Scenario world =
        scenario(
            600 * SECOND,
            List.of(target("slow", 100), target("fast", 300)),
            job("many", 1, new ProcessGroup(40, 0, 1, write(10), balanced)));

    RunResult result = run(world, "none");

    assertThat(result.targets().stream().map(TargetResult::bytes))
        .containsExactly(100 * MIB, 300 * MIB);
  }

  @Test
  void anOpenLoopKeepsItsRateWhetherServedOrNot() {
    Workload regular = new Workload.OpenLoop(Operation.READ, MIB, 30, true, Long.MAX_VALUE);
    Workload random = new Workload.OpenLoop(Operation.READ, MIB, 40, false, Long.MAX_VALUE);
    Scenario world =
        scenario(
            100 * SECOND,
            ONE_TARGET,
            job("regular", 1, processes(1, 1, regular)),
            job("random", 1, processes(1, 1, random)));
    Workload tooMuch = new Workload.OpenLoop(Operation.READ, MIB, 200, true, 400);
    Scenario overload = scenario(60 * SECOND, ONE_TARGET, job("much", 1, processes(1, 1, tooMuch)));

    RunResult result = run(world, "none");
    JobResult overloaded = job(run(overload, "none"), "much");

    assertThat(job(result, "regular").operations()).isBetween(2_998L, 3_000L);
    assertThat((double) job(result, "random").operations()).isCloseTo(4_000, within(200.0));
    assertThat(overloaded.endNanos()).isEqualTo(4 * SECOND);
    assertThat(overloaded.latency().maxNanos()).isGreaterThan(19 * SECOND / 10);
  }

  @Test
  void metadataComesInItsMixClosedAndOpen() {
    Map<Operation, Integer> mix = Map.of(Operation.GETATTR, 3, Operation.UNLINK, 1);
    TargetSpec mdt =
        new TargetSpec(
            new Target("mdt0", 10_000, TokenUnit.OPERATIONS),
            1_000_000_000L,
            SECOND / 10_000,
            0,
            8,
            null);
    Scenario closed =
        scenario(
            60 * SECOND,
            List.of(mdt),
            job("closed", 1, processes(1, 4, new Workload.MetadataMix(mix, 20_000, 0))));
    Scenario open =
        scenario(
            60 * SECOND,
            List.of(mdt),
            job("open", 1, processes(1, 4, new Workload.MetadataMix(mix, 20_000, 1_000))));

    assertThat(run(closed, "none").endNanos()).isEqualTo(2 * SECOND);
    assertThat((double) run(open, "none").endNanos()).isCloseTo(20e9, within(1e9));
  }

  @Test
  void recordedRequestsComeAtTheirTimes() {
    Workload replay =
        new Workload.Replay(
            List.of(
                new Workload.TraceLine(3 * SECOND, "b", Operation.WRITE, 10 * MIB),
                new Workload.TraceLine(SECOND, "a", Operation.READ, 100 * MIB),
                new Workload.TraceLine(SECOND, "b", Operation.GETATTR, 0)));
    ProcessGroup group = new ProcessGroup(1, SECOND, 1, replay, Worlds.ONE_STRIPE);
    Scenario world =
        scenario(60 * SECOND, List.of(target("a", 100), target("b", 100)), job("old", 1, group));

    RunResult result = run(world, "none");

    assertThat(result.targets().stream().map(TargetResult::bytes))
        .containsExactly(100 * MIB, 10 * MIB);
    assertThat(result.targets().stream().map(TargetResult::operations)).containsExactly(1L, 2L);
    assertThat(job(result, "old").endNanos()).isEqualTo(4_100 * MILLISECOND);
    assertThat(job(result, "old").ioNanos()).isEqualTo(1_100 * MILLISECOND);
  }

  @Test
  void aVaryingBandwidthHasTheMeanThatIsWritten() {
    TargetSpec constant = target("ost0", 100);
    TargetSpec varying =
        new TargetSpec(
            constant.told(),
            constant.bytesPerSecond(),
            0,
            0,
            16,
            new TargetSpec.Variability(0.5, 100 * MILLISECOND));
    Scenario world =
        scenario(300 * SECOND, List.of(varying), job("busy", 1, processes(4, 4, write(99_999))));

    RunResult result = run(world, "none");

    assertThat((double) bytes(result) / (30_000 * MIB)).isCloseTo(1, within(0.03));
    assertThat(result.targets().getFirst().busyNanos()).isEqualTo(300 * SECOND);
    Timeline served = result.targets().getFirst().served();
    assertThat(Worlds.values(served).stream().mapToDouble(d -> d / MIB).min().orElseThrow())
        .isLessThan(7);
    assertThat(Worlds.values(served).stream().mapToDouble(d -> d / MIB).max().orElseThrow())
        .isGreaterThan(13);
  }

  @Test
  void bandwidthIsExactHoweverOddItsQuotients() {
    TargetSpec odd =
        new TargetSpec(new Target("odd", 333, TokenUnit.OPERATIONS), 333_333_333L, 7, 0, 3, null);
    Workload oddRequests = new Workload.Sequential(Operation.WRITE, 99_999_999L, 1_001L);
    Scenario world = scenario(60 * SECOND, List.of(odd), job("a", 1, processes(1, 5, oddRequests)));

    RunResult result = run(world, "none");

    long requests = Math.ceilDiv(99_999_999L, 1_001L);
    long expected = 99_999_999L * SECOND / 333_333_333L + 7 * requests;
    assertThat(result.endNanos()).isEqualTo(expected);
    assertThat(result.targets().getFirst().busyNanos()).isEqualTo(expected);
  }

  @Test
  void latencyOverlapsAndHoldsItsThread() {
    TargetSpec slowAnswers =
        new TargetSpec(new Target("far", 100, TokenUnit.OPERATIONS), 100 * MIB, 0, SECOND, 2, null);
    Scenario world =
        scenario(60 * SECOND, List.of(slowAnswers), job("a", 1, processes(4, 1, write(1))));

    JobResult result = job(run(world, "none"), "a");

    // Two threads take 10 ms and 20 ms plus a second; the next two requests follow them.
    assertThat(result.endNanos()).isEqualTo(2 * SECOND + 30 * MILLISECOND);
    assertThat(result.latency().count()).isEqualTo(4);
    assertThat(result.latency().maxNanos()).isEqualTo(2 * SECOND + 30 * MILLISECOND);
  }

  @Test
  void whoStillWaitsAtTheEndCountsWithItsAge() {
    Scenario world =
        scenario(
            10_500 * MILLISECOND,
            List.of(target("slow", 1)),
            job("a", 1, processes(1, 100, write(1_000))));

    JobResult result = job(run(world, "none"), "a");

    // A request a second is complete, and another comes for it; 90 have been here from the start.
    assertThat(result.operations()).isEqualTo(10);
    LatencySummary latency = result.latency();
    assertThat(latency.count()).isEqualTo(110);
    assertThat(latency.waiting()).isEqualTo(100);
    assertThat(latency.oldestWaitNanos()).isEqualTo(10_500 * MILLISECOND);
    assertThat(latency.p50Nanos()).isEqualTo(10_500 * MILLISECOND);
    assertThat(latency.maxNanos()).isEqualTo(10_500 * MILLISECOND);
  }

  /**
   * 149 jobs of one node beside one with so many that fixed rates leave the others nothing, idle as
   * it is: of what these are served nobody can tell that they starve.
   */
  @Test
  void aPolicyThatStarvesJobsHasTheWorstLatencyAndNotTheBest() {
    TargetSpec slow =
        new TargetSpec(
            new Target("slow", 100, TokenUnit.OPERATIONS), 100 * MIB, SECOND / 100, 0, 16, null);
    Workload reads = new Workload.OpenLoop(Operation.READ, 0, 0.1, true, 1_000);
    List<JobSpec> jobs = new ArrayList<>();
    jobs.add(job("greedy", 10_000_000, processes(1, 1, reads)));
    for (int i = 1; i < 150; i++) {
      jobs.add(job("job" + i, 1, processes(1, 1, reads)));
    }
    Scenario world = scenario(Scenario.Mode.REQUESTS, 300 * SECOND, List.of(slow), jobs);

    Summary.Total fixed = Summary.of(run(world, "static")).total();
    Summary.Total fair = Summary.of(run(world, "fair")).total();

    assertThat(fair.worstP99Nanos().orElseThrow()).isLessThan(20 * SECOND);
    assertThat(fair.oldestWaitNanos().orElse(0)).isLessThan(20 * SECOND);
    assertThat(fixed.worstP99Nanos().orElseThrow()).isGreaterThan(200 * SECOND);
    assertThat(fixed.oldestWaitNanos().orElseThrow()).isGreaterThan(200 * SECOND);
    assertThat(fixed.stillWaiting()).isGreaterThan(149 * 20);
  }

  @Test
  void jobsQueueForNodesAndThoseThatAreDoneLeave() {
    Scenario immediate =
        scenario(
            60 * SECOND,
            ONE_TARGET,
            job("first", 3, processes(1, 4, write(100))),
            job("second", 2, processes(1, 4, write(100))));
    List<JobSpec> jobs =
        immediate.jobs().stream()
            .map(spec ->
                new JobSpec(spec.id(), spec.user(), spec.nodes(), 0, 10 * SECOND, spec.processes()))
            .toList();
    Scenario queued =
        new Scenario(
            "queued",
            "",
            Scenario.Mode.REQUESTS,
            60 * SECOND,
            100 * MILLISECOND,
            0,
            4,
            ONE_TARGET,
            jobs,
            List.of());

    RunResult result = run(queued, "static");

    assertThat(job(result, "second").startNanos()).isEqualTo(job(result, "first").endNanos());
    // Each has the target to itself: the first one's share went when it left.
    assertThat(result.endNanos()).isLessThan(2 * SECOND + 200 * MILLISECOND);
  }

  @Test
  void oneMoreJobChangesNothingAboutWhatAnotherDraws() {
    Workload random = new Workload.OpenLoop(Operation.READ, MIB, 10, false, 50);
    JobSpec watched = job("watched", 1, processes(1, 1, random));
    TargetSpec other = target("other", 100);
    FileLayout elsewhere = new FileLayout(FileLayout.Placement.GIVEN, 1, MIB, List.of("other"));
    JobSpec more = job("a", 1, new ProcessGroup(1, 0, 1, random, elsewhere));
    List<TargetSpec> targets = List.of(ONE_TARGET.getFirst(), other);

    JobResult alone = job(run(scenario(60 * SECOND, targets, watched), "none"), "watched");
    JobResult together = job(run(scenario(60 * SECOND, targets, more, watched), "none"), "watched");

    assertThat(together.endNanos()).isEqualTo(alone.endNanos());
    assertThat(together.ioNanos()).isEqualTo(alone.ioNanos());
  }

  private static double share(RunResult result, String id) {
    return (double) job(result, id).bytes() / bytes(result);
  }

  @Test
  void aJobThatNeverStartsSaysSo() {
    JobSpec late =
        new JobSpec(JobId.of("late"), "user", 1, 5 * SECOND, 0, List.of(processes(1, 1, write(1))));

    JobResult result = job(run(scenario(SECOND, ONE_TARGET, late), "adaptbf"), "late");

    assertThat(result.startNanos()).isEqualTo(-1);
    assertThat(result.isDone()).isFalse();
  }
}
