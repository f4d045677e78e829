package dev.sluice.sim.fluid;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.cycle.ControlCycle;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.sim.scenario.TargetSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A policy at work on the targets that it decides about together. */
final class FluidControl {
  final int index;
  final ControlCycle<?> cycle;
  private final List<JobId> ended = new ArrayList<>();
  private Map<Target, List<JobDemand>> seen = new LinkedHashMap<>();
  private final Map<Target, List<JobDemand>> lookedAt = new LinkedHashMap<>();

  FluidControl(int index, Policy<?> policy, CycleSetting setting, List<TargetSpec> targets) {
    this.index = index;
    Cluster told = new Cluster(targets.stream().map(TargetSpec::told).toList());
    this.cycle = new ControlCycle<>(PolicyControl.of(policy, told), told, setting, 0);
  }

  /** A job that was on one of its targets is over. */
  void jobEnded(JobId job) {
    if (ended.isEmpty() || !ended.getLast().equals(job)) {
      ended.add(job);
    }
  }

  /** What was seen on one of its targets, for the next decision. */
  void see(FluidTarget target, List<JobDemand> demands) {
    seen.put(target.spec.told(), demands);
  }

  /** What was seen on one of its targets since the last look, for the next. */
  void lookAt(FluidTarget target) {
    lookedAt.put(target.spec.told(), target.look());
  }

  /** Does what its policy does between two decisions. */
  void look(long nowNanos) {
    cycle.look(lookedAt, nowNanos);
    lookedAt.clear();
  }

  /** Whether there is something to decide about. */
  boolean hasSeen() {
    return !seen.isEmpty();
  }

  /** Decides from what was seen. */
  Explanation decide(long periodNanos, long nowNanos) {
    Explanation explanation = cycle.decide(seen, ended, periodNanos, nowNanos);
    seen = new LinkedHashMap<>();
    ended.clear();
    return explanation;
  }
}
