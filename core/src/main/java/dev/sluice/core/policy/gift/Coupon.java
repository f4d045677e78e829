package dev.sluice.core.policy.gift;

import dev.sluice.core.model.JobId;

/**
 * What an application is owed because it was throttled once: bandwidth times time, in tokens.
 *
 * @param number counts all coupons ever issued, from 1
 * @param ordinal counts those of the application, from 1
 * @param worthTokens what it was issued for
 * @param redeemedTokens how much of that was given back as bandwidth
 * @param awardedNodeSeconds what was paid in compute time for the rest; 0 while it can be redeemed
 * @param fairTokensPerSecond what the throttled job could have moved in a second, all its processes
 * @param nodes of the throttled job
 */
public record Coupon(
    long number,
    JobId application,
    long ordinal,
    long issuedAtNanos,
    long worthTokens,
    long redeemedTokens,
    long awardedNodeSeconds,
    double fairTokensPerSecond,
    long nodes) {
  /** A coupon that is not redeemed at all. */
  static final long WHOLE_MILLIONTHS = 1_000_000;

  public Coupon {
    if (number < 1 || ordinal < 1) {
      throw new IllegalArgumentException("coupon " + number + " is the application's " + ordinal);
    }
    if (worthTokens < 1 || redeemedTokens < 0 || redeemedTokens > worthTokens) {
      throw new IllegalArgumentException(
          "coupon " + number + ": redeemed " + redeemedTokens + " of " + worthTokens + " tokens");
    }
    if (awardedNodeSeconds < 0 || !(fairTokensPerSecond > 0) || nodes < 1) {
      throw new IllegalArgumentException(
          "coupon "
              + number
              + ": awarded "
              + awardedNodeSeconds
              + " node-seconds, fair rate "
              + fairTokensPerSecond
              + ", nodes "
              + nodes);
    }
  }

  /** What can still be redeemed; nothing once it was paid for in compute time. */
  public long owedTokens() {
    return isAwarded() ? 0 : worthTokens - redeemedTokens;
  }

  public boolean isAwarded() {
    return awardedNodeSeconds > 0;
  }

  public boolean isRedeemed() {
    return redeemedTokens == worthTokens;
  }

  /** What was not given back as bandwidth, paid for or not, in millionths of the coupon. */
  long unredeemedMillionths() {
    double part = (double) (worthTokens - redeemedTokens) / worthTokens;
    return (long) Math.ceil(part * WHOLE_MILLIONTHS);
  }

  /** The compute time that what is owed has cost the application: at least 1 while it is owed. */
  public long regretNodeSeconds() {
    return (long) Math.ceil(owedTokens() / fairTokensPerSecond * nodes);
  }

  Coupon redeemed(long tokens) {
    if (tokens < 1 || tokens > owedTokens()) {
      throw new IllegalArgumentException(
          "coupon " + number + ": " + tokens + " tokens of " + owedTokens() + " that are owed");
    }
    return new Coupon(
        number,
        application,
        ordinal,
        issuedAtNanos,
        worthTokens,
        redeemedTokens + tokens,
        awardedNodeSeconds,
        fairTokensPerSecond,
        nodes);
  }

  Coupon awarded(long nodeSeconds) {
    if (nodeSeconds < 1 || owedTokens() == 0) {
      throw new IllegalArgumentException(
          "coupon "
              + number
              + ": "
              + nodeSeconds
              + " node-seconds for "
              + owedTokens()
              + " tokens");
    }
    return new Coupon(
        number,
        application,
        ordinal,
        issuedAtNanos,
        worthTokens,
        redeemedTokens,
        nodeSeconds,
        fairTokensPerSecond,
        nodes);
  }
}
