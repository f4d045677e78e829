package dev.sluice.core.linear;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Equations {@code (A·T·Aᵀ + D)·x = right} over the rows of a program, {@code T} and {@code D}
 * being diagonals that change from step to step. Not thread-safe.
 *
 * <p>Conjugate gradients need only walk over the program's entries. How many walks depends on the
 * diagonals: few while all variables are of about the same size, many when the rows that are hard
 * to fill have nobody left but a few. From then on the matrix is factored, for a walk or two.
 */
final class NormalEquations {
  /** A multiplication over whole rows takes about a seventh of one that follows an index. */
  private static final double DENSE_PART = 0.14;

  /** The part of a factor's work that is tried without one. */
  private static final double FACTOR_PART = 0.5;

  private static final double WALKS_MAX = 2_000;

  /** How often a program that needs a factor needs another. */
  private static final double FACTORS_EXPECTED = 8;

  private static final int WALKS_WITH_FACTOR_MAX = 40;

  /** A factor of so many rows has 128 MB. */
  private static final int FACTORED_ROWS_MAX = 4_000;

  private final ReducedProgram program;
  private final double[] onRows;
  private double[] ofGroups;
  private final double[] diagonal;
  private final double[] groupAmounts;
  private final double[] rest;
  private final double[] preconditioned;
  private final double[] direction;
  private final double[] image;
  private final int plainWalksMax;
  private @Nullable Cholesky factor;
  private boolean factorIsFresh;
  private final double workMax;
  private double work;

  /** Equations over a program that may take so many multiplications, about a nanosecond each. */
  NormalEquations(ReducedProgram program, double workMax) {
    this.program = program;
    this.workMax = workMax;
    int rows = program.rows;
    ofGroups = new double[program.groups];
    onRows = new double[rows];
    diagonal = new double[rows];
    groupAmounts = new double[program.groups];
    rest = new double[rows];
    preconditioned = new double[rows];
    direction = new double[rows];
    image = new double[rows];
    plainWalksMax = (int) Math.min(WALKS_MAX, FACTOR_PART * factorWork() / walkWork());
  }

  private double walkWork() {
    return 2.0 * program.entries() + 8.0 * program.rows;
  }

  /** Whether there is a factor, so that solving once more is cheap. */
  boolean isFactored() {
    return factor != null;
  }

  /** Whether the work is all done: from then on nothing is solved. */
  boolean isExhausted() {
    return work > workMax;
  }

  /** Other diagonals: one number for each group, which stays the caller's, and one for each row. */
  void set(double[] groups, double[] rows) {
    ofGroups = groups;
    System.arraycopy(rows, 0, onRows, 0, onRows.length);
    program.squares(ofGroups, diagonal);
    for (int j = 0; j < diagonal.length; j++) {
      diagonal[j] += onRows[j];
    }
    factorIsFresh = false;
    work += program.entries();
  }

  /**
   * Solves the equations by walks alone, beginning at {@code x}; whether that came within {@code
   * tolerance}, as a sum over the rows' errors at their {@code prices}.
   */
  boolean walk(double[] right, double[] x, double[] prices, double tolerance, int walksMax) {
    return gradients(right, x, prices, tolerance, walksMax, null);
  }

  /** The same by whatever takes least; what misses the tolerance is as good as it gets. */
  void solve(double[] right, double[] x, double[] prices, double tolerance) {
    if (isExhausted()) {
      return;
    }
    if (factor == null) {
      if (plainWalksMax > 1 && walk(right, x, prices, tolerance, plainWalksMax)) {
        return;
      }
      // Better to refuse at once what will not end in time than to try.
      if (program.rows > FACTORED_ROWS_MAX || work + FACTORS_EXPECTED * factorWork() > workMax) {
        work = Double.POSITIVE_INFINITY;
        return;
      }
      factor = new Cholesky(program.rows);
    }
    if (!factorIsFresh) {
      refactor(factor);
    }
    gradients(right, x, prices, tolerance, WALKS_WITH_FACTOR_MAX, factor);
  }

  private double factorWork() {
    return DENSE_PART * Cholesky.work(program.rows);
  }

  private void refactor(Cholesky into) {
    double[][] matrix = into.rows();
    for (int j = 0; j < matrix.length; j++) {
      Arrays.fill(matrix[j], j, matrix.length, 0);
      matrix[j][j] = onRows[j];
    }
    for (int g = 0; g < program.groups; g++) {
      int end = program.begins[g + 1];
      for (int e = program.begins[g]; e < end; e++) {
        int row = program.entryRow[e];
        double part = ofGroups[g] * program.entryCoefficient[e];
        for (int f = program.begins[g]; f < end; f++) {
          // Entries need not be in order; of two places only the one right of the diagonal counts.
          if (program.entryRow[f] >= row) {
            matrix[row][program.entryRow[f]] += part * program.entryCoefficient[f];
          }
        }
      }
      work += (double) (end - program.begins[g]) * (end - program.begins[g]);
    }
    into.factor();
    factorIsFresh = true;
    work += factorWork();
  }

  private void multiply(double[] x, double[] product) {
    program.cost(x, groupAmounts);
    for (int g = 0; g < groupAmounts.length; g++) {
      groupAmounts[g] *= ofGroups[g];
    }
    program.take(groupAmounts, product);
    for (int j = 0; j < product.length; j++) {
      product[j] += onRows[j] * x[j];
    }
  }

  private void precondition(@Nullable Cholesky by) {
    if (by != null) {
      by.solve(rest, preconditioned);
      work += DENSE_PART * rest.length * rest.length;
      return;
    }
    for (int j = 0; j < rest.length; j++) {
      preconditioned[j] = diagonal[j] > 0 ? rest[j] / diagonal[j] : 0;
    }
  }

  private boolean gradients(
      double[] right,
      double[] x,
      double[] prices,
      double tolerance,
      int walksMax,
      @Nullable Cholesky by) {
    int rows = program.rows;
    if (by == null) {
      multiply(x, image);
      for (int j = 0; j < rows; j++) {
        rest[j] = right[j] - image[j];
      }
      work += walkWork();
    } else {
      // From nothing a factor leads there at once; from elsewhere it would, too, and a walk later.
      Arrays.fill(x, 0);
      System.arraycopy(right, 0, rest, 0, rows);
    }
    double size = 0;
    for (int walk = 0; ; walk++) {
      double error = 0;
      for (int j = 0; j < rows; j++) {
        error += prices[j] * Math.abs(rest[j]);
      }
      if (error <= tolerance) {
        return true;
      }
      precondition(by);
      double next = dot(rest, preconditioned);
      if (walk == walksMax || next <= 0) {
        return false;
      }
      double turn = next / size;
      size = next;
      for (int j = 0; j < rows; j++) {
        direction[j] = preconditioned[j] + (walk == 0 ? 0 : turn * direction[j]);
      }
      multiply(direction, image);
      double length = size / dot(direction, image);
      for (int j = 0; j < rows; j++) {
        x[j] += length * direction[j];
        rest[j] -= length * image[j];
      }
      work += walkWork();
    }
  }

  private static double dot(double[] one, double[] other) {
    double sum = 0;
    for (int j = 0; j < one.length; j++) {
      sum += one[j] * other[j];
    }
    return sum;
  }
}
