package dev.sluice.core.policy.gift;

import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.ProgressExplanation;
import dev.sluice.core.policy.progress.RateAllocation;
import org.jspecify.annotations.Nullable;

/**
 * GIFT (Patel, Garg and Tiwari): a coupon-based throttle-and-reward mechanism over all targets.
 *
 * <p>A job that writes to several targets moves as fast as the slowest of them. Giving each its
 * fair share of its most contended target leaves gaps on the others. A decision
 *
 * <ol>
 *   <li>gives applications that hold coupons what the gaps allow, without throttling anybody
 *       ({@link Redemption}),
 *   <li>finds who may be throttled: who has redeemed most of its coupons, while the system as a
 *       whole has, and while the regret budget covers what is owed ({@link DecisionBooks}),
 *   <li>throttles some of them a little and gives others more, where the bandwidth that this gains
 *       is worth at least the coupons ({@link Throttling}), and
 *   <li>issues coupons to those who were throttled.
 * </ol>
 *
 * Where the paper is silent, docs/policies/gift.md says what is decided and why.
 */
public final class Gift implements Policy<GiftState> {
  private final GiftSettings settings;
  private final PackingSolver solver;
  private final @Nullable LocalRule local;

  /** As in the paper: nothing is done between decisions. */
  public Gift(GiftSettings settings, PackingSolver solver) {
    this(settings, solver, null);
  }

  Gift(GiftSettings settings, PackingSolver solver, @Nullable LocalRule local) {
    this.settings = settings;
    this.solver = solver;
    this.local = local;
  }

  /** What was set. */
  public GiftSettings settings() {
    return settings;
  }

  @Override
  public GiftState initialState(Cluster cluster) {
    return GiftState.restored(CouponLedger.EMPTY);
  }

  @Override
  public @Nullable LocalRule local() {
    return local;
  }

  @Override
  public CouponCodec<GiftState> codec() {
    return new GiftCodec(settings);
  }

  /**
   * One decision.
   *
   * <p>Theorem. No capacity is exceeded. Whoever may not be throttled gets at least its fair rate,
   * and whoever may gets at least {@code 1 − B_thres} of it. What is regained of the targets is
   * worth at least the coupons that are issued. An application is never owed more than {@code (1 −
   * τ)·N} coupons and those of one further decision. A regret period pays out at most its budget.
   */
  @Override
  public Step<GiftState> decide(GiftState state, Observation seen) {
    JobsOnTargets on = new JobsOnTargets(seen, settings.claim());
    DecisionBooks books = new DecisionBooks(state.ledger(), settings, seen.nowNanos());
    books.assess();
    Redemption redemption = Redemption.of(on, books);
    Throttling throttling = Throttling.of(on, redemption, books, settings, solver);
    books.issue(on, redemption.fair(), throttling.rates());

    double[] rates = throttling.rates();
    GiftState next = new GiftState(books.close(), state.decisions() + 1, books.events());
    return new Step<>(
        next,
        RateAllocation.of(on, rates),
        new ProgressExplanation(
            on,
            rates,
            redemption.fair(),
            new GiftFigures(on, redemption, rates, next),
            throttling.how()));
  }
}
