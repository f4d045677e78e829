package dev.sluice.ledger;

import dev.sluice.core.linear.BoundedSimplex;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.gift.Coupon;
import dev.sluice.core.policy.gift.CouponLedger;
import dev.sluice.core.policy.gift.Gift;
import dev.sluice.core.policy.gift.GiftSettings;
import dev.sluice.core.policy.gift.GiftState;
import dev.sluice.core.policy.gift.LedgerEvent;
import dev.sluice.core.policy.progress.Expansion.Objective;
import dev.sluice.core.policy.progress.ShareBasis;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Decisions that only move coupons about, in every way that the books allow. */
final class RandomDecisions {
  static final long BUDGET_NODE_SECONDS = 360_000;
  static final Cluster BYTES = new Cluster(List.of(new Target("t", 1_000_000, TokenUnit.BYTES)));
  static final Gift GIFT =
      new Gift(
          new GiftSettings(
              0.8, 0.1, 250, Objective.GAIN, ShareBasis.GIVEN, 1, 1, BUDGET_NODE_SECONDS, 1),
          new BoundedSimplex());

  private static final int APPLICATIONS = 6;

  private final RandomGenerator random;
  private long nowNanos = 1_000_000_000_000_000_000L;

  RandomDecisions(RandomGenerator random) {
    this.random = random;
  }

  GiftState next(GiftState before) {
    nowNanos += 1 + random.nextInt(1_000_000);
    List<LedgerEvent> events = new ArrayList<>();
    CouponLedger now = before.ledger();
    if (random.nextInt(10) == 0 || !now.period().hasBegun()) {
      now = enter(now, new LedgerEvent.PeriodBegan(nowNanos), events);
    }
    for (int steps = random.nextInt(6); steps > 0; steps--) {
      LedgerEvent event = event(now);
      if (event != null) {
        now = enter(now, event, events);
      }
    }
    return new GiftState(now, before.decisions() + 1, events);
  }

  /** A decision that issues so many coupons and does nothing else. */
  GiftState issue(GiftState before, int coupons) {
    List<LedgerEvent> events = new ArrayList<>();
    CouponLedger now = before.ledger();
    for (int i = 0; i < coupons; i++) {
      now = enter(now, issued(now, JobId.of("throttled")), events);
    }
    return new GiftState(now, before.decisions() + 1, events);
  }

  private static CouponLedger enter(
      CouponLedger ledger, LedgerEvent event, List<LedgerEvent> events) {
    events.add(event);
    return ledger.with(List.of(event));
  }

  private @Nullable LedgerEvent event(CouponLedger ledger) {
    JobId application = JobId.of("ünïx'; --" + random.nextInt(APPLICATIONS));
    List<Coupon> coupons = ledger.account(application).coupons();
    if (coupons.isEmpty() || random.nextInt(3) == 0) {
      return issued(ledger, application);
    }
    Coupon coupon = coupons.get(random.nextInt(coupons.size()));
    if (coupon.isAwarded()) {
      return new LedgerEvent.Forgotten(application, coupon.number());
    }
    return switch (random.nextInt(5)) {
      case 0 ->
          new LedgerEvent.Awarded(
              application, coupon.number(), Math.max(1, coupon.regretNodeSeconds() % 100_000));
      case 1, 2 ->
          new LedgerEvent.Redeemed(
              application, coupon.number(), 1 + random.nextLong(coupon.owedTokens()));
      default -> new LedgerEvent.Redeemed(application, coupon.number(), coupon.owedTokens());
    };
  }

  private LedgerEvent issued(CouponLedger ledger, JobId application) {
    return new LedgerEvent.Issued(
        new Coupon(
            ledger.couponsIssued() + 1,
            application,
            ledger.account(application).issued() + 1,
            nowNanos,
            1 + random.nextLong(1L << 40),
            0,
            0,
            random.nextDouble(0.001, 1e9),
            1 + random.nextInt(1_000)));
  }
}
