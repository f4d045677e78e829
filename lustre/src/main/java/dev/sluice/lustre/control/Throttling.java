package dev.sluice.lustre.control;

/**
 * Tells from what a job was served whether its rule held it back. Lustre does not say: it counts
 * requests when it has served them, and nobody counts those that wait.
 */
public final class Throttling {
  /**
   * By how much the server wakes up late for a token. Whatever part of a token had come by then is
   * lost, so the faster a rule is, the further what it lets pass falls behind its rate.
   */
  private static final double LATE_SECONDS = 50e-6;

  /**
   * Who used this part of what its rule let pass was held back: requests come unevenly, and at the
   * end of a period a bucket may have just been filled.
   */
  private static final double USED_PART = 0.85;

  private static final double NANOS_PER_SECOND = 1e9;

  private Throttling() {}

  /** How many requests a second a rule of this rate lets pass on one partition. */
  public static double deliverablePerSecond(long rate) {
    return rate / (1 + rate * LATE_SECONDS);
  }

  /**
   * Whether a job that was served so much may have had more to be served. Each partition applies
   * the rate for itself, and only the sum over all of them is known: whoever used up one
   * partition's worth may have been held back there, whatever it did not use on the others.
   */
  public static boolean isHeldBack(long rpcs, long rate, long periodNanos) {
    return rpcs >= USED_PART * deliverable(rate, periodNanos);
  }

  /**
   * On how many partitions a job was served if it was held back on each: one partition's worth
   * stands for one. Never more than it has been on at all.
   */
  static int usedPartitions(long rpcs, long rate, int most, long periodNanos) {
    double worth = rpcs / deliverable(rate, periodNanos);
    return (int) Math.clamp(Math.ceil(worth - (1 - USED_PART)), 1, (double) most);
  }

  private static double deliverable(long rate, long periodNanos) {
    return deliverablePerSecond(rate) * periodNanos / NANOS_PER_SECOND;
  }
}
