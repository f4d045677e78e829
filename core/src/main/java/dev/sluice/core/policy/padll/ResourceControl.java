package dev.sluice.core.policy.padll;

import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.cycle.ControlCycle;
import dev.sluice.core.policy.cycle.CycleSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A resource that one of PADLL's algorithms divides among jobs, for stages, which count whole
 * operations or bytes a second: a control cycle whose only target is the resource. Not thread-safe.
 */
public final class ResourceControl {
  private static final long SECOND_NANOS = Rate.NANOS_PER_SECOND;

  private final ControlCycle<ResourceDivision> cycle;

  /** Nobody is there yet. */
  public ResourceControl(PadllAlgorithm algorithm, Resource resource, long nowNanos) {
    Cluster cluster = Cluster.of(target(resource));
    this.cycle =
        new ControlCycle<>(
            PolicyControl.of(new PadllPolicy(algorithm), cluster),
            cluster,
            new CycleSetting(SECOND_NANOS, false, 0),
            nowNanos);
  }

  private static Target target(Resource resource) {
    return new Target(
        resource.name(),
        resource.maximumPerSecond(),
        resource.counted() == Counted.BYTES ? TokenUnit.BYTES : TokenUnit.OPERATIONS);
  }

  /**
   * Divides the resource among those that are there.
   *
   * @param now the resource, whose maximum may have changed
   */
  public ResourceDivision divide(Resource now, List<JobUse> there, long nowNanos) {
    List<JobDemand> demands = new ArrayList<>(there.size());
    for (JobUse use : there) {
      demands.add(
          new JobDemand(
              use.job(),
              new JobClaim(1, use.priority(), Math.round(use.demandPerSecond()), use.job(), 1),
              (long) Math.min(use.usagePerSecond(), (double) JobDemand.TOKENS_MAX),
              0));
    }
    cycle.decide(Map.of(target(now), demands), List.of(), SECOND_NANOS, nowNanos);
    return cycle.remembered();
  }

  /** As it was divided last. */
  public ResourceDivision division() {
    return cycle.remembered();
  }
}
