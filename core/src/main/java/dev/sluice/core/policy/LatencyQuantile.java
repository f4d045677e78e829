package dev.sluice.core.policy;

import java.util.Arrays;

/**
 * Within what time 99 of 100 requests were served. Small enough to keep one for each job: times are
 * counted in classes, each a quarter of a doubling wide.
 *
 * <p>Theorem. Of times from a microsecond to an hour, the answer is at least the quantile and less
 * than 1.25 times it.
 *
 * <p>Not thread-safe.
 */
final class LatencyQuantile {
  private static final long PERCENT = 99;
  private static final int CLASSES_PER_DOUBLING = 4;

  /** What is shorter is in the first class. */
  private static final int SHORTEST_BITS = 10;

  /** What takes longer, more than an hour, is in the last class. */
  private static final int LONGEST_BITS = 42;

  private final int[] counts = new int[CLASSES_PER_DOUBLING * (LONGEST_BITS - SHORTEST_BITS) + 1];
  private long count;

  void add(long nanos) {
    counts[place(nanos)]++;
    count++;
  }

  private static int place(long nanos) {
    if (nanos < 1L << SHORTEST_BITS) {
      return 0;
    }
    int bits = 63 - Long.numberOfLeadingZeros(nanos);
    if (bits >= LONGEST_BITS) {
      return CLASSES_PER_DOUBLING * (LONGEST_BITS - SHORTEST_BITS);
    }
    int quarter = (int) (nanos >>> (bits - 2)) & (CLASSES_PER_DOUBLING - 1);
    return CLASSES_PER_DOUBLING * (bits - SHORTEST_BITS) + quarter;
  }

  /** The quantile, rounded up to where its class ends; negative where nothing was added. */
  long nanos() {
    if (count == 0) {
      return JobService.NOT_KNOWN;
    }
    long left = Math.ceilDiv(count * PERCENT, 100L);
    int place = 0;
    while (left > counts[place]) {
      left -= counts[place++];
    }
    long quarter = 1L << (SHORTEST_BITS - 2 + place / CLASSES_PER_DOUBLING);
    return quarter * (CLASSES_PER_DOUBLING + 1 + place % CLASSES_PER_DOUBLING) - 1;
  }

  /** Begins anew. */
  void clear() {
    if (count > 0) {
      Arrays.fill(counts, 0);
      count = 0;
    }
  }
}
