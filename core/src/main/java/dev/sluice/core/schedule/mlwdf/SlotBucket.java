package dev.sluice.core.schedule.mlwdf;

import dev.sluice.core.model.Rate;
import dev.sluice.core.schedule.TokenLevel;

/**
 * The tokens of one job on one server. They come in evenly and no more than a slot's worth is kept;
 * a request is served while there is any, and may leave a debt that later tokens pay.
 *
 * <p>Theorem. In any window of {@code w} nanoseconds under one rate, requests of at most {@code
 * price} tokens take at most {@code slot + rate × w + price} tokens.
 */
final class SlotBucket {
  /** Bound on a request's price and so on a debt, so that waits fit. */
  static final long PRICE_MAX = 1L << 31;

  static final long FOREVER = TokenLevel.FOREVER;

  private static final long KEPT_TOKENS_MIN = 2;

  private final TokenLevel level;

  private SlotBucket(Rate rate, long tokensMax, double tokensPerSlot, long nowNanos) {
    long slotTokens = kept(tokensPerSlot);
    level = new TokenLevel(rate, slotTokens, Math.min(slotTokens, tokensMax), nowNanos);
  }

  /** For a job that comes to a limit. */
  static SlotBucket full(Rate rate, double tokensPerSlot, long nowNanos) {
    return new SlotBucket(rate, Long.MAX_VALUE, tokensPerSlot, nowNanos);
  }

  /** For a job that was not limited so far, has saved nothing up and need not wait for a first. */
  static SlotBucket beginning(Rate rate, double tokensPerSlot, long nowNanos) {
    return new SlotBucket(rate, 1, tokensPerSlot, nowNanos);
  }

  /**
   * What is kept of a slot's tokens: all, and of less than two a second one, which else would be
   * lost while the server is busy with somebody else.
   */
  private static long kept(double tokensPerSlot) {
    return tokensPerSlot == 0 ? 0 : Math.max(KEPT_TOKENS_MIN, (long) Math.ceil(tokensPerSlot));
  }

  /** Brings the level up to date. */
  void refill(long nowNanos) {
    level.refill(nowNanos);
  }

  /** Whether a request may be served. */
  boolean hasTokens() {
    return level.has(1);
  }

  /** When a request may be served, at or after the last {@link #refill}. */
  long readyAtNanos() {
    long wait = level.nanosUntil(1);
    return wait == FOREVER ? FOREVER : level.filledAtNanos() + wait;
  }

  /** Takes a request's price. */
  void take(long price) {
    level.add(-price, -PRICE_MAX);
  }

  /** Corrects a price after the fact. */
  void giveBack(long tokens) {
    level.add(tokens, -PRICE_MAX);
  }

  /**
   * Sets another rate. Neither tokens nor a debt come into being by the change; what is more than a
   * slot's worth now is gone.
   */
  void setRate(Rate changed, double tokensPerSlot, long nowNanos) {
    refill(nowNanos);
    if (!level.isAt(changed)) {
      level.setRate(changed);
    }
    level.setBound(kept(tokensPerSlot));
  }

  void checkInvariants() {
    level.checkInvariants(-PRICE_MAX);
  }
}
