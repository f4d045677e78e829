package dev.sluice.core.policy.baseline;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link FairPolicy}. */
public final class FairFactory implements PolicyFactory {
  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        "fair",
        "start-time fair queueing by nodes: work-conserving, no limits",
        "Goyal, Vin and Chen, Start-time Fair Queueing (SIGCOMM 1996)",
        "Whoever has requests waiting is served in proportion to its weight; an idle job's share"
            + " goes to the others at once and is not remembered. With the key shares, weights hold"
            + " among the jobs of one account, user or group, and these have shares of their own."
            + " What is reserved for a job comes first."
            + " The baseline that every other policy should be compared with.",
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        100_000_000L,
        SchedulerKind.FAIR,
        Set.of(PolicyInfo.Need.NODES),
        List.of());
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new FairPolicy();
  }
}
