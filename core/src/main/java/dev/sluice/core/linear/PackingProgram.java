package dev.sluice.core.linear;

import java.util.Arrays;

/**
 * A linear program of packing: maximise {@code Σ weight·x} where in every row {@code Σ
 * coefficient·x ≤ capacity}, and {@code 0 ≤ x ≤ bound}. All numbers are finite and none is
 * negative, so that {@code x = 0} is always allowed and the optimum always exists.
 *
 * <p>Kept by column, because that is how solvers walk over it. Immutable.
 */
public final class PackingProgram {
  private final double[] capacities;
  private final double[] weights;
  private final double[] bounds;
  private final boolean[] startsAtBound;

  /** Where the entries of a column begin; one more at the end. */
  private final int[] begins;

  private final int[] rows;
  private final double[] coefficients;

  private PackingProgram(Builder builder) {
    capacities = builder.capacities.clone();
    weights = Arrays.copyOf(builder.weights, builder.columns);
    bounds = Arrays.copyOf(builder.bounds, builder.columns);
    startsAtBound = Arrays.copyOf(builder.startsAtBound, builder.columns);
    begins = Arrays.copyOf(builder.begins, builder.columns + 1);
    begins[builder.columns] = builder.entries;
    rows = Arrays.copyOf(builder.rows, builder.entries);
    coefficients = Arrays.copyOf(builder.coefficients, builder.entries);
  }

  public int rows() {
    return capacities.length;
  }

  public int columns() {
    return weights.length;
  }

  public double capacity(int row) {
    return capacities[row];
  }

  public double weight(int column) {
    return weights[column];
  }

  public double bound(int column) {
    return bounds[column];
  }

  /**
   * Whether a solver does well to begin with this variable at its bound instead of at 0. All of
   * them together fit.
   */
  public boolean startsAtBound(int column) {
    return startsAtBound[column];
  }

  /** Where the entries of a column begin; they end where those of the next one do. */
  public int begin(int column) {
    return begins[column];
  }

  /** The row of an entry. */
  public int row(int entry) {
    return rows[entry];
  }

  public double coefficient(int entry) {
    return coefficients[entry];
  }

  public int entries() {
    return rows.length;
  }

  /** Puts a program together, column by column. Not thread-safe. */
  public static final class Builder {
    private final double[] capacities;
    private double[] weights;
    private double[] bounds;
    private boolean[] startsAtBound;
    private int[] begins;
    private int[] rows;
    private double[] coefficients;
    private int columns;
    private int entries;

    /**
     * A program without columns.
     *
     * @param capacities of its rows
     */
    public Builder(double[] capacities) {
      this.capacities = capacities.clone();
      for (double capacity : capacities) {
        requireAmount("capacity", capacity);
      }
      weights = new double[16];
      bounds = new double[16];
      startsAtBound = new boolean[16];
      begins = new int[17];
      rows = new int[64];
      coefficients = new double[64];
    }

    /** One more variable; its entries follow. Answers its number. */
    public int column(double weight, double bound, boolean beginsAtBound) {
      requireAmount("weight", weight);
      requireAmount("bound", bound);
      if (columns == weights.length) {
        int capacity = 2 * columns;
        weights = Arrays.copyOf(weights, capacity);
        bounds = Arrays.copyOf(bounds, capacity);
        startsAtBound = Arrays.copyOf(startsAtBound, capacity);
        begins = Arrays.copyOf(begins, capacity + 1);
      }
      weights[columns] = weight;
      bounds[columns] = bound;
      startsAtBound[columns] = beginsAtBound;
      begins[columns] = entries;
      return columns++;
    }

    /** What the variable that was added last takes of a row. */
    public void entry(int row, double coefficient) {
      requireAmount("coefficient", coefficient);
      if (columns == 0 || row < 0 || row >= capacities.length) {
        throw new IllegalArgumentException(
            "row " + row + " of " + capacities.length + " in column " + (columns - 1));
      }
      if (entries == rows.length) {
        rows = Arrays.copyOf(rows, 2 * entries);
        coefficients = Arrays.copyOf(coefficients, 2 * entries);
      }
      rows[entries] = row;
      coefficients[entries++] = coefficient;
    }

    public PackingProgram build() {
      return new PackingProgram(this);
    }

    private static void requireAmount(String what, double value) {
      if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            "a " + what + " must be finite and not negative, not " + value);
      }
    }
  }
}
