package dev.sluice.core.policy.gift;

import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.PolicyInfo.Parameter;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.progress.Expansion.Objective;
import dev.sluice.core.policy.progress.Lending;
import dev.sluice.core.policy.progress.ShareBasis;
import dev.sluice.core.schedule.SchedulerKind;
import java.util.List;
import java.util.Set;

/** Registers {@link Gift}. */
public final class GiftFactory implements PolicyFactory {
  static final String NAME = "gift";

  private static final long PERIOD_NANOS = 10_000_000_000L;
  private static final long SECONDS_PER_HOUR = 3_600;
  private static final long WINDOW_MAX = 1_000_000;
  private static final double NODE_HOURS_MAX = 1e9;

  private final PackingSolvers solvers;

  /** GIFT whose linear programs one of these solves. */
  public GiftFactory(PackingSolvers solvers) {
    this.solvers = solvers;
  }

  @Override
  public PolicyInfo info() {
    return new PolicyInfo(
        NAME,
        "coupons for jobs that are slowed down a little so that all targets are used",
        "Patel, Garg and Tiwari, GIFT: A Coupon Based Throttle-and-Reward Mechanism for Fair and"
            + " Efficient I/O Bandwidth Management on Parallel Storage Systems (FAST 2020)",
        "A job that writes to several targets moves as fast as the slowest of them, so fair shares"
            + " leave gaps on the others. GIFT fills the gaps: it slows some jobs down by a tenth"
            + " at most, gives others more where that pays, and owes the slowed ones a coupon. A"
            + " coupon is redeemed when there is bandwidth that nobody else loses by; what is not"
            + " redeemed in time is paid for in node-hours, from a bounded budget.",
        PolicyInfo.Scope.ALL_TARGETS,
        PERIOD_NANOS,
        SchedulerKind.TBF,
        Set.of(PolicyInfo.Need.CAPACITY, PolicyInfo.Need.DEMAND),
        List.of(
            new Parameter(
                "tau",
                "0.8",
                "who has redeemed less of its coupons than this part is not throttled, and nobody"
                    + " is while all together have"),
            new Parameter("threshold", "0.1", "the part of its fair rate that a job may lose"),
            new Parameter(
                "window", "250", "over how many of its coupons an application's part is taken"),
            new Parameter(
                "objective",
                "gain",
                "gain: the highest bandwidth; net: the highest bandwidth less coupons"),
            new Parameter(
                "weights",
                "given",
                "by what a target is shared: given (alike where no weights are given), nodes or"
                    + " processes"),
            new Parameter(
                "solver",
                solvers.preferred().name(),
                "what solves the linear programs: " + String.join(", ", solvers.names())),
            new Parameter("regret-period", "1 d", "how often regret is assessed"),
            new Parameter(
                "coupon-age", "1 d", "how old a coupon must be to be paid for in node-hours"),
            new Parameter(
                "regret-budget", "100", "node-hours that may be paid out in a regret period"),
            new Parameter(
                "memory",
                "30 d",
                "how long a coupon that was paid for speaks against its application"),
            Lending.PARAMETER));
  }

  @Override
  public Policy<?> create(Settings settings) {
    ShareBasis claim = settings.choice("weights", ShareBasis.class);
    return new Gift(
        new GiftSettings(
            settings.number("tau", 0, 1),
            settings.number("threshold", 0, 1),
            settings.whole("window", 1, WINDOW_MAX),
            settings.choice("objective", Objective.class),
            claim,
            settings.durationNanos("regret-period"),
            settings.durationNanos("coupon-age"),
            (long) (settings.number("regret-budget", 0, NODE_HOURS_MAX) * SECONDS_PER_HOUR),
            settings.durationNanos("memory")),
        solvers.named(settings.text("solver")),
        Lending.of(settings, claim));
  }
}
