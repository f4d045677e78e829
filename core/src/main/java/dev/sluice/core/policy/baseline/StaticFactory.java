package dev.sluice.core.policy.baseline;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link StaticPolicy}. */
public final class StaticFactory implements PolicyFactory {
  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        "static",
        "a fixed rate for each job by its nodes, used or not",
        "Lustre's token bucket filter with rules written by hand",
        "Every job that is there has a rate in proportion to its nodes. Nobody can take more, also"
            + " when the others are idle: it protects, and it wastes.",
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        100_000_000L,
        SchedulerKind.TBF,
        Set.of(PolicyInfo.Need.CAPACITY, PolicyInfo.Need.NODES),
        List.of());
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new StaticPolicy();
  }
}
