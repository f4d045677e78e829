package dev.sluice.sim.report;

import dev.sluice.sim.result.Timeline;
import java.util.Arrays;

/**
 * A common grid of time on which timelines of any width are laid.
 *
 * @param widthNanos of one cell
 * @param endNanos where the last cell ends, complete or not
 */
public record Samples(long widthNanos, int count, long endNanos) {
  private static final double NANOS_PER_SECOND = 1e9;

  /** The finest grid with at most {@code cellsMax} cells whose width is a multiple of the given. */
  public static Samples until(long endNanos, long widthNanos, int cellsMax) {
    long cells = Math.max(1, (endNanos + widthNanos - 1) / widthNanos);
    long merged = (cells + cellsMax - 1) / cellsMax;
    return new Samples(widthNanos * merged, (int) ((cells + merged - 1) / merged), endNanos);
  }

  long startNanos(int cell) {
    return cell * widthNanos;
  }

  private double lengthNanos(int cell) {
    long length = Math.min(widthNanos, endNanos - startNanos(cell));
    return (double) Math.max(1, length);
  }

  /** The middles of the cells in seconds. */
  public double[] middles() {
    double[] middles = new double[count];
    for (int i = 0; i < count; i++) {
      middles[i] = (startNanos(i) + lengthNanos(i) / 2) / NANOS_PER_SECOND;
    }
    return middles;
  }

  /** Amounts per second in each cell. */
  double[] rates(Timeline timeline) {
    double[] amounts = new double[count];
    spread(timeline, amounts, false);
    for (int i = 0; i < count; i++) {
      amounts[i] *= NANOS_PER_SECOND / lengthNanos(i);
    }
    return amounts;
  }

  /**
   * The rates as they should be drawn: without a last cell that was cut short, where a single
   * request that completed in a sliver of time would be a peak.
   */
  public double[] drawnRates(Timeline timeline) {
    double[] rates = rates(timeline);
    if (count > 1 && lengthNanos(count - 1) < widthNanos / 2.0) {
      rates[count - 1] = Double.NaN;
    }
    return rates;
  }

  /** The mean level in each cell; not a number where nothing was said any more. */
  public double[] levels(Timeline timeline) {
    double[] levels = new double[count];
    double[] covered = spread(timeline, levels, true);
    for (int i = 0; i < count; i++) {
      levels[i] = covered[i] > 0 ? levels[i] / covered[i] : Double.NaN;
    }
    return levels;
  }

  /**
   * Adds each sample to the cells that it lies in: an amount in parts, a level by the time it holds
   * there. Returns how much of each cell was covered, in nanoseconds.
   */
  private double[] spread(Timeline timeline, double[] sums, boolean levels) {
    double[] covered = new double[count];
    long sampleNanos = timeline.widthNanos();
    for (int i = 0; i < timeline.size(); i++) {
      long from = i * sampleNanos;
      long until = from + sampleNanos;
      for (long at = from; at < until; ) {
        // What lies beyond the end, if anything does, belongs to the last cell.
        int cell = (int) Math.min(count - 1, at / widthNanos);
        long next = cell == count - 1 ? until : Math.min(until, startNanos(cell + 1));
        double part = (double) (next - at);
        sums[cell] += timeline.value(i) * (levels ? part : part / sampleNanos);
        covered[cell] += part;
        at = next;
      }
    }
    return covered;
  }

  /** Adds values to others cell by cell; what is not a number counts nothing beside a number. */
  static double[] plus(double[] left, double[] right) {
    double[] sum = left.clone();
    Arrays.setAll(
        sum,
        i ->
            Double.isNaN(left[i])
                ? right[i]
                : Double.isNaN(right[i]) ? left[i] : left[i] + right[i]);
    return sum;
  }
}
