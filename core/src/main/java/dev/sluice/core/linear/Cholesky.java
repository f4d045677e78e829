package dev.sluice.core.linear;

/**
 * The factor {@code U} of a symmetric matrix {@code M = UᵀU}, kept by rows, of which only what is
 * right of the diagonal is used. Not thread-safe.
 */
final class Cholesky {
  /** Rows that are taken together, so that the rest is read once for all of them; fours. */
  private static final int PANEL = 32;

  /** A pivot that is this part of what stood there is rounding: that direction is left alone. */
  private static final double PIVOT_MIN = 1e-13;

  private static final double NEVER = 1e150;

  private final double[][] rows;
  private final double[] before;

  /** Of matrices of this size; all of its memory is taken here. */
  Cholesky(int size) {
    rows = new double[size][size];
    before = new double[size];
  }

  /** Multiplications of one factorisation. */
  static double work(int size) {
    return (double) size * size * size / 6;
  }

  /**
   * The matrix, to be written into before {@link #factor}; only {@code [i][j]} with {@code i ≤ j}.
   */
  double[][] rows() {
    return rows;
  }

  /** Replaces the matrix by its factor. */
  void factor() {
    int size = rows.length;
    for (int k = 0; k < size; k++) {
      before[k] = rows[k][k];
    }
    for (int begin = 0; begin < size; begin += PANEL) {
      int end = Math.min(begin + PANEL, size);
      factorPanel(begin, end);
      for (int i = end; i < size; i++) {
        for (int k = begin; k < end; k += 4) {
          subtractFour(rows[i], i, rows[k], rows[k + 1], rows[k + 2], rows[k + 3]);
        }
      }
    }
  }

  private void factorPanel(int begin, int end) {
    for (int k = begin; k < end; k++) {
      double[] row = rows[k];
      for (int q = begin; q < k; q++) {
        subtract(row, k, rows[q]);
      }
      double pivot = row[k];
      double root = pivot > PIVOT_MIN * before[k] ? Math.sqrt(pivot) : NEVER;
      row[k] = root;
      double scale = 1 / root;
      for (int j = k + 1; j < row.length; j++) {
        row[j] *= scale;
      }
    }
  }

  private static void subtract(double[] row, int from, double[] factor) {
    double f = factor[from];
    for (int j = from; j < row.length; j++) {
      row[j] -= f * factor[j];
    }
  }

  /**
   * Four at once: the row is read and written once for all of them. Of this shape, one row that
   * changes and no more than four beside it, compilers make vector instructions.
   */
  private static void subtractFour(
      double[] row, int from, double[] a, double[] b, double[] c, double[] d) {
    double a0 = a[from];
    double b0 = b[from];
    double c0 = c[from];
    double d0 = d[from];
    for (int j = from; j < row.length; j++) {
      row[j] -= (a0 * a[j] + b0 * b[j]) + (c0 * c[j] + d0 * d[j]);
    }
  }

  /** Solves {@code M·x = right} into {@code x}; {@code right} stays as it is. */
  void solve(double[] right, double[] x) {
    int size = rows.length;
    System.arraycopy(right, 0, x, 0, size);
    for (int k = 0; k < size; k++) {
      double[] row = rows[k];
      double value = x[k] / row[k];
      x[k] = value;
      for (int j = k + 1; j < size; j++) {
        x[j] -= value * row[j];
      }
    }
    for (int k = size - 1; k >= 0; k--) {
      x[k] = (x[k] - dotBeyond(rows[k], x, k + 1)) / rows[k][k];
    }
  }

  /** Four sums beside each other: one would wait for each addition. */
  private static double dotBeyond(double[] row, double[] x, int from) {
    double first = 0;
    double second = 0;
    double third = 0;
    double fourth = 0;
    int j = from;
    for (; j + 4 <= row.length; j += 4) {
      first += row[j] * x[j];
      second += row[j + 1] * x[j + 1];
      third += row[j + 2] * x[j + 2];
      fourth += row[j + 3] * x[j + 3];
    }
    for (; j < row.length; j++) {
      first += row[j] * x[j];
    }
    return (first + second) + (third + fourth);
  }
}
