package dev.sluice.core.schedule.terms;

import dev.sluice.core.model.Rate;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.TokenLevel;

/**
 * What a job is kept to: tokens that come in at a rate, up to a depth, and are taken by what it is
 * served.
 *
 * <p>Theorem. In any window of {@code w} nanoseconds, requests of at most {@code price} tokens each
 * take at most {@code max(depth, price) + rate × w}, whatever rates are set meanwhile. What is
 * found out later of a request's price counts as taken then, and may leave a debt.
 */
public final class Limit<J> extends IndexedHeap.Entry {
  /** A debt is remembered up to here. */
  private static final long DEBT_TOKENS_MAX = 2 * TermsInForce.PRICE_MAX;

  final J job;
  private final long depthTokens;
  private final TokenLevel level;

  /** A full bucket. */
  public Limit(J job, Rate rate, long depthTokens, long nowNanos) {
    this.job = job;
    this.depthTokens = depthTokens;
    this.level = new TokenLevel(rate, depthTokens, depthTokens, nowNanos);
  }

  /** Sets another rate. The level stays what it is: a change gives no tokens and takes none. */
  public void setRate(Rate rate, long nowNanos) {
    if (!level.isAt(rate)) {
      level.refill(nowNanos);
      level.setRate(rate);
    }
  }

  /**
   * How long it takes until a request of this price may be served; one that costs more than the
   * depth may when the bucket is full.
   */
  public long nanosUntil(long price, long nowNanos) {
    level.refill(nowNanos);
    return level.nanosUntil(Math.min(price, depthTokens));
  }

  /** Takes the price of what is served. */
  public void take(long price, long nowNanos) {
    level.refill(nowNanos);
    level.take(price);
  }

  /** Corrects a price after the fact. */
  void correct(long moreTokens, long nowNanos) {
    level.refill(nowNanos);
    level.add(-moreTokens, -DEBT_TOKENS_MAX);
  }

  void checkInvariants() {
    level.checkInvariants(-DEBT_TOKENS_MAX - TermsInForce.PRICE_MAX);
  }
}
