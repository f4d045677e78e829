package dev.sluice.sim.run;

import static dev.sluice.sim.run.Worlds.MIB;
import static dev.sluice.sim.run.Worlds.SECOND;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A large site: many jobs that compute most of the time and write to a few targets each. */
final class ScaleWorld {
  private static final int STRIPES = 4;
  private static final long LATENCY_NANOS = 20_000_000L;
  private static final long TARGET_MEBIBYTES_PER_SECOND = 500;

  private ScaleWorld() {}

  /**
   * Jobs of 1 to 64 nodes that compute for 30 to 90 s and then write for a sixth of that, at the
   * rate at which their window and the targets' latency let them.
   */
  static Scenario of(int targetCount, int jobCount, long endNanos) {
    SplittableRandom random = new SplittableRandom(1);
    List<TargetSpec> targets = new ArrayList<>();
    for (int i = 0; i < targetCount; i++) {
      TargetSpec fast = Worlds.target("ost" + i, TARGET_MEBIBYTES_PER_SECOND);
      targets.add(new TargetSpec(fast.told(), fast.bytesPerSecond(), 0, LATENCY_NANOS, 64, null));
    }
    FileLayout striped = new FileLayout(FileLayout.Placement.ROUND_ROBIN, STRIPES, MIB, List.of());
    double requestSeconds = LATENCY_NANOS / 1e9 + 1.0 / TARGET_MEBIBYTES_PER_SECOND;
    List<JobSpec> jobs = new ArrayList<>();
    for (int i = 0; i < jobCount; i++) {
      long computeNanos = random.nextLong(30, 90) * SECOND;
      double ioSeconds = computeNanos / 1e9 / 6;
      long bytes = (long) (ioSeconds / requestSeconds * STRIPES * MIB);
      Workload phases =
          new Workload.Phases(1_000_000, computeNanos, 0.2, Operation.WRITE, bytes, MIB);
      jobs.add(
          new JobSpec(
              JobId.of("job" + i),
              "user" + i % 100,
              random.nextLong(1, 65),
              random.nextLong(60 * SECOND),
              0,
              List.of(new ProcessGroup(1, 0, STRIPES, phases, striped))));
    }
    return new Scenario(
        "a large site",
        "",
        Scenario.Mode.FLUID,
        endNanos,
        SECOND,
        SECOND / 10,
        0,
        targets,
        jobs,
        List.of("adaptbf"));
  }
}
