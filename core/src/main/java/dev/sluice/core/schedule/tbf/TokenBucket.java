package dev.sluice.core.schedule.tbf;

import dev.sluice.core.model.Rate;
import dev.sluice.core.model.TokenUnit;

/**
 * Tokens that come in at a rate, up to a depth, and are taken by requests. Exact: it counts in
 * parts of a token so small that every nanosecond brings a whole number of them, so nothing is ever
 * rounded away, however often or late it is looked at.
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
  static final long FOREVER = Long.MAX_VALUE;

  final TokenUnit unit;
  final long depthTokens;

  /** Parts that come in each nanosecond; the rate's tokens. */
  private long partsPerNano;

  /** Parts of one token; the rate's period. */
  private long partsPerToken;

  /** From any level it is full after this long, and until then no product overflows. */
  private long nanosToFullAtMost;

  private long levelParts;
  private long filledAtNanos;

  /** What was taken for requests that are not served yet; it leaves no room for other tokens. */
  private long heldTokens;

  /** A full bucket. */
  TokenBucket(TbfLimit limit, long nowNanos) {
    this.unit = limit.unit();
    this.depthTokens = limit.depthTokens();
    this.filledAtNanos = nowNanos;
    setParts(limit.rate());
    levelParts = depthParts();
  }

  private void setParts(Rate rate) {
    if (rate.isUnlimited()) {
      throw new IllegalArgumentException("what is unlimited needs no bucket");
    }
    partsPerNano = rate.tokens();
    partsPerToken = rate.periodNanos();
    nanosToFullAtMost =
        partsPerNano == 0
            ? FOREVER
            : (depthParts() + TOKENS_MAX * partsPerToken) / partsPerNano + 1;
  }

  private long depthParts() {
    return depthTokens * partsPerToken;
  }

  /** The level at which it is full. */
  private long roomParts() {
    return (depthTokens - heldTokens) * partsPerToken;
  }

  /** What a request costs here. */
  long price(long operations, long bytes) {
    return Math.min(unit.price(operations, bytes), TOKENS_MAX);
  }

  /** Brings the level up to date. */
  void refill(long nowNanos) {
    long elapsed = nowNanos - filledAtNanos;
    if (elapsed <= 0) {
      return;
    }
    filledAtNanos = nowNanos;
    levelParts =
        elapsed >= nanosToFullAtMost
            ? roomParts()
            : Math.min(roomParts(), levelParts + elapsed * partsPerNano);
  }

  /**
   * How long after the last {@link #refill} a request of this price may be served: 0 when it may be
   * now, {@link #FOREVER} when nothing comes in or held tokens leave no room for what it needs.
   * Rounded up, so that at that very instant it may.
   */
  long nanosUntil(long price) {
    long needed = Math.min(price, depthTokens);
    long missing = needed * partsPerToken - levelParts;
    if (missing <= 0) {
      return 0;
    }
    return partsPerNano == 0 || needed > depthTokens - heldTokens
        ? FOREVER
        : Math.ceilDiv(missing, partsPerNano);
  }

  /** Takes a request's price. */
  void take(long price) {
    levelParts -= price * partsPerToken;
  }

  /** Corrects a price after the fact: what is given back does not overflow the bucket. */
  void giveBack(long tokens) {
    levelParts =
        Math.clamp(levelParts + tokens * partsPerToken, -TOKENS_MAX * partsPerToken, roomParts());
  }

  /** Keeps the room of a price that was just taken, for a request that is served later. */
  void hold(long price) {
    heldTokens += price;
  }

  /** Frees the room of a price that was held: its request is served. */
  void free(long price) {
    heldTokens -= price;
  }

  /** Puts a price that was held back: its request is not served. */
  void putBack(long price) {
    heldTokens -= price;
    levelParts += price * partsPerToken;
  }

  boolean isHeld() {
    return heldTokens != 0;
  }

  /** Sets another rate. The level stays what it is: a change gives no tokens and takes none. */
  void setRate(Rate rate, long nowNanos) {
    if (rate.tokens() == partsPerNano && rate.periodNanos() == partsPerToken) {
      return;
    }
    refill(nowNanos);
    long before = partsPerToken;
    long wholeTokens = Math.floorDiv(levelParts, before);
    long rest = Math.floorMod(levelParts, before);
    setParts(rate);
    levelParts = wholeTokens * partsPerToken + rest * partsPerToken / before;
  }

  /** Whether it would be full by then: forgetting a full bucket changes nothing. */
  boolean isFull(long nowNanos) {
    refill(nowNanos);
    return levelParts == depthParts();
  }

  void checkInvariants() {
    if (levelParts > roomParts() || levelParts < -TOKENS_MAX * partsPerToken || heldTokens < 0) {
      throw new IllegalStateException(
          "a bucket of depth "
              + depthTokens
              + " holds "
              + levelParts
              + "/"
              + partsPerToken
              + " tokens and "
              + heldTokens
              + " for requests to come");
    }
  }
}
