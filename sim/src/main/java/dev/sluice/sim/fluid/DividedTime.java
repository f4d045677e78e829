package dev.sluice.sim.fluid;

import dev.sluice.core.fair.WaterFilling;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Time that is divided in proportion to weights among those who want it; used again and again.
 *
 * <p>Theorem. There is a level λ so that each gets {@code min(wanted, max(reserved, λ × weight))},
 * and together they get all there is or all they want; where less is there than is reserved, each
 * gets of its reserve in proportion.
 */
final class DividedTime {
  private double[] weights;
  private long[] caps;
  private double[] parts;

  /** What each is to have at least, as far as it wants it. */
  private double[] floors;

  private boolean floored;
  private int count;
  private double capsSum;
  private double total;

  /** The time that a weight of 1 stands for, where not everybody gets all that it wants. */
  private double level;

  DividedTime(int capacity) {
    weights = new double[capacity];
    caps = new long[capacity];
    parts = new double[capacity];
    floors = new double[capacity];
  }

  void clear() {
    count = 0;
    capsSum = 0;
    floored = false;
  }

  /** One more who wants something; a weight below 1 counts as 1. */
  void add(double weight, double wantedNanos) {
    add(weight, wantedNanos, 0);
  }

  /** The same, for whom so much is reserved. */
  void add(double weight, double wantedNanos, double reservedNanos) {
    if (count == weights.length) {
      int capacity = 2 * count + 1;
      weights = Arrays.copyOf(weights, capacity);
      caps = Arrays.copyOf(caps, capacity);
      parts = Arrays.copyOf(parts, capacity);
      floors = Arrays.copyOf(floors, capacity);
    }
    weights[count] = Math.max(1, weight);
    caps[count] = (long) Math.ceil(wantedNanos);
    floors[count] = Math.min(reservedNanos, (double) caps[count]);
    floored |= floors[count] > 0;
    capsSum += caps[count++];
  }

  void divide(double nanos) {
    total = nanos;
    level = 0;
    if (floored) {
      divideAboveFloors(nanos);
      return;
    }
    WaterFilling.divide(count, weights, caps, nanos, parts);
    for (int i = 0; i < count; i++) {
      level = Math.max(level, parts[i] / weights[i]);
    }
  }

  /**
   * Divides among those that have more than what is reserved for them. Each round finds some that
   * do not; what these take lowers the level, so that they stay found.
   */
  private void divideAboveFloors(double nanos) {
    int[] open = IntStream.range(0, count).toArray();
    double left = nanos;
    while (true) {
      double[] openWeights = new double[open.length];
      long[] openCaps = new long[open.length];
      double[] openParts = new double[open.length];
      for (int k = 0; k < open.length; k++) {
        openWeights[k] = weights[open[k]];
        openCaps[k] = caps[open[k]];
      }
      WaterFilling.divide(open.length, openWeights, openCaps, Math.max(0, left), openParts);
      int kept = 0;
      level = 0;
      for (int k = 0; k < openParts.length; k++) {
        int i = open[k];
        if (openParts[k] < floors[i]) {
          parts[i] = floors[i];
          left -= floors[i];
        } else {
          parts[i] = openParts[k];
          level = Math.max(level, parts[i] / weights[i]);
          open[kept++] = i;
        }
      }
      if (kept == open.length) {
        cutFloors(nanos, left);
        return;
      }
      open = Arrays.copyOf(open, kept);
    }
  }

  /** Where less is there than is reserved. */
  private void cutFloors(double nanos, double left) {
    if (left < 0) {
      for (int i = 0; i < count; i++) {
        parts[i] *= nanos / (nanos - left);
      }
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
    double share = Math.max(level * weights[index], floors[index]);
    return share > 0 ? Math.min(1, caps[index] / share) : 1;
  }
}
