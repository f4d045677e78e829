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
 * nanoseconds bring exactly {@code rate × w} tokens, in whatever steps. A change of rate brings
 * nothing and takes less than one part of the new rate. Another bound changes the level only where
 * it is lower.
 */
public final class TokenLevel {
  /** The wait for what never comes. */
  public static final long FOREVER = Long.MAX_VALUE;

  /** Parts that come in each nanosecond; the rate's tokens. */
  private long partsPerNano;

  /** Parts of one token; the rate's period. */
  private long partsPerToken;

  /** Up to so much time brings parts that fit into 63 bits. */
  private long fittingNanos;

  /** Up to so many tokens can be counted in parts. */
  private long fittingTokens;

  private long boundTokens;

  /**
   * What is missing to the bound: these parts and, where all of them would not fit, these tokens.
   * Counted from the bound, because a full one then needs no arithmetic.
   */
  private long missingParts;

  private long missingTokens;

  private long filledAtNanos;

  /**
   * A level.
   *
   * @param tokens what is there; as bound, price or debt less than 2^60
   */
  public TokenLevel(Rate rate, long boundTokens, long tokens, long nowNanos) {
    this.boundTokens = boundTokens;
    this.filledAtNanos = nowNanos;
    setParts(rate);
    lose(boundTokens - Math.min(tokens, boundTokens));
  }

  private void setParts(Rate rate) {
    if (rate.isUnlimited()) {
      throw new IllegalArgumentException("what is unlimited is not counted");
    }
    partsPerNano = rate.tokens();
    partsPerToken = rate.periodNanos();
    fittingNanos = partsPerNano == 0 ? Long.MAX_VALUE : Long.MAX_VALUE / partsPerNano;
    fittingTokens = Long.MAX_VALUE / partsPerToken;
  }

  /** Whole tokens that are there; negative in debt. */
  public long tokens() {
    return boundTokens - missingTokens - Math.ceilDiv(missingParts, partsPerToken);
  }

  /** When it was brought up to date last. */
  public long filledAtNanos() {
    return filledAtNanos;
  }

  /** Brings in what has come since the last time. */
  public void refill(long nowNanos) {
    long elapsed = nowNanos - filledAtNanos;
    if (elapsed <= 0) {
      return;
    }
    filledAtNanos = nowNanos;
    long left = missingParts - elapsed * partsPerNano;
    if (elapsed <= fittingNanos && (missingTokens == 0 || left >= 0)) {
      missingParts = Math.max(0, left);
    } else {
      gain(BigInteger.valueOf(elapsed).multiply(BigInteger.valueOf(partsPerNano)));
    }
  }

  /** Adds parts, whose number need not fit into 63 bits. */
  private void gain(BigInteger parts) {
    BigInteger left = missing().subtract(parts);
    if (left.signum() <= 0) {
      missingTokens = 0;
      missingParts = 0;
      return;
    }
    BigInteger[] divided = left.divideAndRemainder(BigInteger.valueOf(partsPerToken));
    missingTokens = divided[0].longValueExact();
    missingParts = divided[1].longValue();
    countInParts();
  }

  /** Counts as many of the missing tokens in parts as fit. */
  private void countInParts() {
    long fitting = Math.min(missingTokens, (Long.MAX_VALUE - missingParts) / partsPerToken);
    missingTokens -= fitting;
    missingParts += fitting * partsPerToken;
  }

  private BigInteger missing() {
    return BigInteger.valueOf(missingTokens)
        .multiply(BigInteger.valueOf(partsPerToken))
        .add(BigInteger.valueOf(missingParts));
  }

  /** So many tokens are there no longer. */
  private void lose(long tokens) {
    long sum = missingParts + tokens * partsPerToken;
    if (tokens <= fittingTokens && sum >= 0) {
      missingParts = sum;
    } else {
      missingTokens += tokens;
    }
  }

  /** Whether so many tokens are there. */
  public boolean has(long wantedTokens) {
    long spare = boundTokens - wantedTokens;
    return (missingTokens == 0 && spare <= fittingTokens)
        ? spare >= 0 && missingParts <= spare * partsPerToken
        : lacking(spare).signum() <= 0;
  }

  /** Parts by which more is missing than may be; negative where less is. */
  private BigInteger lacking(long spareTokens) {
    return missing()
        .subtract(BigInteger.valueOf(spareTokens).multiply(BigInteger.valueOf(partsPerToken)));
  }

  /**
   * How long after the last {@link #refill} there are so many: 0 when they are there, {@link
   * #FOREVER} when nothing comes in. Rounded up, so that at that very instant they are there; as
   * long as the bound allows for them.
   */
  public long nanosUntil(long wantedTokens) {
    long spare = boundTokens - wantedTokens;
    if (missingTokens == 0 && Long.compareUnsigned(spare, fittingTokens) <= 0) {
      long lacking = missingParts - spare * partsPerToken;
      if (lacking <= 0) {
        return 0;
      }
      return partsPerNano == 0 ? FOREVER : Math.ceilDiv(lacking, partsPerNano);
    }
    return nanosFor(lacking(spare));
  }

  private long nanosFor(BigInteger parts) {
    if (parts.signum() <= 0) {
      return 0;
    }
    if (partsPerNano == 0) {
      return FOREVER;
    }
    BigInteger rate = BigInteger.valueOf(partsPerNano);
    BigInteger wait = parts.add(rate.subtract(BigInteger.ONE)).divide(rate);
    return wait.bitLength() > 62 ? FOREVER : wait.longValue();
  }

  /** Takes tokens that may not be there. */
  public void take(long takenTokens) {
    lose(takenTokens);
  }

  /** Adds tokens, or takes them where there are negative ones to add, but leaves at least these. */
  public void add(long moreTokens, long leastTokens) {
    if (moreTokens <= 0) {
      lose(-moreTokens);
    } else {
      give(moreTokens);
    }
    if (!has(leastTokens)) {
      missingTokens = boundTokens - leastTokens;
      missingParts = 0;
      countInParts();
    }
  }

  private void give(long tokens) {
    long left = missingParts - tokens * partsPerToken;
    if (tokens <= fittingTokens && (missingTokens == 0 || left >= 0)) {
      missingParts = Math.max(0, left);
    } else {
      gain(BigInteger.valueOf(tokens).multiply(BigInteger.valueOf(partsPerToken)));
    }
  }

  /** From now on there may be so many; what is more is gone. */
  public void setBound(long tokens) {
    if (tokens >= boundTokens) {
      lose(tokens - boundTokens);
    } else {
      give(boundTokens - tokens);
    }
    boundTokens = tokens;
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
      missingTokens += missingParts / before;
      missingParts = scaled(missingParts % before, partsPerToken, before);
      countInParts();
    }
  }

  /** Rounded up. */
  private static long scaled(long value, long by, long over) {
    if (Math.multiplyHigh(value, by) == 0 && value * by >= 0) {
      return Math.ceilDiv(value * by, over);
    }
    return BigInteger.valueOf(value)
        .multiply(BigInteger.valueOf(by))
        .add(BigInteger.valueOf(over - 1))
        .divide(BigInteger.valueOf(over))
        .longValue();
  }

  /** Throws {@link IllegalStateException} where it holds more than the bound or less than least. */
  public void checkInvariants(long leastTokens) {
    if (missingTokens < 0 || missingParts < 0 || !has(leastTokens)) {
      throw new IllegalStateException(
          missingTokens
              + " tokens and "
              + missingParts
              + "/"
              + partsPerToken
              + " are missing to "
              + boundTokens
              + ", and "
              + leastTokens
              + " must be there");
    }
  }
}
