package dev.sluice.core.schedule.mlwdf;

import dev.sluice.core.model.Rate;

/**
 * The tokens of one job on one server. They come in evenly and no more than a slot's worth is kept;
 * a request is served while there is any, and may leave a debt that later tokens pay. Exact: what
 * is less than a token is carried.
 *
 * <p>Theorem. In any window of {@code w} nanoseconds under one rate, requests of at most {@code
 * price} tokens take at most {@code slot + rate × w + price} tokens.
 */
final class SlotBucket {
  /** Bound on a request's price and so on a debt, so that waits fit. */
  static final long PRICE_MAX = 1L << 31;

  static final long FOREVER = Long.MAX_VALUE;

  private Rate rate;
  private long level;

  /** What the level lacks to be exact, in parts of a token: 0 to below the rate's period. */
  private long fraction;

  private long filledAtNanos;

  private SlotBucket(Rate rate, long level, long nowNanos) {
    this.rate = rate;
    this.level = level;
    this.filledAtNanos = nowNanos;
  }

  /** For a job that comes to a limit. */
  static SlotBucket full(Rate rate, long nowNanos) {
    return new SlotBucket(rate, rate.tokens(), nowNanos);
  }

  /** For a job that was not limited so far, and has saved nothing up. */
  static SlotBucket empty(Rate rate, long nowNanos) {
    return new SlotBucket(rate, 0, nowNanos);
  }

  /** Brings the level up to date. */
  void refill(long nowNanos) {
    long elapsed = nowNanos - filledAtNanos;
    if (elapsed <= 0) {
      return;
    }
    filledAtNanos = nowNanos;
    long period = rate.periodNanos();
    long missing = rate.tokens() - level;
    if (missing <= 0 || elapsed >= nanosFor(missing)) {
      level = rate.tokens();
      fraction = 0;
      return;
    }
    // Below the time to fill up from the deepest debt, so that neither product overflows.
    long parts = elapsed * (rate.tokens() % period) + fraction;
    level += elapsed * (rate.tokens() / period) + parts / period;
    fraction = parts % period;
  }

  /** How long until so many more tokens are there, rounded up. */
  private long nanosFor(long tokens) {
    if (rate.tokens() == 0) {
      return FOREVER;
    }
    double estimate = (double) tokens * rate.periodNanos() / rate.tokens();
    if (tokens > Long.MAX_VALUE / rate.periodNanos()) {
      return (long) Math.ceil(estimate);
    }
    return Math.ceilDiv(tokens * rate.periodNanos() - fraction, rate.tokens());
  }

  /** Whether a request may be served. */
  boolean hasTokens() {
    return level > 0;
  }

  /** When a request may be served, at or after the last {@link #refill}. */
  long readyAtNanos() {
    if (level > 0) {
      return filledAtNanos;
    }
    long wait = nanosFor(1 - level);
    return wait == FOREVER ? FOREVER : filledAtNanos + wait;
  }

  /** Takes a request's price. */
  void take(long price) {
    level = Math.max(level - price, -PRICE_MAX);
  }

  /** Corrects a price after the fact. */
  void giveBack(long tokens) {
    level = Math.clamp(level + tokens, -PRICE_MAX, rate.tokens());
  }

  /**
   * Sets another rate. Neither tokens nor a debt come into being by the change; what is more than a
   * slot's worth now is gone.
   */
  void setRate(Rate changed, long nowNanos) {
    refill(nowNanos);
    if (changed.equals(rate)) {
      return;
    }
    fraction = (long) ((double) fraction / rate.periodNanos() * changed.periodNanos());
    fraction = Math.min(fraction, changed.periodNanos() - 1);
    rate = changed;
    level = Math.min(level, rate.tokens());
  }

  void checkInvariants() {
    if (level > rate.tokens()
        || level < -PRICE_MAX
        || fraction < 0
        || fraction >= rate.periodNanos()) {
      throw new IllegalStateException("a bucket holds " + level + " tokens of " + rate);
    }
  }
}
