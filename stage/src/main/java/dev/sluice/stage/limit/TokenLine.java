package dev.sluice.stage.limit;

import static dev.sluice.stage.layout.StageLayout.RATE_SHIFT;
import static dev.sluice.stage.layout.StageLayout.UNIT_SHIFT;

import dev.sluice.core.model.Rate;
import java.math.BigInteger;

/**
 * How many tokens a bucket has handed out at each instant: a number of units at one instant, rising
 * by a rate from there. Units are parts of a token and wrap around; only differences mean anything.
 *
 * @param rate units in a nanosecond, with binary places
 * @param burstUnits how far tickets may lag behind the line, which is what an idle job may save
 * @param leaseTokens how many a thread may take at once
 * @param millionths the rate as it was given, in millionths of a token a second; 0 where nothing is
 *     limited
 */
public record TokenLine(
    long fromNanos,
    long fromUnits,
    long rate,
    long burstUnits,
    long leaseTokens,
    long millionths,
    boolean unlimited) {
  /**
   * What may be saved, as a time. Less, and threads that the machine lets run too late lose tokens;
   * more, and a job exceeds its rate for longer after a rest.
   */
  static final long BURST_NANOS = 20_000_000;

  /** What a thread may hold, as a time: short against the burst, long against a call. */
  static final long LEASE_NANOS = 500_000;

  private static final long LEASE_TOKENS_MAX = 1 << 20;

  private static final BigInteger MILLIONTHS_AND_NANOS =
      BigInteger.valueOf(LimitChange.MILLIONTHS * Rate.NANOS_PER_SECOND);

  /** A line that limits nothing. */
  public static TokenLine unlimitedFrom(long units, long nowNanos) {
    return new TokenLine(nowNanos, units, 0, 0, 0, 0, true);
  }

  public long unitsAt(long nowNanos) {
    long passed = Math.max(0, nowNanos - fromNanos);
    long high = Math.unsignedMultiplyHigh(passed, rate);
    long low = passed * rate;
    return fromUnits + (high << (Long.SIZE - RATE_SHIFT) | low >>> RATE_SHIFT);
  }

  /** Goes on from where this line is now, with another rate. */
  public TokenLine withRate(long newMillionths, long nowNanos) {
    return new TokenLine(
        nowNanos,
        unitsAt(nowNanos),
        unitsPerNano(newMillionths),
        Math.max(1, within(BURST_NANOS, newMillionths)) << UNIT_SHIFT,
        Math.clamp(within(LEASE_NANOS, newMillionths), 1, LEASE_TOKENS_MAX),
        newMillionths,
        false);
  }

  /** Goes on from where this line is now, without a limit. */
  public TokenLine withoutRate(long nowNanos) {
    return unlimitedFrom(unitsAt(nowNanos), nowNanos);
  }

  /** The same line, so many units further. */
  public TokenLine movedBy(long units, long nowNanos) {
    return new TokenLine(
        nowNanos, unitsAt(nowNanos) + units, rate, burstUnits, leaseTokens, millionths, unlimited);
  }

  /** Whether threads that have taken tokens from this line hold too many for the other. */
  public boolean endsLeasesOf(TokenLine before) {
    return !unlimited && (before.unlimited || millionths < before.millionths / 2);
  }

  private static long within(long nanos, long millionths) {
    return BigInteger.valueOf(millionths)
        .multiply(BigInteger.valueOf(nanos))
        .divide(MILLIONTHS_AND_NANOS)
        .longValueExact();
  }

  private static long unitsPerNano(long millionths) {
    return BigInteger.valueOf(millionths)
        .shiftLeft(UNIT_SHIFT + RATE_SHIFT)
        .divide(MILLIONTHS_AND_NANOS)
        .longValueExact();
  }
}
