package dev.sluice.core.policy.sojourn;

import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.progress.Lending;
import dev.sluice.core.policy.progress.ShareBasis;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link SojournAll}. */
public final class SojournAllFactory implements PolicyFactory {
  static final String NAME = "sojourn-all";

  private static final String WEIGHTS = "weights";
  private static final String SLACK = "slack";
  private static final String KEEP = "keep";

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        NAME,
        "sojourn over all targets, as rates: who has time to spare leaves some to who has least",
        "ours; after Qiu, Stein and Zhong's and Agarwal and others' schedules of coflows",
        "For jobs that write to many targets at once and move as fast as the slowest. Everybody has"
            + " its max-min fair rate, but for those whose phase has time to spare by a virtual"
            + " max-min schedule: these have a part of it, and what that frees goes to who has"
            + " least time left. How large phases are follows from the application's last ones. In"
            + " a controller's document it divides resources among jobs on nodes, too, each by"
            + " itself; there slack, keep and phases can be set, and slack is 1 unless set.",
        PolicyInfo.Scope.ALL_TARGETS,
        2_000_000_000L,
        SchedulerKind.TBF,
        Set.of(PolicyInfo.Need.CAPACITY, PolicyInfo.Need.DEMAND),
        List.of(
            new PolicyInfo.Parameter(
                WEIGHTS,
                "given",
                "by what a target is shared: given (alike where no weights are given), nodes or"
                    + " processes"),
            new PolicyInfo.Parameter(
                SLACK,
                "0.25",
                "who would be done alone in this part of the time that it has, has time to spare"),
            new PolicyInfo.Parameter(
                KEEP, "0.5", "the part of its max-min rate that who has time to spare keeps"),
            Lending.PARAMETER));
  }

  @Override
  public Policy<?> create(Settings settings) {
    ShareBasis claim = settings.choice(WEIGHTS, ShareBasis.class);
    return new SojournAll(
        claim,
        settings.number(SLACK, 0, 1),
        settings.number(KEEP, 0.01, 1),
        Lending.of(settings, claim));
  }
}
