package dev.sluice.core.policy.adaptbf;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link AdapTbf}. */
public final class AdapTbfFactory implements PolicyFactory {
  static final String NAME = "adaptbf";

  private static final String RECORD_RETENTION = "record-retention";

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        NAME,
        "tokens by nodes, lent to jobs that need more, given back when the lender needs them",
        "Rashid and Dai, AdapTBF: Decentralized Bandwidth Control via Adaptive Token Borrowing for"
            + " HPC Storage",
        "Each target divides its tokens among the jobs that are active on it in proportion to their"
            + " nodes. What a job will not use is lent to jobs that want more, and a record of who"
            + " lent and who borrowed decides who gets tokens back first when lenders become busy."
            + " No target talks to another.",
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        100_000_000L,
        SchedulerKind.TBF,
        Set.of(PolicyInfo.Need.CAPACITY, PolicyInfo.Need.DEMAND, PolicyInfo.Need.NODES),
        List.of(
            new PolicyInfo.Parameter(
                RECORD_RETENTION,
                "1 h",
                "how long the record of an idle job is kept before it is written off")));
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new AdapTbf(settings.durationNanos(RECORD_RETENTION));
  }
}
