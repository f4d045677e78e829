package dev.sluice.core.policy.baseline;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link NonePolicy}. */
public final class NoneFactory implements PolicyFactory {
  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        "none",
        "no control: first come, first served",
        "the behaviour of a file server as it comes",
        "The baseline that shows what one job can do to the others. Everything is measured, nothing"
            + " is limited.",
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        100_000_000L,
        SchedulerKind.FIFO,
        Set.of(),
        List.of());
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new NonePolicy();
  }
}
