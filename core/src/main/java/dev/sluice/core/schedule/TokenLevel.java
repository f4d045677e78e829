package dev.sluice.core.schedule;

import dev.sluice.core.model.Rate;
import java.math.BigInteger;

/**
 * How many tokens are there, when they come in at a rate, up to a bound, and are taken. Exact: what
 * is less than a token is counted in parts so small that every nanosecond brings a whole number of
 * them, so nothing is ever rounded away, however slow the rate and however often or late it is
 * looked at. What buckets are made of.
 *
 * <p>Theorem. While neither the bound nor the rate changes and the bound is not reached, {@code w}
 * nanoseconds bring exactly {@code rate × w} tokens, in whatever steps. A change of rate brings and
 * takes less than one part of the new rate.
 */
public final class TokenLevel {
  /** The wait for what never comes. */
  public static final long FOREVER = Long.MAX_VALUE;

  /** Levels, bounds and prices stay below this, so that their sums and differences fit. */
  private static final long TOKENS_MAX = 1L << 60;

  /** Parts that come in each nanosecond; the rate's tokens. */
  private long partsPerNano;

  /** Parts of one token; the rate's period. */
  private long partsPerToken;

  /** Up to so much time brings parts that fit. */
  private long fittingNanos;

  private long tokens;

  /** Parts of a token beyond the whole ones: from 0 to less than a token. */
  private long parts;

  private long filledAtNanos;

  public TokenLevel(Rate rate, long tokens, long nowNanos) {
    this.tokens = tokens;
    this.filledAtNanos = nowNanos;
    setParts(rate);
  }

  private void setParts(Rate rate) {
    if (rate.isUnlimited()) {
      throw new IllegalArgumentException("what is unlimited is not counted");
    }
    partsPerNano = rate.tokens();
    partsPerToken = rate.periodNanos();
    fittingNanos =
        partsPerNano == 0 ? Long.MAX_VALUE : (Long.MAX_VALUE / 2 - partsPerToken) / partsPerNano;
  }

  /** Whole tokens that are there; negative in debt. */
  public long tokens() {
    return tokens;
  }

  /** When it was brought up to date last. */
  public long filledAtNanos() {
    return filledAtNanos;
  }

  /** Brings in what has come since the last time, up to a bound. */
  public void refill(long boundTokens, long nowNanos) {
    long elapsed = nowNanos - filledAtNanos;
    if (elapsed <= 0) {
      return;
    }
    filledAtNanos = nowNanos;
    if (elapsed <= fittingNanos) {
      long sum = parts + elapsed * partsPerNano;
      if (sum < partsPerToken) {
        parts = sum;
      } else {
        tokens += sum / partsPerToken;
        parts = sum % partsPerToken;
      }
    } else {
      bringInMuch(elapsed);
    }
    bound(boundTokens);
  }

  /** What does not fit into 63 bits while it is counted in parts. */
  private void bringInMuch(long elapsedNanos) {
    BigInteger[] sum =
        BigInteger.valueOf(elapsedNanos)
            .multiply(BigInteger.valueOf(partsPerNano))
            .add(BigInteger.valueOf(parts))
            .divideAndRemainder(BigInteger.valueOf(partsPerToken));
    if (sum[0].bitLength() >= 60) {
      tokens = TOKENS_MAX;
      parts = 0;
    } else {
      tokens += sum[0].longValue();
      parts = sum[1].longValue();
    }
  }

  private void bound(long boundTokens) {
    if (tokens >= boundTokens) {
      tokens = boundTokens;
      parts = 0;
    }
  }

  /**
   * How long after the last {@link #refill} there are so many: 0 when they are there, {@link
   * #FOREVER} when nothing comes in. Rounded up, so that at that very instant they are there.
   */
  public long nanosUntil(long wantedTokens) {
    long missing = wantedTokens - tokens;
    if (missing <= 0) {
      return 0;
    }
    if (partsPerNano == 0) {
      return FOREVER;
    }
    if (missing <= Long.MAX_VALUE / partsPerToken) {
      return Math.ceilDiv(missing * partsPerToken - parts, partsPerNano);
    }
    BigInteger rate = BigInteger.valueOf(partsPerNano);
    BigInteger wait =
        BigInteger.valueOf(missing)
            .multiply(BigInteger.valueOf(partsPerToken))
            .subtract(BigInteger.valueOf(parts))
            .add(rate.subtract(BigInteger.ONE))
            .divide(rate);
    return wait.bitLength() > 62 ? FOREVER : wait.longValue();
  }

  /** Adds tokens, or takes them where there are negative ones to add, within these bounds. */
  public void add(long moreTokens, long leastTokens, long boundTokens) {
    tokens += moreTokens;
    if (tokens < leastTokens) {
      tokens = leastTokens;
      parts = 0;
    }
    bound(boundTokens);
  }

  /** Takes tokens that may not be there. */
  public void take(long takenTokens) {
    tokens -= takenTokens;
  }

  /** Whether tokens come in at this rate. */
  public boolean isAt(Rate rate) {
    return rate.tokens() == partsPerNano && rate.periodNanos() == partsPerToken;
  }

  /** From the last {@link #refill} on, tokens come in at another rate. */
  public void setRate(Rate rate) {
    long before = partsPerToken;
    setParts(rate);
    if (before != partsPerToken) {
      parts = Math.min(scaled(parts, partsPerToken, before), partsPerToken - 1);
    }
  }

  private static long scaled(long value, long by, long over) {
    if (Math.multiplyHigh(value, by) == 0 && value * by >= 0) {
      return value * by / over;
    }
    return BigInteger.valueOf(value)
        .multiply(BigInteger.valueOf(by))
        .divide(BigInteger.valueOf(over))
        .longValue();
  }

  /** Throws {@link IllegalStateException} where it holds more than the bound or less than least. */
  public void checkInvariants(long leastTokens, long boundTokens) {
    if (tokens > boundTokens
        || (tokens == boundTokens && parts != 0)
        || tokens < leastTokens
        || parts < 0
        || parts >= partsPerToken) {
      throw new IllegalStateException(
          tokens
              + " tokens and "
              + parts
              + "/"
              + partsPerToken
              + " are not from "
              + leastTokens
              + " to "
              + boundTokens);
    }
  }
}
