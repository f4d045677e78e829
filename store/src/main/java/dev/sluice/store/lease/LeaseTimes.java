package dev.sluice.store.lease;

import dev.sluice.core.model.Quantities;

/**
 * How long a lease lasts, and how often it is looked after.
 *
 * @param leaseNanos how long others let a lease that is not renewed be
 * @param marginNanos how much sooner its holder stops, so that clocks may differ in speed by this
 *     part of the lease, and what was begun just before may end
 * @param renewNanos how often the holder renews it
 * @param lookNanos how often the others look
 */
public record LeaseTimes(long leaseNanos, long marginNanos, long renewNanos, long lookNanos) {
  private static final long MILLI = 1_000_000;

  /** A leader that dies is replaced within 3 s, so that its members are served within 5 s. */
  public static final LeaseTimes STANDARD =
      new LeaseTimes(2_000 * MILLI, 400 * MILLI, 400 * MILLI, 200 * MILLI);

  public LeaseTimes {
    if (marginNanos < 1
        || renewNanos < 1
        || lookNanos < 1
        || leaseNanos - marginNanos <= 2 * renewNanos) {
      throw new IllegalArgumentException(
          "expected a lease in which two renewals fit before its margin: lease "
              + Quantities.formatDuration(leaseNanos)
              + ", margin "
              + Quantities.formatDuration(marginNanos)
              + ", renewed every "
              + Quantities.formatDuration(renewNanos));
    }
  }

  /**
   * How long it takes at most until another holds the lease of one that has died or was stopped,
   * without the time that the database takes: the last renewal is seen with the next look, and is
   * then let be for a whole lease. For another that looked before; one that starts later counts
   * from its own first look.
   */
  public long takeoverNanosMax() {
    return lookNanos + leaseNanos;
  }
}
