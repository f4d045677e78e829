package dev.sluice.jobs.slurm;

/**
 * When to ask Slurm next, so that nobody there notices us: once a period while it answers at once,
 * seldom while it is slow, and ever more seldom while it does not answer. Not thread-safe.
 *
 * <p>Theorem: asking takes at most one part in {@value #REST_FACTOR} of the time, and two calls
 * begin at least a period apart, or what there is between tries, unless {@link #askSoon} came
 * between.
 */
final class PollSchedule {
  /** A call is followed by a rest this many times as long. */
  static final int REST_FACTOR = 20;

  /** How far the back-off goes: so many doublings. */
  private static final int DOUBLINGS_MAX = 4;

  private final long periodNanos;
  private final long retryNanos;
  private long dueNanos;
  private int failures;

  /** The first call is due at once. */
  PollSchedule(long periodNanos, long nowNanos) {
    this(periodNanos, periodNanos, nowNanos);
  }

  /**
   * The same where who did not answer is asked again sooner than who did.
   *
   * @param retryNanos what is doubled while there is no answer
   */
  PollSchedule(long periodNanos, long retryNanos, long nowNanos) {
    this.periodNanos = periodNanos;
    this.retryNanos = retryNanos;
    this.dueNanos = nowNanos;
  }

  /** How long until the next call is due; 0 when it is. */
  long nanosLeft(long nowNanos) {
    return Math.max(0, dueNanos - nowNanos);
  }

  void answered(long startNanos, long endNanos) {
    failures = 0;
    rest(startNanos, endNanos, periodNanos);
  }

  void failed(long startNanos, long endNanos) {
    failures++;
    rest(startNanos, endNanos, retryNanos << Math.min(failures - 1, DOUBLINGS_MAX));
  }

  private void rest(long startNanos, long endNanos, long waitNanos) {
    long took = Math.max(0, endNanos - startNanos);
    dueNanos = Math.max(startNanos + waitNanos, endNanos + REST_FACTOR * took);
  }

  /** Somebody wants to know now. */
  void askSoon(long nowNanos) {
    dueNanos = Math.min(dueNanos, nowNanos);
  }

  /** How many calls in a row have failed. */
  int failures() {
    return failures;
  }
}
