package dev.sluice.control.link;

import java.util.random.RandomGenerator;

/**
 * How long to wait before calling again: little as long as there is an address that was not tried,
 * and after all of them twice as long as the time before, up to a bound; of that a random part, so
 * that ten thousand nodes that lost one controller do not all call its successor at once. And how
 * long to wait for an answer: twice as long after each call that got none, since whoever is slow
 * because of many callers becomes no faster when they all hang up. Not thread-safe.
 */
final class Backoff {
  static final long FIRST_NANOS = 100_000_000;

  /** Short enough that a controller that takes over within 3 s has all its nodes within 5 s. */
  static final long MAX_NANOS = 2_000_000_000;

  static final long ANSWER_NANOS = 2_000_000_000;

  /** Short beside what a network that was cut takes to try again by itself. */
  static final long ANSWER_NANOS_MAX = 4_000_000_000L;

  private final int addresses;
  private final RandomGenerator random;
  private int tried;
  private long boundNanos = FIRST_NANOS;
  private long answerNanos = ANSWER_NANOS;

  /**
   * Nothing has failed yet.
   *
   * @param addresses how many there are to be tried in turn
   */
  Backoff(int addresses, RandomGenerator random) {
    this.addresses = addresses;
    this.random = random;
  }

  /** A call has failed: when to make the next. */
  long nextNanos() {
    tried++;
    if (tried % addresses != 0) {
      return part(FIRST_NANOS);
    }
    long bound = boundNanos;
    boundNanos = Math.min(MAX_NANOS, 2 * bound);
    return part(bound);
  }

  /** At least half of what it could be, so that nobody calls again at once. */
  private long part(long bound) {
    return bound / 2 + random.nextLong(bound / 2 + 1);
  }

  /** How long the first answer to a call may take. */
  long answerNanos() {
    return answerNanos;
  }

  /** No answer came within {@link #answerNanos}. */
  void unanswered() {
    answerNanos = Math.min(ANSWER_NANOS_MAX, 2 * answerNanos);
  }

  /** Orders came. */
  void reset() {
    tried = 0;
    boundNanos = FIRST_NANOS;
    answerNanos = ANSWER_NANOS;
  }
}
