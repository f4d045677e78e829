package dev.sluice.core.measure;

import java.util.OptionalDouble;

/**
 * The measures by which jobs, targets and policies are compared. Simulation, experiments and live
 * figures all take them from here, so that one word means one thing.
 *
 * <p>Where a measure says nothing, because nothing was done or no time passed, the answer is empty:
 * neither zero nor one would be true.
 */
public final class Measures {
  private static final double NANOS_PER_SECOND = 1e9;

  private Measures() {}

  /**
   * Throughput: what was done, divided by the time from the beginning to the end, in units per
   * second. Empty where no time passed.
   */
  public static OptionalDouble throughputPerSecond(double amount, long elapsedNanos) {
    return ratio(amount, requireNotNegative(elapsedNanos, "elapsed") / NANOS_PER_SECOND);
  }

  /**
   * Effective bandwidth: the bytes moved, divided by only that time in which at least one request
   * was outstanding, in bytes per second: what the job felt while it did I/O. Empty where it did
   * none.
   */
  public static OptionalDouble effectiveBytesPerSecond(long bytes, long ioNanos) {
    return ratio(
        requireNotNegative(bytes, "bytes"),
        requireNotNegative(ioNanos, "I/O time") / NANOS_PER_SECOND);
  }

  /**
   * Stretch: the time from a job's beginning to its end, divided by what it would have taken with
   * the storage to itself, {@code (end − begin) / (compute + isolated I/O)}. 1 is undisturbed.
   * Empty where it would have taken no time.
   */
  public static OptionalDouble stretch(
      long beginNanos, long endNanos, long computeNanos, long isolatedIoNanos) {
    return ratio(
        elapsed(beginNanos, endNanos),
        requireNotNegative(computeNanos, "compute time")
            + requireNotNegative(isolatedIoNanos, "isolated I/O time"));
  }

  /**
   * I/O slowdown: the time a job did not compute, divided by the time its I/O would have taken with
   * the storage to itself, {@code (end − begin − compute) / isolated I/O}. 1 is undisturbed. Empty
   * where its I/O would have taken no time.
   */
  public static OptionalDouble ioSlowdown(
      long beginNanos, long endNanos, long computeNanos, long isolatedIoNanos) {
    return ratio(
        elapsed(beginNanos, endNanos) - requireNotNegative(computeNanos, "compute time"),
        requireNotNegative(isolatedIoNanos, "isolated I/O time"));
  }

  /**
   * Utilisation of a target: the part of the time in which it was serving something, 0 to 1. Empty
   * where no time passed.
   */
  public static OptionalDouble utilisation(long busyNanos, long elapsedNanos) {
    return ratio(
        requireNotNegative(busyNanos, "busy time"), requireNotNegative(elapsedNanos, "elapsed"));
  }

  /**
   * Utilisation of the compute side: the part of the jobs' time that went into computing rather
   * than waiting for I/O, {@code Σ compute / (N · (end − begin))} over N jobs, 0 to 1. Empty where
   * there is no job or no time passed.
   */
  public static OptionalDouble computeUtilisation(long[] computeNanos, long elapsedNanos) {
    double sum = 0;
    for (long nanos : computeNanos) {
      sum += requireNotNegative(nanos, "compute time");
    }
    return ratio(
        sum, (double) computeNanos.length * requireNotNegative(elapsedNanos, "elapsed time"));
  }

  /**
   * Jain's fairness index of throughput per weight: {@code (Σ x)² / (n · Σ x²)} with {@code x =
   * throughput / weight}.
   *
   * <p>Theorem: it lies between {@code 1/n} and 1, is 1 exactly when all have the same throughput
   * per weight, is {@code k/n} when k have the same and the others nothing, and does not change
   * when all throughputs, or all weights, are multiplied by the same number.
   *
   * <p>Empty where nobody got anything.
   */
  public static OptionalDouble jainIndex(double[] throughputs, double[] weights) {
    if (throughputs.length != weights.length) {
      throw new IllegalArgumentException(
          throughputs.length + " throughputs for " + weights.length + " weights");
    }
    double[] shares = new double[throughputs.length];
    double largest = 0;
    for (int i = 0; i < shares.length; i++) {
      if (!(weights[i] > 0) || !(throughputs[i] >= 0) || Double.isInfinite(throughputs[i])) {
        throw new IllegalArgumentException(
            "expected a finite throughput and a weight above 0 at "
                + i
                + ", not "
                + throughputs[i]
                + " and "
                + weights[i]);
      }
      shares[i] = throughputs[i] / weights[i];
      largest = Math.max(largest, shares[i]);
    }
    if (largest == 0) {
      return OptionalDouble.empty();
    }
    double sum = 0;
    double squares = 0;
    for (double share : shares) {
      // In parts of the largest: squares of bytes per second would lose digits.
      double part = share / largest;
      sum += part;
      squares += part * part;
    }
    return OptionalDouble.of(sum * sum / (shares.length * squares));
  }

  /**
   * Geometric mean: the n-th root of the product; the mean for ratios such as stretch, because it
   * does not matter which side of the ratio is called one. Empty where there are no values.
   *
   * <p>Theorem: it lies between the smallest and the largest value, and the mean of the reciprocals
   * is the reciprocal of the mean.
   */
  public static OptionalDouble geometricMean(double[] values) {
    if (values.length == 0) {
      return OptionalDouble.empty();
    }
    double logarithms = 0;
    for (double value : values) {
      if (!(value > 0) || Double.isInfinite(value)) {
        throw new IllegalArgumentException("expected finite values above 0, not " + value);
      }
      // StrictMath, so that every machine writes the same digits.
      logarithms += StrictMath.log(value);
    }
    return OptionalDouble.of(StrictMath.exp(logarithms / values.length));
  }

  private static double elapsed(long beginNanos, long endNanos) {
    if (endNanos < beginNanos) {
      throw new IllegalArgumentException("the end " + endNanos + " is before " + beginNanos);
    }
    return (double) endNanos - beginNanos;
  }

  private static OptionalDouble ratio(double part, double whole) {
    return whole > 0 ? OptionalDouble.of(part / whole) : OptionalDouble.empty();
  }

  private static double requireNotNegative(long value, String name) {
    if (value < 0) {
      throw new IllegalArgumentException("expected no negative " + name + ", not " + value);
    }
    return (double) value;
  }
}
