package dev.sluice.core.schedule.anticipation;

/**
 * How long a job usually has nothing queued before it comes back: the moving average of that time
 * and of how far it is off, as TCP keeps them for its round trips.
 *
 * @param <J> what the scheduler keeps of a job
 */
public final class Absence<J> {
  /** Who is away for longer does not come back, but comes anew. */
  static final long LONGEST_NANOS = 1_000_000_000;

  private static final int SAMPLES_MIN = 3;
  private static final int MEAN_BITS = 3;
  private static final int DEVIATION_BITS = 2;
  private static final long MARGIN_NANOS = 250_000;
  private static final long BARRED_NANOS_AT_FIRST = 50_000_000;
  private static final int BARRED_DOUBLINGS_MAX = 8;

  final J job;

  /** Its place in the list of those that are away; -1 while it is not there. */
  int awayIndex = -1;

  /** Whether others were held for it while it was away. */
  boolean awaited;

  /** What its last request cost. */
  long price;

  private boolean empty;
  private long emptySinceNanos;
  private int samples;
  private long meanNanos;
  private long deviationNanos;
  private int missed;
  private boolean barred;
  private long barredUntilNanos;

  Absence(J job) {
    this.job = job;
  }

  /** The job has nothing queued from now on. */
  void begin(long lastPrice, long nowNanos) {
    empty = true;
    emptySinceNanos = nowNanos;
    price = lastPrice;
    awaited = false;
  }

  /** The job has something queued again. */
  void end(long nowNanos) {
    if (!empty) {
      return;
    }
    empty = false;
    long gap = nowNanos - emptySinceNanos;
    if (gap > LONGEST_NANOS) {
      samples = 0;
      return;
    }
    if (samples == 0) {
      meanNanos = gap;
      deviationNanos = gap / 2;
    } else {
      long off = gap - meanNanos;
      deviationNanos += (Math.abs(off) - deviationNanos) >> DEVIATION_BITS;
      meanNanos += off >> MEAN_BITS;
    }
    samples = Math.min(samples + 1, SAMPLES_MIN);
    if (awaited && nowNanos - dueNanos() <= 0) {
      missed = Math.max(0, missed - 1);
    }
  }

  /** Whether it began not long ago. */
  public boolean isRecent(long nowNanos) {
    return empty && nowNanos - emptySinceNanos <= LONGEST_NANOS;
  }

  /** Whether it is known well enough when it comes back, and it kept to that of late. */
  boolean isExpected(long nowNanos) {
    barred = barred && nowNanos - barredUntilNanos < 0;
    return empty && samples >= SAMPLES_MIN && !barred;
  }

  /** When it has come back if it does as usual. */
  long dueNanos() {
    return emptySinceNanos + meanNanos + 2 * deviationNanos + MARGIN_NANOS;
  }

  /** Others were held for it in vain: for a while, and for longer each time, they are not. */
  void miss(long nowNanos) {
    barred = true;
    barredUntilNanos = nowNanos + (BARRED_NANOS_AT_FIRST << missed);
    missed = Math.min(missed + 1, BARRED_DOUBLINGS_MAX);
  }
}
