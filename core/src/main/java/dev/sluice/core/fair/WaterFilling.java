package dev.sluice.core.fair;

import java.util.Arrays;
import java.util.Comparator;

/** Division in proportion to weights, with a cap on each part, or a floor and a ceiling. */
public final class WaterFilling {
  private WaterFilling() {}

  /**
   * Divides {@code total} among the first {@code n} parties in proportion to their weights; what a
   * full one cannot take goes to the others.
   *
   * <p>Theorem. With {@code weights > 0}, {@code caps ≥ 0} there is a level λ such that {@code
   * parts[i] = min(caps[i], λ·weights[i])}, and {@code Σ parts = min(total, Σ caps)}.
   *
   * <p>Linear expected time: each pass compares the level with that of one party and is done with
   * that party and all on the wrong side of it.
   */
  public static void divide(int n, double[] weights, long[] caps, double total, double[] parts) {
    int[] open = new int[n];
    double[] levels = new double[n];
    double capsSum = 0;
    for (int i = 0; i < n; i++) {
      open[i] = i;
      levels[i] = (double) caps[i] / weights[i];
      capsSum += caps[i];
    }
    double level =
        total >= capsSum ? Double.POSITIVE_INFINITY : level(open, levels, weights, caps, total);
    for (int i = 0; i < n; i++) {
      parts[i] = Math.min((double) caps[i], level * weights[i]);
    }
  }

  /**
   * Finds λ by pruning: compares it with the level at which one party is full, and keeps one side.
   */
  private static double level(
      int[] open, double[] levels, double[] weights, long[] caps, double total) {
    int count = open.length;
    double filled = 0;
    double sharing = 0;
    while (count > 0) {
      double pivot = levels[open[count >>> 1]];
      double filledHere = 0;
      double sharingAbove = 0;
      for (int k = 0; k < count; k++) {
        int i = open[k];
        if (levels[i] <= pivot) {
          filledHere += caps[i];
        } else {
          sharingAbove += weights[i];
        }
      }
      boolean reachesPivot = filled + filledHere + (sharing + sharingAbove) * pivot <= total;
      int kept = 0;
      for (int k = 0; k < count; k++) {
        int i = open[k];
        if (reachesPivot) {
          if (levels[i] > pivot) {
            open[kept++] = i;
          }
        } else if (levels[i] < pivot) {
          open[kept++] = i;
        } else {
          sharing += weights[i];
        }
      }
      if (reachesPivot) {
        filled += filledHere;
      }
      count = kept;
    }
    return (total - filled) / sharing;
  }

  /**
   * Divides {@code total} in proportion to weights, where each part has a floor and a ceiling.
   *
   * <p>Theorem. With {@code weights > 0}, {@code 0 ≤ floors ≤ ceilings} and {@code Σ floors ≤
   * total} there is a level λ such that each part is {@code λ·weight}, but no less than its floor
   * and no more than its ceiling; they add up to the smaller of {@code total} and {@code Σ
   * ceilings}, to within the rounding of a sum of doubles.
   */
  public static double[] between(
      double[] weights, double[] floors, double[] ceilings, double total) {
    int n = weights.length;
    // At every level somebody begins to rise, or has risen as far as it may.
    Turn[] turns = new Turn[2 * n];
    double had = 0;
    double most = 0;
    for (int i = 0; i < n; i++) {
      turns[2 * i] = new Turn(floors[i] / weights[i], weights[i]);
      turns[2 * i + 1] = new Turn(ceilings[i] / weights[i], -weights[i]);
      had += floors[i];
      most += ceilings[i];
    }
    if (most <= total) {
      return ceilings.clone();
    }
    Arrays.sort(turns, Comparator.comparingDouble(Turn::level));
    double level = 0;
    double slope = 0;
    for (Turn turn : turns) {
      double risen = slope * (turn.level - level);
      if (had + risen >= total) {
        break;
      }
      had += risen;
      level = turn.level;
      slope = Math.max(0, slope + turn.change);
    }
    if (slope > 0) {
      level += Math.max(0, total - had) / slope;
    }
    double[] parts = new double[n];
    for (int i = 0; i < n; i++) {
      parts[i] = Math.min(ceilings[i], Math.max(floors[i], level * weights[i]));
    }
    return parts;
  }

  /** A level at which the sum of all parts begins to rise faster, or slower. */
  private record Turn(double level, double change) {}
}
