package dev.sluice.papers;

import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.ProcessGroup;
import dev.sluice.sim.scenario.Scenario;
import dev.sluice.sim.scenario.Workload;
import java.util.function.UnaryOperator;

/**
 * Scenarios whose jobs do not keep exact time. Without it nothing in them differs from seed to
 * seed, and applications that begin together stay together for ever.
 */
public final class Jitter {
  private Jitter() {}

  /** The same world, in which intervals and computations vary by up to this part of them. */
  public static Scenario of(Scenario scenario, double part) {
    return with(scenario, group -> with(group, group.spreadNanos(), of(group.workload(), part)));
  }

  /** The same world, in which processes that would begin at once do so within this time. */
  public static Scenario ofStarts(Scenario scenario, long spreadNanos) {
    return with(
        scenario,
        group -> with(group, Math.max(group.spreadNanos(), spreadNanos), group.workload()));
  }

  private static Scenario with(Scenario scenario, UnaryOperator<ProcessGroup> change) {
    return new Scenario(
        scenario.name(),
        scenario.description(),
        scenario.mode(),
        scenario.endNanos(),
        scenario.sampleNanos(),
        scenario.periodNanos(),
        scenario.clusterNodes(),
        scenario.targets(),
        scenario.jobs().stream().map(job -> with(job, change)).toList(),
        scenario.policies(),
        scenario.connections(),
        scenario.shares());
  }

  private static ProcessGroup with(ProcessGroup group, long spreadNanos, Workload workload) {
    return new ProcessGroup(
        group.count(), group.delayNanos(), spreadNanos, group.window(), workload, group.layout());
  }

  private static JobSpec with(JobSpec job, UnaryOperator<ProcessGroup> change) {
    return new JobSpec(
        job.id(),
        job.user(),
        job.nodes(),
        job.submitNanos(),
        job.estimateNanos(),
        job.processes().stream().map(change).toList(),
        job.application(),
        job.place(),
        job.account(),
        job.group());
  }

  private static Workload of(Workload workload, double part) {
    return switch (workload) {
      case Workload.Bursts bursts ->
          new Workload.Bursts(
              bursts.operation(),
              bursts.bytes(),
              bursts.burstBytes(),
              bursts.requestBytes(),
              bursts.intervalNanos(),
              part);
      case Workload.Phases phases ->
          new Workload.Phases(
              phases.iterations(),
              phases.computeNanos(),
              part,
              phases.operation(),
              phases.bytes(),
              phases.requestBytes());
      default -> workload;
    };
  }
}
