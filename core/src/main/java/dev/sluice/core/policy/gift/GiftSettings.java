package dev.sluice.core.policy.gift;

import dev.sluice.core.policy.progress.Expansion.Objective;
import dev.sluice.core.policy.progress.ShareBasis;

/**
 * What can be set about GIFT.
 *
 * @param redemptionRateMin τ: who redeemed less of its coupons than this part is not throttled, and
 *     nobody is while the system as a whole redeemed less
 * @param throttlePart B_thres: the part of its fair rate that a job may lose
 * @param window N: over how many coupons of an application its redemption rate is taken
 * @param claim by what a target is shared fairly
 * @param regretPeriodNanos how often regret is assessed
 * @param couponAgeNanos how old a coupon must be to be paid for in compute time
 * @param regretBudgetNodeSeconds how much compute time may be paid out in a regret period
 * @param memoryNanos how long a coupon that was paid for speaks against its application
 */
public record GiftSettings(
    double redemptionRateMin,
    double throttlePart,
    long window,
    Objective objective,
    ShareBasis claim,
    long regretPeriodNanos,
    long couponAgeNanos,
    long regretBudgetNodeSeconds,
    long memoryNanos) {}
