package dev.sluice.core.schedule.tbf;

import dev.sluice.core.model.Rate;
import dev.sluice.core.model.TokenUnit;

/**
 * One bound on each job that a rule matches: so many operations or bytes in so much time, and a
 * depth that may be used at once.
 */
public record TbfLimit(TokenUnit unit, Rate rate, long depthTokens) {
  /** The most that a bucket can hold. */
  public static final long DEPTH_MAX = TokenBucket.TOKENS_MAX;

  /** What a bucket holds unless told otherwise, in requests. */
  private static final long DEPTH_REQUESTS = 3;

  /** The usual size of a large request in HPC file systems. */
  private static final long REQUEST_BYTES = 1 << 20;

  public TbfLimit {
    if (depthTokens < 1 || depthTokens > TokenBucket.TOKENS_MAX) {
      throw new IllegalArgumentException(
          "a depth must be 1 to " + TokenBucket.TOKENS_MAX + " tokens, not " + depthTokens);
    }
  }

  /** With the usual depth: three operations, or as many bytes as three large requests. */
  public static TbfLimit of(TokenUnit unit, Rate rate) {
    return new TbfLimit(unit, rate, depthTokens(unit));
  }

  /** Whether more may be saved up than is usual, to be spent above the rate. */
  public boolean saves() {
    return depthTokens > depthTokens(unit);
  }

  static long depthTokens(TokenUnit unit) {
    long price = unit.price(DEPTH_REQUESTS, DEPTH_REQUESTS * REQUEST_BYTES);
    return Math.clamp(price, 1, TokenBucket.TOKENS_MAX);
  }
}
