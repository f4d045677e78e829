package dev.sluice.lustre.control;

/**
 * Tells from what a job was served whether its rule held it back, and which rate lets how much
 * pass.
 *
 * <p>A server wakes up late for a token, and whatever part of the next had come by then is lost: so
 * the faster a rule is, the further what it lets pass falls behind its rate. How late is a matter
 * of the machine, from a twentieth of a millisecond to a whole one, and is learnt from jobs that
 * use up what they may have. Not thread-safe.
 */
public final class Throttling {
  private static final double LATE_SECONDS = 50e-6;
  private static final double LATE_SECONDS_MAX = 2e-3;

  /**
   * Who used this part of what its rule let pass was held back: requests come unevenly, and at the
   * end of a period a bucket may have just been filled.
   */
  private static final double USED_PART = 0.85;

  /** Who was held back before is still so at this part, lest its rate go up and down. */
  private static final double STILL_USED_PART = 0.75;

  /** Who used less than this of its rate had no more to ask for, however late the server is. */
  private static final double LEARNT_PART = 0.7;

  /** Of fewer requests in a period one more or less looks like lateness. */
  private static final double LEARNT_REQUESTS = 100;

  private static final double GAIN = 0.3;

  /** No rate is raised by more than this to make good what lateness loses. */
  private static final double RAISED_MAX = 1.5;

  private static final double NANOS_PER_SECOND = 1e9;

  private double lateSeconds = LATE_SECONDS;

  /** The least lateness that explains what a job got in this period. */
  private double leastSeconds = Double.POSITIVE_INFINITY;

  /** How many requests a second a rule of this rate lets pass on one partition. */
  public double deliverablePerSecond(long rate) {
    return rate / (1 + rate * lateSeconds);
  }

  /** The rate of a rule that lets so many requests a second pass on one partition. */
  double rateFor(double perSecond) {
    double left = 1 - perSecond * lateSeconds;
    return left <= 1 / RAISED_MAX ? perSecond * RAISED_MAX : perSecond / left;
  }

  /**
   * Whether a job that was served so much may have had more to be served. Each partition applies
   * the rate for itself, and only the sum over all of them is known: whoever used up one
   * partition's worth may have been held back there, whatever it did not use on the others.
   *
   * @param before whether it was held back in the period before
   */
  public boolean isHeldBack(double served, long rate, boolean before, long periodNanos) {
    return served >= (before ? STILL_USED_PART : USED_PART) * deliverable(rate, periodNanos);
  }

  /**
   * On how many partitions a job was served if it was held back on each: one partition's worth
   * stands for one. Never more than it has been on at all.
   */
  int usedPartitions(double served, long rate, int most, long periodNanos) {
    double worth = served / deliverable(rate, periodNanos);
    return (int) Math.clamp(Math.ceil(worth - (1 - USED_PART)), 1, (double) most);
  }

  double deliverable(long rate, long periodNanos) {
    return deliverablePerSecond(rate) * periodNanos / NANOS_PER_SECOND;
  }

  /** A job with this rate was served so much on one partition while requests waited. */
  void consider(double served, long rate, long periodNanos) {
    double seconds = periodNanos / NANOS_PER_SECOND;
    if (served >= LEARNT_REQUESTS && served >= LEARNT_PART * rate * seconds) {
      leastSeconds = Math.min(leastSeconds, Math.max(0, seconds / served - 1.0 / rate));
    }
  }

  /**
   * All jobs of a period were considered. Some requests waited, so whoever came closest to its rate
   * was held back, if by nothing else.
   */
  void learn() {
    if (leastSeconds < Double.POSITIVE_INFINITY) {
      lateSeconds = Math.min(LATE_SECONDS_MAX, lateSeconds + GAIN * (leastSeconds - lateSeconds));
    }
    leastSeconds = Double.POSITIVE_INFINITY;
  }

  /** By how much the server is taken to wake up late. */
  double lateSeconds() {
    return lateSeconds;
  }
}
