package dev.sluice.core.policy.sdqpro;

import dev.sluice.core.model.JobId;

/**
 * An application in one slot. Its tokens are counted in parts, because its rate may be less than a
 * token in a slot.
 *
 * @param desired the parts of tokens that it is to have in all
 */
record Application(
    JobId job, PolicyLine line, long desired, long partsPerToken, VirtualBuckets buckets) {
  /** Borrows until what it requires, or the part of it that its line names, is met. */
  void borrow(SplitMix random) {
    double enough = Math.ceil(line.threshold() * Math.min(desired, buckets.required()));
    buckets.borrow((long) enough, random);
  }

  /** Whether its tokens on this server limit it there. */
  boolean isListedOn(int server) {
    return line.rate() != null || buckets.required(server) > 0;
  }

  double desiredTokens() {
    return tokens(desired);
  }

  double requiredTokens() {
    return tokens(buckets.required());
  }

  double borrowedTokens() {
    return tokens(buckets.borrowed());
  }

  /** So many parts in tokens. */
  double tokens(long parts) {
    return (double) parts / partsPerToken;
  }
}
