package dev.sluice.sim.scenario;

import java.util.List;

/**
 * A world to simulate.
 *
 * @param endNanos when to stop at the latest; it also stops when all jobs are done
 * @param sampleNanos the grain of the timelines
 * @param periodNanos how often policies decide; 0 for each policy's own default
 * @param clusterNodes compute nodes that jobs queue for, first come first served with EASY
 *     backfilling; 0 where every job starts at its time
 * @param policies which to compare unless the command line says otherwise
 */
public record Scenario(
    String name,
    String description,
    Mode mode,
    long endNanos,
    long sampleNanos,
    long periodNanos,
    long clusterNodes,
    List<TargetSpec> targets,
    List<JobSpec> jobs,
    List<String> policies) {

  public Scenario {
    targets = List.copyOf(targets);
    jobs = List.copyOf(jobs);
    policies = List.copyOf(policies);
  }

  /** The same world with another period. */
  public Scenario withPeriodNanos(long otherPeriodNanos) {
    return new Scenario(
        name,
        description,
        mode,
        endNanos,
        sampleNanos,
        otherPeriodNanos,
        clusterNodes,
        targets,
        jobs,
        policies);
  }

  /** The same world with another end. */
  public Scenario withEndNanos(long otherEndNanos) {
    return new Scenario(
        name,
        description,
        mode,
        otherEndNanos,
        sampleNanos,
        periodNanos,
        clusterNodes,
        targets,
        jobs,
        policies);
  }

  /** How finely it is simulated. */
  public enum Mode {
    /** Every request passes a scheduler. */
    REQUESTS,
    /** Jobs are streams that share targets period by period: for runs of weeks. */
    FLUID
  }
}
