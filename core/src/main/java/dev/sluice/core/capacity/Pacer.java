package dev.sluice.core.capacity;

/**
 * Keeps what is handed out within a rate. It counts how long the target needs for what it was
 * given, and is ready when that is over; of a time without requests, or of looks that came late, up
 * to {@link #BURST_NANOS} are made up for, and of a time in which the target itself took nothing in
 * ({@link #missed}) up to {@link #CATCH_UP_NANOS}.
 *
 * <p>Over any interval that it was busy throughout, what is handed out is the rate times the
 * interval, plus at most {@link #BURST_NANOS} worth and one request; and not less than that, minus
 * one request, as long as no look is later than {@link #BURST_NANOS}. What is found out of a
 * request's price only after it was handed out counts from then on: who comes next waits for it.
 */
public final class Pacer {
  public static final long BURST_NANOS = 5_000_000;

  /** A target that stood still for so long and catches up is not slower than it was. */
  static final long CATCH_UP_NANOS = 1_000_000_000;

  private static final int FRACTION_BITS = 32;
  private static final long FRACTION_MASK = (1L << FRACTION_BITS) - 1;
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  /** Bound on what one request counts with, so that a mispriced one stops nobody for long. */
  private static final long NANOS_MAX = 60 * NANOS_PER_SECOND;

  private long nanosPerToken;
  private long doneAtNanos;

  /** What doneAtNanos lacks, in parts of 2^-32 ns: nothing is lost to rounding. */
  private long fraction;

  /** What the target missed and has not made up for. */
  private long missedNanos;

  public Pacer(long tokensPerSecond, long nowNanos) {
    rate(tokensPerSecond);
    doneAtNanos = nowNanos - BURST_NANOS;
  }

  /** Sets another rate for what is handed out from now on. */
  public void rate(long tokensPerSecond) {
    nanosPerToken = (NANOS_PER_SECOND << FRACTION_BITS) / tokensPerSecond;
  }

  public boolean isReady(long nowNanos) {
    return doneAtNanos - nowNanos <= 0;
  }

  /** When it is ready, as far as is known now. */
  public long readyAtNanos() {
    return doneAtNanos;
  }

  /** For how long from now it may stay ready and make up for it; negative when that is over. */
  public long spareNanos(long nowNanos) {
    return doneAtNanos + BURST_NANOS - nowNanos;
  }

  /** How long the target needs for so many tokens. */
  public long nanosFor(long tokens) {
    long high = Math.multiplyHigh(tokens, nanosPerToken);
    long nanos = (high << FRACTION_BITS) | ((tokens * nanosPerToken) >>> FRACTION_BITS);
    return high >> (FRACTION_BITS - 1) != 0 ? NANOS_MAX : Math.min(nanos, NANOS_MAX);
  }

  /** A request of this price is handed out, or one turns out to cost so much more. */
  public void spend(long tokens, long nowNanos) {
    long madeUpForNanos = nowNanos - BURST_NANOS - missedNanos;
    if (doneAtNanos - madeUpForNanos < 0) {
      doneAtNanos = madeUpForNanos;
      fraction = 0;
    }
    missedNanos = Math.clamp(nowNanos - BURST_NANOS - doneAtNanos, 0, missedNanos);
    long high = Math.multiplyHigh(tokens, nanosPerToken);
    long low = tokens * nanosPerToken;
    long nanos = (high << FRACTION_BITS) | (low >>> FRACTION_BITS);
    if (high >> (FRACTION_BITS - 1) != 0 || nanos > NANOS_MAX) {
      doneAtNanos += NANOS_MAX;
      return;
    }
    fraction += low & FRACTION_MASK;
    doneAtNanos += nanos + (fraction >>> FRACTION_BITS);
    fraction &= FRACTION_MASK;
  }

  /** For so long the target had all that it can hold, and nothing more could be handed out. */
  void missed(long nanos) {
    missedNanos = Math.min(CATCH_UP_NANOS, missedNanos + nanos);
  }

  /** What the target missed is not made up for any more. */
  void forget() {
    missedNanos = 0;
  }

  /** A request cost less than it was handed out for. */
  public void giveBack(long tokens) {
    doneAtNanos -= nanosFor(tokens);
  }
}
