package dev.sluice.sim.result;

import org.HdrHistogram.Histogram;

/** How long requests took, and those that still wait have waited. Not thread-safe. */
public final class Latencies {
  private static final long UNIT_NANOS = 1_000;
  private static final int DIGITS = 3;

  private final Histogram histogram = new Histogram(UNIT_NANOS, 2 * UNIT_NANOS, DIGITS);
  private long waiting;
  private long oldestWaitNanos;
  private long maxNanos;

  public Latencies() {
    histogram.setAutoResize(true);
  }

  /** So many requests took that long each. */
  public void completed(long nanos, long requests) {
    histogram.recordValueWithCount(nanos, requests);
    maxNanos = Math.max(maxNanos, nanos);
  }

  /** So many requests have waited for that long each when the books are closed, and still do. */
  public void waiting(long ageNanos, long requests) {
    completed(ageNanos, requests);
    waiting += requests;
    oldestWaitNanos = Math.max(oldestWaitNanos, ageNanos);
  }

  public LatencySummary summary() {
    if (histogram.getTotalCount() == 0) {
      return LatencySummary.NONE;
    }
    return new LatencySummary(
        histogram.getTotalCount(),
        waiting,
        oldestWaitNanos,
        Math.round(histogram.getMean()),
        percentile(50),
        percentile(95),
        percentile(99),
        maxNanos);
  }

  /** The histogram rounds up, which must not make a percentile larger than the largest value. */
  private long percentile(double percent) {
    return Math.min(histogram.getValueAtPercentile(percent), maxNanos);
  }
}
