package dev.sluice.sim.scenario;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * A world to simulate.
 *
 * @param endNanos when to stop at the latest; it also stops when all jobs are done
 * @param sampleNanos the grain of the timelines
 * @param periodNanos how often policies decide; 0 for each policy's own default
 * @param clusterNodes compute nodes that jobs queue for, first come first served with EASY
 *     backfilling; 0 where every job starts at its time
 * @param policies which to compare unless the command line says otherwise
 * @param connections how its jobs reach a real server
 * @param shares by what jobs are grouped where they share by weight
 * @param promises minimums and latencies, for policies that reserve
 * @param limits what holds whatever a policy decides, as on a gateway
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
    List<String> policies,
    Connections connections,
    ShareGrouping shares,
    Promises promises,
    List<TbfRule> limits) {

  public Scenario {
    targets = List.copyOf(targets);
    jobs = List.copyOf(jobs);
    policies = List.copyOf(policies);
    limits = List.copyOf(limits);
  }

  /** Where nobody was promised anything, or is limited. */
  public Scenario(
      String name,
      String description,
      Mode mode,
      long endNanos,
      long sampleNanos,
      long periodNanos,
      long clusterNodes,
      List<TargetSpec> targets,
      List<JobSpec> jobs,
      List<String> policies,
      Connections connections,
      ShareGrouping shares) {
    this(
        name,
        description,
        mode,
        endNanos,
        sampleNanos,
        periodNanos,
        clusterNodes,
        targets,
        jobs,
        policies,
        connections,
        shares,
        Promises.NONE,
        List.of());
  }

  /** With one connection for each node, and all jobs side by side. */
  public Scenario(
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
    this(
        name,
        description,
        mode,
        endNanos,
        sampleNanos,
        periodNanos,
        clusterNodes,
        targets,
        jobs,
        policies,
        Connections.ONE_PER_NODE,
        ShareGrouping.FLAT);
  }

  /** The same world with other connections. */
  public Scenario withConnections(Connections others) {
    return new Scenario(
        name,
        description,
        mode,
        endNanos,
        sampleNanos,
        periodNanos,
        clusterNodes,
        targets,
        jobs,
        policies,
        others,
        shares,
        promises,
        limits);
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
        policies,
        connections,
        shares,
        promises,
        limits);
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
        policies,
        connections,
        shares,
        promises,
        limits);
  }

  /** Who divides with whom where jobs share by weight. */
  public ShareTree shareTree() {
    Function<JobId, JobOwner> owners = owners();
    return shares.tree((Flow flow) -> owners.apply(flow.job()));
  }

  /** How finely it is simulated. */
  public enum Mode {
    /** Every request passes a scheduler. */
    REQUESTS,
    /** Jobs are streams that share targets period by period: for runs of weeks. */
    FLUID
  }

  /**
   * What was seen of jobs on a target, with what promises reserve for them.
   *
   * @param keepsReserves whether what is reserved is served first
   */
  public List<JobDemand> reserved(
      Target target, List<JobDemand> seen, long decidedNanos, boolean keepsReserves) {
    if (promises.isEmpty()) {
      return seen;
    }
    return (keepsReserves ? promises : promises.withoutGoals())
        .reserve(target, seen, owners(), decidedNanos);
  }

  /** Whose each job is. */
  public Function<JobId, JobOwner> owners() {
    Map<JobId, JobOwner> owners = new HashMap<>();
    jobs.forEach(job -> owners.put(job.id(), job.owner()));
    return job -> owners.getOrDefault(job, JobOwner.UNKNOWN);
  }
}
