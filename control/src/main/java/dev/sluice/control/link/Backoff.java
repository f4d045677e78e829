package dev.sluice.control.link;

import java.util.random.RandomGenerator;

/**
 * How long to wait before calling again: twice as long after each failure, up to a bound, and a
 * random part of that, so that ten thousand nodes that lost one controller do not all call its
 * successor at once. Not thread-safe.
 */
final class Backoff {
  static final long FIRST_NANOS = 100_000_000;

  /** Short enough that a controller that takes over within 5 s has all its nodes soon after. */
  static final long MAX_NANOS = 2_000_000_000;

  private final RandomGenerator random;
  private long boundNanos = FIRST_NANOS;

  Backoff(RandomGenerator random) {
    this.random = random;
  }

  /** At least half of what it could be, so that nobody calls again at once. */
  long nextNanos() {
    long bound = boundNanos;
    boundNanos = Math.min(MAX_NANOS, 2 * bound);
    return bound / 2 + random.nextLong(bound / 2 + 1);
  }

  void reset() {
    boundNanos = FIRST_NANOS;
  }
}
