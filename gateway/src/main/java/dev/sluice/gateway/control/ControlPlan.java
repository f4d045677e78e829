package dev.sluice.gateway.control;

import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.jobs.JobDirectory;
import java.util.List;

/**
 * What a control loop is to do.
 *
 * @param observesOnly whether everything is decided and nothing enforced
 * @param limits hold whatever the policy decides
 * @param shares by what jobs are grouped where they share by weight
 * @param promises minimums and latencies that were promised, for policies that reserve
 */
public record ControlPlan(
    PolicyChoice policy,
    boolean observesOnly,
    List<ControlledTarget> targets,
    List<TbfRule> limits,
    JobDirectory directory,
    ShareGrouping shares,
    Promises promises) {
  public ControlPlan {
    targets = List.copyOf(targets);
    limits = List.copyOf(limits);
  }

  /** With all jobs side by side. */
  public ControlPlan(
      PolicyChoice policy,
      boolean observesOnly,
      List<ControlledTarget> targets,
      List<TbfRule> limits,
      JobDirectory directory) {
    this(policy, observesOnly, targets, limits, directory, ShareGrouping.FLAT, Promises.NONE);
  }

  ControlPlan withPolicy(PolicyChoice other) {
    return new ControlPlan(other, observesOnly, targets, limits, directory, shares, promises);
  }

  ControlPlan dividedBy(ShareGrouping other) {
    return new ControlPlan(policy, observesOnly, targets, limits, directory, other, promises);
  }

  ControlPlan observing(boolean only) {
    return new ControlPlan(policy, only, targets, limits, directory, shares, promises);
  }
}
