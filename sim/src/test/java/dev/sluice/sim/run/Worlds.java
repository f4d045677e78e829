package dev.sluice.sim.run;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.FileLayout;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.TargetSpec;
import dev.sluice.sim.scenario.Workload;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Small worlds to simulate, and what to do with them. */
final class Worlds {
  static final long MIB = 1 << 20;
  static final long SECOND = 1_000_000_000L;
  static final long MILLISECOND = 1_000_000L;
  static final FileLayout ONE_STRIPE =
      new FileLayout(FileLayout.Placement.ROUND_ROBIN, 1, MIB, List.of());

  private Worlds() {}

  /** A target that counts requests of 1 MiB and moves as many as it is told to. */
  static TargetSpec target(String name, long mebibytesPerSecond) {
    return new TargetSpec(
        new Target(name, mebibytesPerSecond, TokenUnit.OPERATIONS),
        mebibytesPerSecond * MIB,
        0,
        0,
        16,
        null);
  }

  static Workload write(long mebibytes) {
    return new Workload.Sequential(Operation.WRITE, mebibytes * MIB, MIB);
  }

  static ProcessGroup processes(int count, int window, Workload workload) {
    return new ProcessGroup(count, 0, window, workload, ONE_STRIPE);
  }

  static JobSpec job(String id, long nodes, ProcessGroup... processes) {
    return new JobSpec(JobId.of(id), "user", nodes, 0, 0, List.of(processes));
  }

  static Scenario scenario(long endNanos, List<TargetSpec> targets, JobSpec... jobs) {
    return scenario(Scenario.Mode.REQUESTS, endNanos, targets, List.of(jobs));
  }

  static Scenario scenario(
      Scenario.Mode mode, long endNanos, List<TargetSpec> targets, List<JobSpec> jobs) {
    return new Scenario(
        "test", "", mode, endNanos, 100 * MILLISECOND, 0, 0, targets, jobs, List.of());
  }

  static RunResult run(Scenario scenario, String policy) {
    return run(scenario, policy, 1);
  }

  static RunResult run(Scenario scenario, String policy, long seed) {
    PolicyFactory factory = PolicyRegistry.named(policy);
    return new StandardSimulator()
        .run(
            scenario,
            factory,
            new Settings(factory.info(), Map.of()),
            seed,
            Simulator.Progress.NONE);
  }

  static JobResult job(RunResult result, String id) {
    return result.jobs().stream()
        .filter(job -> job.id().equals(JobId.of(id)))
        .findFirst()
        .orElseThrow();
  }

  static long bytes(RunResult result) {
    return result.jobs().stream().mapToLong(JobResult::bytes).sum();
  }

  /** Everything that a result says, in one text. */
  static String dump(RunResult result) {
    StringBuilder text = new StringBuilder();
    text.append(result.scenario()).append(' ').append(result.policy()).append(' ');
    text.append(result.endNanos()).append(' ').append(result.events()).append(' ');
    text.append(result.decisions()).append(' ').append(result.changes()).append('\n');
    for (JobResult job : result.jobs()) {
      text.append(job.id()).append(' ').append(job.startNanos()).append(' ');
      text.append(job.endNanos()).append(' ').append(job.bytes()).append(' ');
      text.append(job.operations()).append(' ').append(job.ioNanos()).append(' ');
      text.append(job.computeNanos()).append(' ').append(job.isolatedIoNanos()).append(' ');
      text.append(job.latency()).append(' ').append(values(job.served())).append('\n');
      job.figures()
          .forEach((name, values) -> text.append(name).append(values(values)).append('\n'));
    }
    for (TargetResult target : result.targets()) {
      text.append(target.name()).append(' ').append(target.bytes()).append(' ');
      text.append(target.operations()).append(' ').append(target.busyNanos()).append(' ');
      text.append(values(target.served())).append(values(target.queued())).append('\n');
    }
    return text.toString();
  }

  static List<Double> values(Timeline timeline) {
    return IntStream.range(0, timeline.size()).mapToObj(timeline::value).toList();
  }
}
