package dev.sluice.core.linear;

import java.util.Arrays;
import java.util.Locale;

/**
 * Looks a solver's answer over before anybody relies on it: solvers have been seen to call an
 * answer optimal that exceeds a capacity twenty times.
 */
public final class CheckedAnswer {
  /** What is this much beyond a limit, of about 1 or of its size, is rounding and is repaired. */
  public static final double ROUNDING = 1e-6;

  private CheckedAnswer() {}

  /**
   * The same answer with its rounding repaired, or why it cannot be used.
   *
   * <p>Theorem. An answer {@code Optimal} of this function holds every bound exactly and every
   * capacity to within the rounding of a sum of doubles. Where the given one does so already, the
   * two are equal.
   */
  public static PackingAnswer of(PackingProgram program, PackingAnswer answer) {
    return switch (answer) {
      case PackingAnswer.Failed failed -> failed;
      case PackingAnswer.Optimal optimal -> check(program, optimal);
    };
  }

  private static PackingAnswer check(PackingProgram program, PackingAnswer.Optimal optimal) {
    int columns = program.columns();
    if (optimal.columns() != columns) {
      return new PackingAnswer.Failed(
          "it answered " + optimal.columns() + " values for " + columns + " variables");
    }
    double[] values = new double[columns];
    double[] used = new double[program.rows()];
    for (int i = 0; i < columns; i++) {
      double value = optimal.value(i);
      double bound = program.bound(i);
      if (!(value >= -ROUNDING && value <= bound + rounding(bound))) {
        return refused("variable " + i, value, bound);
      }
      values[i] = Math.clamp(value, 0.0, bound);
      for (int e = program.begin(i); e < program.begin(i + 1); e++) {
        used[program.row(e)] += program.coefficient(e) * values[i];
      }
    }
    double[] scales = new double[used.length];
    Arrays.fill(scales, 1);
    boolean exceeds = false;
    for (int j = 0; j < used.length; j++) {
      double capacity = program.capacity(j);
      if (used[j] > capacity + rounding(capacity)) {
        return refused("row " + j, used[j], capacity);
      }
      if (used[j] > capacity) {
        scales[j] = capacity / used[j];
        exceeds = true;
      }
    }
    if (exceeds) {
      scaleDown(program, scales, values);
    }
    return new PackingAnswer.Optimal(values);
  }

  private static double rounding(double limit) {
    return ROUNDING * Math.max(1, limit);
  }

  /** Nothing grows, so whatever fitted still does. */
  private static void scaleDown(PackingProgram program, double[] scales, double[] values) {
    for (int i = 0; i < values.length; i++) {
      double scale = 1;
      for (int e = program.begin(i); e < program.begin(i + 1); e++) {
        if (program.coefficient(e) > 0) {
          scale = Math.min(scale, scales[program.row(e)]);
        }
      }
      values[i] *= scale;
    }
  }

  private static PackingAnswer refused(String where, double value, double limit) {
    return new PackingAnswer.Failed(
        String.format(
            Locale.ROOT, "its answer is not allowed: %s has %.9g of %.9g", where, value, limit));
  }
}
