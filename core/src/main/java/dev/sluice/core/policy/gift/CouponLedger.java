package dev.sluice.core.policy.gift;

import dev.sluice.core.model.JobId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The books: which application holds which coupons, and how the present regret period goes.
 * Immutable; {@link #with} answers the books after further events, so they can be restored from
 * their events, or from any earlier state of them and the events since.
 *
 * @param accounts of the applications with coupons that are not redeemed
 * @param couponsIssued how many coupons were ever issued
 * @param period the regret period
 */
public record CouponLedger(Map<JobId, Account> accounts, long couponsIssued, Period period) {
  public static final CouponLedger EMPTY = new CouponLedger(Map.of(), 0, Period.NONE);

  public CouponLedger {
    accounts = Map.copyOf(accounts);
  }

  /**
   * A regret period so far.
   *
   * @param beganAtNanos {@link #NOT_BEGUN} before the first one
   * @param couponsBefore how many coupons had been issued when it began
   * @param unredeemedMillionths of the coupons that were issued in it
   * @param awardedNodeSeconds paid out in it
   */
  public record Period(
      long beganAtNanos, long couponsBefore, long unredeemedMillionths, long awardedNodeSeconds) {
    /** When a period began that has not. */
    public static final long NOT_BEGUN = Long.MIN_VALUE;

    static final Period NONE = new Period(NOT_BEGUN, 0, 0, 0);

    public boolean hasBegun() {
      return beganAtNanos != NOT_BEGUN;
    }
  }

  /** The account of an application; an empty one where nothing is known of it. */
  public Account account(JobId application) {
    return accounts.getOrDefault(application, Account.EMPTY);
  }

  /**
   * How much of what was issued in this period was redeemed, 0 to 1; as long as fewer than {@code
   * window} were issued, those that are missing count as redeemed.
   */
  public double redemptionRate(long window) {
    long issued = Math.max(window, couponsIssued - period.couponsBefore());
    return 1 - (double) period.unredeemedMillionths() / ((double) issued * Coupon.WHOLE_MILLIONTHS);
  }

  /** What would have to be paid if nothing of what is owed were ever redeemed. */
  public long regretNodeSeconds() {
    long sum = 0;
    for (Account account : accounts.values()) {
      for (Coupon coupon : account.coupons()) {
        sum += coupon.regretNodeSeconds();
      }
    }
    return sum;
  }

  /** The books after these events; throws where one of them does not fit, and is then unchanged. */
  public CouponLedger with(List<LedgerEvent> events) {
    if (events.isEmpty()) {
      return this;
    }
    Entries entries = new Entries(this);
    events.forEach(entries::enter);
    return entries.close();
  }

  /** Throws {@link IllegalStateException} where the books contradict themselves. */
  public void checkInvariants() {
    long unredeemed = 0;
    for (Map.Entry<JobId, Account> entry : accounts.entrySet()) {
      Account account = entry.getValue();
      long before = 0;
      for (Coupon coupon : account.coupons()) {
        boolean sound =
            coupon.application().equals(entry.getKey())
                && coupon.number() > before
                && coupon.number() <= couponsIssued
                && coupon.ordinal() <= account.issued()
                && !coupon.isRedeemed();
        if (!sound) {
          throw new IllegalStateException("application " + entry.getKey() + " holds " + coupon);
        }
        before = coupon.number();
        unredeemed += isOfThisPeriod(coupon) ? coupon.unredeemedMillionths() : 0;
      }
      if (account.coupons().isEmpty()) {
        throw new IllegalStateException("application " + entry.getKey() + " holds nothing");
      }
    }
    // What was forgotten is not counted any more, so the period may know of more.
    if (unredeemed > period.unredeemedMillionths()) {
      throw new IllegalStateException(
          unredeemed + " millionths are not redeemed, of " + period.unredeemedMillionths());
    }
  }

  private boolean isOfThisPeriod(Coupon coupon) {
    return coupon.number() > period.couponsBefore();
  }

  /** Books that are open: entries are made one after another. Not thread-safe. */
  static final class Entries {
    private final Map<JobId, Account> accounts;
    private long couponsIssued;
    private Period period;

    Entries(CouponLedger before) {
      accounts = new HashMap<>(before.accounts);
      couponsIssued = before.couponsIssued;
      period = before.period;
    }

    CouponLedger close() {
      return new CouponLedger(accounts, couponsIssued, period);
    }

    Account account(JobId application) {
      return accounts.getOrDefault(application, Account.EMPTY);
    }

    long couponsIssued() {
      return couponsIssued;
    }

    void enter(LedgerEvent event) {
      switch (event) {
        case LedgerEvent.PeriodBegan began ->
            period = new Period(began.atNanos(), couponsIssued, 0, 0);
        case LedgerEvent.Issued issued -> issue(issued.coupon());
        case LedgerEvent.Redeemed redeemed -> {
          Coupon before = account(redeemed.application()).coupon(redeemed.coupon());
          change(before, before.redeemed(redeemed.tokens()));
        }
        case LedgerEvent.Awarded awarded -> {
          Coupon before = account(awarded.application()).coupon(awarded.coupon());
          change(before, before.awarded(awarded.nodeSeconds()));
          period =
              new Period(
                  period.beganAtNanos(),
                  period.couponsBefore(),
                  period.unredeemedMillionths(),
                  period.awardedNodeSeconds() + awarded.nodeSeconds());
        }
        case LedgerEvent.Forgotten forgotten -> {
          if (!account(forgotten.application()).coupon(forgotten.coupon()).isAwarded()) {
            throw new IllegalArgumentException(
                "coupon " + forgotten.coupon() + " is owed and cannot be forgotten");
          }
          keep(
              forgotten.application(),
              account(forgotten.application()).without(forgotten.coupon()));
        }
      }
    }

    private void issue(Coupon coupon) {
      Account account = account(coupon.application());
      if (coupon.number() != couponsIssued + 1
          || coupon.ordinal() != account.issued() + 1
          || coupon.redeemedTokens() > 0
          || coupon.isAwarded()) {
        throw new IllegalArgumentException(
            "not the next one, after " + couponsIssued + " coupons: " + coupon);
      }
      couponsIssued++;
      accounts.put(coupon.application(), account.issued(coupon));
      countUnredeemed(coupon, coupon.unredeemedMillionths());
    }

    private void change(Coupon before, Coupon after) {
      JobId application = before.application();
      Account account = account(application);
      keep(
          application,
          after.isRedeemed() ? account.without(after.number()) : account.replaced(after));
      countUnredeemed(after, after.unredeemedMillionths() - before.unredeemedMillionths());
    }

    private void keep(JobId application, Account account) {
      if (account.coupons().isEmpty()) {
        accounts.remove(application);
      } else {
        accounts.put(application, Objects.requireNonNull(account));
      }
    }

    private void countUnredeemed(Coupon coupon, long millionths) {
      if (coupon.number() > period.couponsBefore()) {
        period =
            new Period(
                period.beganAtNanos(),
                period.couponsBefore(),
                period.unredeemedMillionths() + millionths,
                period.awardedNodeSeconds());
      }
    }
  }
}
