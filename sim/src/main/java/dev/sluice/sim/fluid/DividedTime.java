package dev.sluice.sim.fluid;

import dev.sluice.core.fair.WaterFilling;
import java.util.Arrays;

/** Time that is divided in proportion to weights among those who want it; used again and again. */
final class DividedTime {
  private double[] weights;
  private long[] caps;
  private double[] parts;
  private int count;
  private double capsSum;
  private double total;

  /** The time that a weight of 1 stands for, where not everybody gets all that it wants. */
  private double level;

  DividedTime(int capacity) {
    weights = new double[capacity];
    caps = new long[capacity];
    parts = new double[capacity];
  }

  void clear() {
    count = 0;
    capsSum = 0;
  }

  /** One more who wants something; a weight below 1 counts as 1. */
  void add(double weight, double wantedNanos) {
    if (count == weights.length) {
      int capacity = 2 * count + 1;
      weights = Arrays.copyOf(weights, capacity);
      caps = Arrays.copyOf(caps, capacity);
      parts = Arrays.copyOf(parts, capacity);
    }
    weights[count] = Math.max(1, weight);
    caps[count] = (long) Math.ceil(wantedNanos);
    capsSum += caps[count++];
  }

  void divide(double nanos) {
    total = nanos;
    WaterFilling.divide(count, weights, caps, nanos, parts);
    level = 0;
    for (int i = 0; i < count; i++) {
      level = Math.max(level, parts[i] / weights[i]);
    }
  }

  double part(int index) {
    return parts[index];
  }

  /**
   * At which part of the time somebody has what it wants; 1 for one who does not get it. Where
   * there is enough for all, the device goes from one to the next and is done with all of them at
   * once.
   */
  double doneAtPart(int index) {
    if (capsSum <= total) {
      return total > 0 ? capsSum / total : 1;
    }
    double share = level * weights[index];
    return share > 0 ? Math.min(1, caps[index] / share) : 1;
  }
}
