package dev.sluice.core.policy.gift;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.gift.CouponLedger.Entries;
import dev.sluice.core.policy.progress.JobsOnTargets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The books during one decision: what is entered, and what they say about who may be throttled. */
final class DecisionBooks {
  private final CouponLedger before;
  private final GiftSettings settings;
  private final long nowNanos;
  private final Entries entries;
  private final List<LedgerEvent> events = new ArrayList<>();

  DecisionBooks(CouponLedger before, GiftSettings settings, long nowNanos) {
    this.before = before;
    this.settings = settings;
    this.nowNanos = nowNanos;
    this.entries = new Entries(before);
  }

  private void enter(LedgerEvent event) {
    entries.enter(event);
    events.add(event);
  }

  /** What was entered, in order. */
  List<LedgerEvent> events() {
    return events;
  }

  CouponLedger close() {
    return events.isEmpty() ? before : entries.close();
  }

  /** At the end of a regret period, pays for what is overdue and begins the next one. */
  void assess() {
    CouponLedger.Period period = before.period();
    if (period.hasBegun() && nowNanos - period.beganAtNanos() < settings.regretPeriodNanos()) {
      return;
    }
    if (period.hasBegun()) {
      award(settings.regretBudgetNodeSeconds() - period.awardedNodeSeconds());
    }
    enter(new LedgerEvent.PeriodBegan(nowNanos));
  }

  /** Oldest first, as far as the budget goes; what it does not cover stays owed. */
  private void award(long budgetNodeSeconds) {
    List<Coupon> open = new ArrayList<>();
    before.accounts().values().forEach(account -> open.addAll(account.coupons()));
    open.sort(Comparator.comparingLong(Coupon::number));
    long left = budgetNodeSeconds;
    for (Coupon coupon : open) {
      long ageNanos = nowNanos - coupon.issuedAtNanos();
      Account account = before.account(coupon.application());
      if (coupon.isAwarded()) {
        if (ageNanos >= settings.memoryNanos() || !account.isWithin(settings.window(), coupon)) {
          enter(new LedgerEvent.Forgotten(coupon.application(), coupon.number()));
        }
      } else if (ageNanos >= settings.couponAgeNanos() && coupon.regretNodeSeconds() <= left) {
        left -= coupon.regretNodeSeconds();
        enter(
            new LedgerEvent.Awarded(
                coupon.application(), coupon.number(), coupon.regretNodeSeconds()));
      }
    }
  }

  Account account(JobId application) {
    return entries.account(application);
  }

  /** Redeems the oldest coupons of the application first. */
  void redeem(JobId application, long tokens) {
    long left = tokens;
    for (Coupon coupon : entries.account(application).coupons()) {
      long part = Math.min(left, coupon.owedTokens());
      if (part > 0) {
        enter(new LedgerEvent.Redeemed(application, coupon.number(), part));
        left -= part;
      }
    }
    if (left > 0) {
      throw new IllegalStateException(
          "application " + application + " redeems " + left + " tokens more than it is owed");
    }
  }

  /** Why nobody may be throttled now; empty where those may who redeem their coupons. */
  String reasonAgainstThrottling() {
    CouponLedger now = close();
    if (now.redemptionRate(settings.window()) < settings.redemptionRateMin()) {
      return "too few coupons were redeemed in this regret period";
    }
    if (now.regretNodeSeconds() >= settings.regretBudgetNodeSeconds()) {
      return "what is owed has used up the regret budget";
    }
    return "";
  }

  boolean mayBeThrottled(JobId application) {
    return account(application).redemptionRate(settings.window()) >= settings.redemptionRateMin();
  }

  /** Coupons for every job whose rate is below its fair one. */
  void issue(JobsOnTargets on, double[] fair, double[] rates) {
    for (int i = 0; i < rates.length; i++) {
      long worth = Worth.tokens(on, i, fair[i] - rates[i]);
      if (worth > 0) {
        JobId application = on.application(i);
        enter(
            new LedgerEvent.Issued(
                new Coupon(
                    entries.couponsIssued() + 1,
                    application,
                    account(application).issued() + 1,
                    nowNanos,
                    worth,
                    0,
                    0,
                    fair[i] * on.processes(i) * on.tokensPerSecond(),
                    on.nodes(i))));
      }
    }
  }
}
