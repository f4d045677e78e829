package dev.sluice.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Compute time for a coupon that was not redeemed in time.
 *
 * @param awardedNanos when it was found due, since 1970
 * @param handedOutNanos when somebody handed it out, since 1970; null while nobody did
 */
public record Award(
    long coupon,
    String application,
    long nodeSeconds,
    long awardedNanos,
    @Nullable Long handedOutNanos) {}
