package dev.sluice.load.play;

import dev.sluice.sim.result.LatencySummary;
import org.HdrHistogram.Histogram;

/** How long things took. Not thread-safe. */
final class Latencies {
  private static final long UNIT_NANOS = 1_000;
  private static final int DIGITS = 3;

  private final Histogram histogram = new Histogram(UNIT_NANOS, 2 * UNIT_NANOS, DIGITS);
  private long maxNanos;

  Latencies() {
    histogram.setAutoResize(true);
  }

  void record(long nanos) {
    histogram.recordValue(nanos);
    maxNanos = Math.max(maxNanos, nanos);
  }

  LatencySummary summary() {
    if (histogram.getTotalCount() == 0) {
      return LatencySummary.NONE;
    }
    return new LatencySummary(
        histogram.getTotalCount(),
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
