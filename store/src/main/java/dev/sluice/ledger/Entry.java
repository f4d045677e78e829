package dev.sluice.ledger;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.gift.Coupon;
import dev.sluice.core.policy.gift.CouponLedger;
import dev.sluice.core.policy.gift.LedgerEvent;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one decision changes in the books, or what takes such a change back.
 *
 * @param to the books afterwards
 * @param undoes whether the events are taken back
 * @param regretBudgetNodeSeconds what a regret period may pay out, for those who ask
 * @param counted what a token is
 */
record Entry(
    CouponLedger from,
    CouponLedger to,
    List<LedgerEvent> events,
    boolean undoes,
    long regretBudgetNodeSeconds,
    Counted counted) {
  Entry {
    events = List.copyOf(events);
  }

  /** What takes this back. */
  Entry undone() {
    return new Entry(to, from, events, !undoes, regretBudgetNodeSeconds, counted);
  }

  /** What an application was issued and got back by this. */
  record Sums(long coupons, long issuedTokens, long redeemedTokens) {
    static final Sums NONE = new Sums(0, 0, 0);

    Sums plus(long moreCoupons, long moreIssued, long moreRedeemed) {
      return new Sums(
          coupons + moreCoupons, issuedTokens + moreIssued, redeemedTokens + moreRedeemed);
    }
  }

  /** By application, for all that this has to do with; negative where it takes back. */
  Map<JobId, Sums> sums() {
    int sign = undoes ? -1 : 1;
    Map<JobId, Sums> sums = new TreeMap<>();
    for (LedgerEvent event : events) {
      switch (event) {
        case LedgerEvent.PeriodBegan _ -> {}
        case LedgerEvent.Issued issued ->
            sums.compute(
                issued.coupon().application(),
                (_, sum) -> orNone(sum).plus(sign, sign * issued.coupon().worthTokens(), 0));
        case LedgerEvent.Redeemed redeemed ->
            sums.compute(
                redeemed.application(),
                (_, sum) -> orNone(sum).plus(0, 0, sign * redeemed.tokens()));
        case LedgerEvent.Awarded awarded -> sums.putIfAbsent(awarded.application(), Sums.NONE);
        case LedgerEvent.Forgotten forgotten ->
            sums.putIfAbsent(forgotten.application(), Sums.NONE);
      }
    }
    return sums;
  }

  private static Sums orNone(@Nullable Sums sum) {
    return sum == null ? Sums.NONE : sum;
  }

  /** The coupons that this changes and that are in the books afterwards, oldest first. */
  List<Coupon> written() {
    Set<Long> touched = touched();
    return sums().keySet().stream()
        .flatMap(application -> to.account(application).coupons().stream())
        .filter(coupon -> touched.contains(coupon.number()))
        .toList();
  }

  /** The numbers of the coupons that this takes out of the books. */
  Set<Long> removed() {
    Set<Long> removed = new TreeSet<>(touched());
    written().forEach(coupon -> removed.remove(coupon.number()));
    return removed;
  }

  private Set<Long> touched() {
    Set<Long> touched = new HashSet<>();
    for (LedgerEvent event : events) {
      switch (event) {
        case LedgerEvent.PeriodBegan _ -> {}
        case LedgerEvent.Issued issued -> touched.add(issued.coupon().number());
        case LedgerEvent.Redeemed redeemed -> touched.add(redeemed.coupon());
        case LedgerEvent.Awarded awarded -> touched.add(awarded.coupon());
        case LedgerEvent.Forgotten forgotten -> touched.add(forgotten.coupon());
      }
    }
    return touched;
  }

  /** What is paid for in compute time by this, or no longer. */
  List<LedgerEvent.Awarded> awards() {
    return events.stream()
        .filter(LedgerEvent.Awarded.class::isInstance)
        .map(LedgerEvent.Awarded.class::cast)
        .toList();
  }

  boolean beginsPeriod() {
    return !undoes && events.stream().anyMatch(LedgerEvent.PeriodBegan.class::isInstance);
  }

  /** When the regret period began in which this is; 0 before the first one. */
  long periodNanos() {
    return to.period().hasBegun() ? to.period().beganAtNanos() : 0;
  }
}
