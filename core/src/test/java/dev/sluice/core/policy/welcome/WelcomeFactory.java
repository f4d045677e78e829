package dev.sluice.core.policy.welcome;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link Welcome}. */
public final class WelcomeFactory implements PolicyFactory {
  private static final long WEIGHT_MAX = 1_000;

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        "welcome",
        "fair queueing in which newcomers weigh more for a while",
        "a toy, to try how a policy is added",
        "A job that has just come has a larger weight for some time, and afterwards the same as all"
            + " others. Nobody is limited.",
        PolicyInfo.Scope.EACH_TARGET_ALONE,
        100_000_000L,
        SchedulerKind.FAIR,
        Set.of(),
        List.of(
            new PolicyInfo.Parameter("head-start", "4", "the weight of a job that is new"),
            new PolicyInfo.Parameter("welcome-time", "10 s", "for how long a job is new")));
  }

  @Override
  public Policy<?> create(Settings settings) {
    return new Welcome(
        settings.whole("head-start", 1, WEIGHT_MAX), settings.durationNanos("welcome-time"));
  }
}
