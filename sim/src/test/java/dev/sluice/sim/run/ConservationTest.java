package dev.sluice.sim.run;

import static dev.sluice.sim.run.Worlds.MIB;
import static dev.sluice.sim.run.Worlds.MILLISECOND;
import static dev.sluice.sim.run.Worlds.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** What holds in every world, on many random small ones. */
class ConservationTest {
  private static final int CASES = 600;
  private static final Operation[] OPERATIONS = {Operation.READ, Operation.WRITE};

  /** The simulation looks at its own books too, and throws where they do not agree. */
  @Test
  void whatJobsGotIsWhatTargetsServedAndNoTargetServesMoreThanItCan() {
    SeededCases.forAll(
        CASES,
        random -> {
          Scenario world = randomWorld(random);
          String policy =
              PolicyRegistry.all().get(random.nextInt(PolicyRegistry.all().size())).info().name();

          RunResult result = Worlds.run(world, policy, random.nextLong());

          long jobBytes = Worlds.bytes(result);
          assertThat(result.targets().stream().mapToLong(TargetResult::bytes).sum())
              .isEqualTo(jobBytes);
          assertThat(result.targets().stream().mapToLong(TargetResult::operations).sum())
              .isEqualTo(result.jobs().stream().mapToLong(JobResult::operations).sum());
          for (int i = 0; i < result.targets().size(); i++) {
            checkTarget(result.targets().get(i), world.targets().get(i), result.endNanos());
          }
          for (int i = 0; i < result.jobs().size(); i++) {
            checkJob(result.jobs().get(i), world.jobs().get(i), result.endNanos());
          }
        });
  }

  private static void checkTarget(TargetResult target, TargetSpec spec, long endNanos) {
    assertThat(target.busyNanos()).isBetween(0L, endNanos);
    assertThat(sum(target.served())).isEqualTo((double) target.bytes());
    if (spec.variability() == null) {
      double neededNanos =
          (double) target.bytes() * SECOND / spec.bytesPerSecond()
              + target.operations() * spec.operationNanos();
      assertThat((double) target.busyNanos()).isGreaterThanOrEqualTo(neededNanos - 1);
    }
  }

  private static void checkJob(JobResult job, JobSpec spec, long endNanos) {
    assertThat(sum(job.served())).isEqualTo((double) job.bytes());
    LatencySummary latency = job.latency();
    assertThat(latency.count() - latency.waiting()).isEqualTo(job.operations());
    assertThat(latency.oldestWaitNanos()).isBetween(0L, latency.maxNanos());
    assertThat(latency.maxNanos()).isBetween(0L, endNanos);
    assertThat(job.ioNanos()).isBetween(0L, endNanos);
    if (job.isDone()) {
      assertThat(job.endNanos()).isLessThanOrEqualTo(endNanos);
      assertThat(job.bytes()).isEqualTo(bytes(spec));
      assertThat(latency.waiting()).isZero();
    } else {
      assertThat(job.bytes()).isLessThanOrEqualTo(bytes(spec));
    }
  }

  private static double sum(Timeline timeline) {
    double sum = 0;
    for (int i = 0; i < timeline.size(); i++) {
      sum += timeline.value(i);
    }
    return sum;
  }

  private static long bytes(JobSpec job) {
    return job.processes().stream()
        .mapToLong(group -> group.count() * bytes(group.workload()))
        .sum();
  }

  private static long bytes(Workload workload) {
    return switch (workload) {
      case Workload.Sequential sequential -> sequential.bytes();
      case Workload.Bursts bursts -> bursts.bytes();
      case Workload.Phases phases -> phases.iterations() * phases.bytes();
      case Workload.MetadataMix _ -> 0;
      case Workload.OpenLoop open -> open.requests() * open.requestBytes();
      case Workload.Replay replay ->
          replay.lines().stream().mapToLong(Workload.TraceLine::bytes).sum();
      case Workload.Recorded recorded ->
          recorded.bouts().stream()
              .flatMap(bout -> bout.cells().stream())
              .mapToLong(Workload.Recorded.Cell::bytes)
              .sum();
    };
  }

  private static Scenario randomWorld(RandomGenerator random) {
    List<TargetSpec> targets = new ArrayList<>();
    int targetCount = random.nextInt(1, 5);
    for (int i = 0; i < targetCount; i++) {
      long mebibytes = random.nextLong(5, 200);
      TokenUnit unit = random.nextBoolean() ? TokenUnit.OPERATIONS : new TokenUnit(4_096, 1);
      long tokens = unit.equals(TokenUnit.OPERATIONS) ? mebibytes : mebibytes * MIB;
      targets.add(
          new TargetSpec(
              new Target("t" + i, tokens, unit),
              mebibytes * MIB,
              random.nextInt(3) * 10_000L,
              random.nextInt(3) * MILLISECOND,
              random.nextInt(1, 20),
              random.nextInt(4) == 0 ? new TargetSpec.Variability(0.3, SECOND / 10) : null));
    }
    List<JobSpec> jobs = new ArrayList<>();
    int jobCount = random.nextInt(1, 6);
    long clusterNodes = random.nextInt(3) == 0 ? 12 : 0;
    for (int i = 0; i < jobCount; i++) {
      List<ProcessGroup> groups = new ArrayList<>();
      int groupCount = random.nextInt(1, 3);
      for (int g = 0; g < groupCount; g++) {
        groups.add(
            new ProcessGroup(
                random.nextInt(1, 4),
                random.nextInt(3) * SECOND / 7,
                random.nextInt(1, 9),
                randomWorkload(random, targetCount),
                randomLayout(random, targetCount)));
      }
      jobs.add(
          new JobSpec(
              JobId.of("job" + i),
              "user",
              random.nextLong(1, 10),
              random.nextInt(3) * SECOND / 3,
              SECOND,
              groups));
    }
    return new Scenario(
        "random",
        "",
        Scenario.Mode.REQUESTS,
        random.nextLong(SECOND, 6 * SECOND),
        random.nextLong(10, 300) * MILLISECOND,
        random.nextInt(3) == 0 ? random.nextLong(20, 400) * MILLISECOND : 0,
        clusterNodes,
        targets,
        jobs,
        List.of());
  }

  private static FileLayout randomLayout(RandomGenerator random, int targets) {
    FileLayout.Placement[] placements = FileLayout.Placement.values();
    List<String> names = new ArrayList<>();
    for (int i = targets - 1; i >= 0; i--) {
      names.add("t" + i);
    }
    return new FileLayout(
        placements[random.nextInt(placements.length)],
        random.nextInt(1, targets + 1),
        random.nextLong(1, 4 * MIB),
        names);
  }

  private static Workload randomWorkload(RandomGenerator random, int targets) {
    Operation operation = OPERATIONS[random.nextInt(OPERATIONS.length)];
    long bytes = random.nextLong(0, 40 * MIB);
    long requestBytes = random.nextLong(MIB / 8, 2 * MIB);
    return switch (random.nextInt(7)) {
      case 0 -> new Workload.Sequential(operation, bytes, requestBytes);
      case 1 ->
          new Workload.Bursts(
              operation, bytes, random.nextLong(1, 9 * MIB) + MIB, requestBytes, SECOND / 5, 0.4);
      case 2 ->
          new Workload.Phases(
              random.nextInt(5), SECOND / 9, 0.3, operation, bytes / 5, requestBytes);
      case 3 ->
          new Workload.MetadataMix(
              Map.of(Operation.OPEN, 1, Operation.GETATTR, 5),
              random.nextLong(500),
              random.nextBoolean() ? 0 : 300);
      case 4 ->
          new Workload.OpenLoop(
              operation,
              requestBytes,
              random.nextDouble(1, 60),
              random.nextBoolean(),
              random.nextLong(80));
      case 5 -> randomRecording(random, operation, targets);
      default -> {
        List<Workload.TraceLine> lines = new ArrayList<>();
        for (int i = random.nextInt(30); i > 0; i--) {
          lines.add(
              new Workload.TraceLine(
                  random.nextLong(2 * SECOND),
                  "t" + random.nextInt(targets),
                  operation,
                  random.nextLong(MIB)));
        }
        yield new Workload.Replay(lines);
      }
    };
  }

  private static Workload randomRecording(
      RandomGenerator random, Operation operation, int targets) {
    List<Workload.Recorded.Bout> bouts = new ArrayList<>();
    for (int i = random.nextInt(20); i > 0; i--) {
      List<Workload.Recorded.Cell> cells = new ArrayList<>();
      for (int j = random.nextInt(3); j > 0; j--) {
        int requests = random.nextInt(1, 9);
        cells.add(
            new Workload.Recorded.Cell(
                operation, requests, requests + random.nextInt(50), random.nextLong(4 * MIB)));
      }
      bouts.add(
          new Workload.Recorded.Bout(
              random.nextInt(3) * SECOND / 9, random.nextInt(3) * SECOND / 11, cells));
    }
    return new Workload.Recorded("t" + random.nextInt(targets), bouts);
  }
}
