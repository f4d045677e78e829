package dev.sluice.core.policy.iosets;

import dev.sluice.core.schedule.iosets.IoSetsScheduler;

/**
 * Which set a period belongs to: S_i with {@code i = round(log_base w)}, w in seconds, whose
 * priority is {@code base^−i}.
 *
 * <p>A job that is in a set leaves it only when its period is beyond the set's bounds by more than
 * a margin, so that one whose period lies at a bound does not go back and forth.
 *
 * @param margin how far beyond, on the scale of i
 */
record SetMapping(double base, double margin) {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final double HALF = 0.5;

  /** The weight of a priority. */
  static long weight(double priority) {
    double weight = Math.rint(priority * IoSetsScheduler.PRIORITY_ONE);
    return Math.clamp((long) weight, 1, IoSetsScheduler.WEIGHT_MAX);
  }

  /** The set of a job whose period this is and that was in no set. */
  int set(long periodNanos) {
    return (int) Math.rint(scale(periodNanos));
  }

  /** The set of a job whose period this is and that was in this one. */
  int set(long periodNanos, int before) {
    double scale = scale(periodNanos);
    return Math.abs(scale - before) <= HALF + margin ? before : (int) Math.rint(scale);
  }

  double priority(int set) {
    return StrictMath.pow(base, -set);
  }

  private double scale(long periodNanos) {
    return StrictMath.log(periodNanos / NANOS_PER_SECOND) / StrictMath.log(base);
  }
}
