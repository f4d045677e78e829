package dev.sluice.core.schedule.tbf;

import dev.sluice.core.model.Rate;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.TokenLevel;

/**
 * Tokens that come in at a rate, up to a depth, and are taken by requests. Nothing is ever rounded
 * away, however often or late it is looked at.
 *
 * <p>A request that costs more than the depth is served when the bucket is full and leaves it in
 * debt; it would never be served otherwise.
 *
 * <p>Theorem. In any window of {@code w} nanoseconds, requests of at most {@code price} tokens each
 * take at most {@code max(depth, price) + rate × w} tokens, whatever rates are set meanwhile. What
 * is found out later of a request's price ({@link #giveBack}) counts as taken then, and may leave a
 * debt; up to {@link #TOKENS_MAX} none of it is forgotten.
 */
final class TokenBucket {
  /** Bound on depth and price, so that neither a level nor a debt leaves 63 bits. */
  static final long TOKENS_MAX = 1L << 31;

  /** The wait of a request that only a new rate can free. */
  static final long FOREVER = TokenLevel.FOREVER;

  final TokenUnit unit;
  final long depthTokens;

  private final TokenLevel level;

  /** What was taken for requests that are not served yet; it leaves no room for other tokens. */
  private long heldTokens;

  /** A full bucket. */
  TokenBucket(TbfLimit limit, long nowNanos) {
    this.unit = limit.unit();
    this.depthTokens = limit.depthTokens();
    level = new TokenLevel(limit.rate(), depthTokens, depthTokens, nowNanos);
  }

  /** What a request costs here. */
  long price(long operations, long bytes) {
    return Math.min(unit.price(operations, bytes), TOKENS_MAX);
  }

  /** Brings the level up to date. */
  void refill(long nowNanos) {
    level.refill(nowNanos);
  }

  /**
   * How long after the last {@link #refill} a request of this price may be served: 0 when it may be
   * now, {@link #FOREVER} when nothing comes in or held tokens leave no room for what it needs.
   * Rounded up, so that at that very instant it may.
   */
  long nanosUntil(long price) {
    long needed = Math.min(price, depthTokens);
    return needed > depthTokens - heldTokens ? FOREVER : level.nanosUntil(needed);
  }

  /** Takes a request's price. */
  void take(long price) {
    level.take(price);
  }

  /** Corrects a price after the fact: what is given back does not overflow the bucket. */
  void giveBack(long tokens) {
    level.add(tokens, -TOKENS_MAX);
  }

  /** Keeps the room of a price that was just taken, for a request that is served later. */
  void hold(long price) {
    setHeld(heldTokens + price);
  }

  /** Frees the room of a price that was held: its request is served. */
  void free(long price) {
    setHeld(heldTokens - price);
  }

  /** Puts a price that was held back: its request is not served. */
  void putBack(long price) {
    setHeld(heldTokens - price);
    level.add(price, -TOKENS_MAX);
  }

  private void setHeld(long tokens) {
    heldTokens = tokens;
    level.setBound(depthTokens - tokens);
  }

  boolean isHeld() {
    return heldTokens != 0;
  }

  /** Sets another rate. The level stays what it is: a change gives no tokens and takes none. */
  void setRate(Rate rate, long nowNanos) {
    if (!level.isAt(rate)) {
      refill(nowNanos);
      level.setRate(rate);
    }
  }

  /** What could be taken at once by then. */
  long savedTokens(long nowNanos) {
    refill(nowNanos);
    return Math.max(0, level.tokens());
  }

  /** Whether it would be full by then: forgetting a full bucket changes nothing. */
  boolean isFull(long nowNanos) {
    refill(nowNanos);
    return level.has(depthTokens);
  }

  void checkInvariants() {
    level.checkInvariants(-2 * TOKENS_MAX);
    if (heldTokens < 0) {
      throw new IllegalStateException(heldTokens + " tokens are held for requests to come");
    }
  }
}
