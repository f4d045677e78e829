package dev.sluice.core.period;

import java.util.Arrays;

/** The intervals between bursts, each of one cycle, or of several whose bursts are missing. */
final class Cycles {
  /** No more than one interval in so many may have bursts missing. */
  static final int INTERVALS_PER_MISSING = 4;

  /** For every such interval chance has had more tries to look even. */
  static final double LOG_DOUBT_PER_MISSING = Math.log(50);

  /** So many intervals say how long a cycle is now. */
  private static final int RECENT = 5;

  private static final int CYCLES_MAX = 3;
  private static final double TOLERANCE = 0.2;

  private final double[] intervals;
  private final int[] multiples;

  /** How many intervals from each one on have bursts missing. */
  private final int[] missing;

  private Cycles(double[] intervals, int[] multiples) {
    this.intervals = intervals;
    this.multiples = multiples;
    missing = new int[intervals.length + 1];
    for (int i = intervals.length - 1; i >= 0; i--) {
      missing[i] = missing[i + 1] + (multiples[i] > 1 ? 1 : 0);
    }
  }

  /** The intervals between moments, of which there are {@code count}; no burst is missing. */
  static Cycles between(double[] begins, int count) {
    double[] intervals = new double[count - 1];
    Arrays.setAll(intervals, i -> begins[i + 1] - begins[i]);
    int[] multiples = new int[count - 1];
    Arrays.fill(multiples, 1);
    return new Cycles(intervals, multiples);
  }

  /**
   * The same intervals, where those count as several cycles that are about twice or three times as
   * long as the recent ones. Two such intervals in a row are a slower rhythm, and stay what they
   * are.
   */
  Cycles filled() {
    double[] recent =
        Arrays.copyOfRange(intervals, Math.max(0, intervals.length - RECENT), intervals.length);
    Arrays.sort(recent);
    double cycle = recent[recent.length / 2];
    int[] filled = new int[intervals.length];
    for (int i = 0; i < intervals.length; i++) {
      int multiple = (int) Math.rint(intervals[i] / cycle);
      boolean bursts =
          multiple > 1
              && multiple <= CYCLES_MAX
              && Math.abs(intervals[i] / (multiple * cycle) - 1) < TOLERANCE
              && (i == 0 || filled[i - 1] == 1);
      filled[i] = bursts ? multiple : 1;
    }
    return new Cycles(intervals, filled);
  }

  int size() {
    return intervals.length;
  }

  /** The length of a cycle in an interval. */
  double length(int interval) {
    return intervals[interval] / multiples[interval];
  }

  /** How many of the intervals from one on have bursts missing. */
  int missingFrom(int interval) {
    return missing[interval];
  }
}
