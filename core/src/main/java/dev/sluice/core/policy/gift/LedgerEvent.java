package dev.sluice.core.policy.gift;

import dev.sluice.core.model.JobId;

/**
 * One entry in the books about coupons. All that {@link CouponLedger} knows follows from its
 * events: whoever keeps them, in order, can restore it.
 */
public sealed interface LedgerEvent {
  /** A regret period begins: its budget is full, and the system's redemption rate starts anew. */
  record PeriodBegan(long atNanos) implements LedgerEvent {}

  /** A job was throttled, and this is what its application is owed for it. */
  record Issued(Coupon coupon) implements LedgerEvent {}

  /** So much of a coupon was given back as bandwidth. */
  record Redeemed(JobId application, long coupon, long tokens) implements LedgerEvent {}

  /** What is owed on a coupon was paid for in compute time. */
  record Awarded(JobId application, long coupon, long nodeSeconds) implements LedgerEvent {}

  /** A coupon that was paid for in compute time no longer speaks against the application. */
  record Forgotten(JobId application, long coupon) implements LedgerEvent {}
}
