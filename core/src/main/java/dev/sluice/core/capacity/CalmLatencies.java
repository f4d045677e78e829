package dev.sluice.core.capacity;

import dev.sluice.core.model.Operation;
import java.util.function.DoubleBinaryOperator;

/**
 * How long requests of each kind and size take while the storage has little to do, as a mean: what
 * latencies under load are compared with. Sizes count by powers of two.
 */
final class CalmLatencies {
  private static final int SIZES = 33;
  private static final int KINDS = 3;

  /** A kind of which fewer were seen says nothing. */
  private static final int ENOUGH = 8;

  /** What a calm time without queueing shows counts so much against what is known. */
  private static final double FALL = 0.125;

  private final double[] calm = new double[KINDS * SIZES];
  private final double[] sums = new double[KINDS * SIZES];
  private final int[] counts = new int[KINDS * SIZES];

  private double seenNanos;
  private double expectedNanos;
  private int seen;

  private static int kind(Operation operation, long bytes) {
    int kind =
        switch (operation) {
          case READ -> 0;
          case WRITE -> 1;
          default -> 2;
        };
    return kind * SIZES + Math.min(SIZES - 1, 64 - Long.numberOfLeadingZeros(bytes));
  }

  void took(Operation operation, long bytes, long nanos) {
    int kind = kind(operation, bytes);
    seen++;
    sums[kind] += nanos;
    counts[kind]++;
    if (calm[kind] > 0) {
      seenNanos += nanos;
      expectedNanos += calm[kind];
    }
  }

  /** How many were seen since the last look. */
  int seen() {
    return seen;
  }

  /** By what requests took longer since the last look than in calm; 1 where nothing is known. */
  double stretch() {
    return expectedNanos == 0 ? 1 : seenNanos / expectedNanos;
  }

  /** The mean of what requests of the mix that is seen take in calm; 0 where nothing is known. */
  double expectedNanos() {
    return seen == 0 ? 0 : expectedNanos / seen;
  }

  /** Ends a look at a calm storage: this is what requests take there. */
  void learn() {
    change((_, mean) -> mean);
  }

  /** Ends a look at a storage that is not in full use: requests take that long at most. */
  void lower() {
    change((known, mean) -> known + FALL * Math.min(0, mean - known));
  }

  /**
   * Makes what is known of kinds of which enough were seen something else. Of the others too few
   * were, but whatever slowed or sped all up that were seen does so with these: by as much, both
   * ways, or what is seldom seen would take longer and longer.
   *
   * @param next what is known from now on, of what was and of a mean that was seen
   */
  private void change(DoubleBinaryOperator next) {
    double before = 0;
    double after = 0;
    for (int kind = 0; kind < calm.length; kind++) {
      if (counts[kind] > 0 && calm[kind] > 0) {
        before += counts[kind] * calm[kind];
        after += counts[kind] * next.applyAsDouble(calm[kind], sums[kind] / counts[kind]);
      }
    }
    double slowed = before == 0 ? 1 : after / before;
    for (int kind = 0; kind < calm.length; kind++) {
      if (counts[kind] < ENOUGH) {
        calm[kind] *= slowed;
      } else {
        double mean = sums[kind] / counts[kind];
        calm[kind] = calm[kind] == 0 ? mean : next.applyAsDouble(calm[kind], mean);
      }
    }
    look();
  }

  /** Ends a look at a storage in full use. Kinds that are new are taken to be as slowed as all. */
  void look() {
    double stretch = Math.max(1, stretch());
    for (int kind = 0; kind < calm.length; kind++) {
      if (calm[kind] == 0 && counts[kind] >= ENOUGH) {
        calm[kind] = sums[kind] / counts[kind] / stretch;
      }
      sums[kind] = 0;
      counts[kind] = 0;
    }
    seenNanos = 0;
    expectedNanos = 0;
    seen = 0;
  }
}
