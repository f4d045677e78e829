package dev.sluice.core.linear;

import java.util.Arrays;

/**
 * Fills every row, where that is the optimum and possible: with many variables for each row it
 * mostly is, and then it takes no more than one set of equations.
 *
 * <p>Theorem. Let {@code ρ} be the least that any variable is worth for each unit that it takes of
 * rows. If those that are worth more are at their bounds and every row is full, nothing is worth
 * more: the price {@code ρ} for a unit of every row proves it.
 */
final class Brim {
  private static final double EQUAL = 1e-12;

  /** What is missing of all rows, as a part of what they are worth. */
  private static final double FULL = 1e-11;

  private static final int WALKS_MAX = 150;

  private final ReducedProgram program;
  private final NormalEquations equations;
  private final boolean canBeOptimal;

  /** Those that are worth more, which must be at their bounds. */
  private final boolean[] heavy;

  private final double[] prices;
  private final double[] values;

  Brim(ReducedProgram program, NormalEquations equations) {
    this.program = program;
    this.equations = equations;
    heavy = new boolean[program.columns];
    values = new double[program.columns];
    prices = new double[program.rows];
    double[] costs = program.plainCosts();
    double least = Double.POSITIVE_INFINITY;
    for (int g = 0; g < program.groups; g++) {
      for (int c = program.groupColumns[g]; c < program.groupColumns[g + 1]; c++) {
        least = Math.min(least, program.weight[c] / costs[g]);
      }
    }
    boolean can = true;
    for (int g = 0; g < program.groups; g++) {
      for (int c = program.groupColumns[g]; c < program.groupColumns[g + 1]; c++) {
        heavy[c] = program.weight[c] / costs[g] > least * (1 + EQUAL);
        can &= heavy[c] == program.isBounded(c);
      }
    }
    canBeOptimal = can;
    for (int j = 0; j < prices.length; j++) {
      prices[j] = least * program.capacity[j];
    }
  }

  /**
   * Whether all rows are filled when variables are changed by as little as possible, for their
   * size, from where they are. If so, {@link #values} and {@link #prices} are an optimum and its
   * proof.
   *
   * @param near values of which none is 0; they stay as they are
   */
  boolean isFilledFrom(double[] near) {
    if (!canBeOptimal) {
      return false;
    }
    double[] amounts = new double[program.groups];
    double[] squares = new double[program.groups];
    for (int g = 0; g < program.groups; g++) {
      for (int c = program.groupColumns[g]; c < program.groupColumns[g + 1]; c++) {
        values[c] = heavy[c] ? program.bound[c] : near[c];
        amounts[g] += values[c];
        squares[g] += heavy[c] ? 0 : near[c] * near[c];
      }
    }
    double[] missing = new double[program.rows];
    program.take(amounts, missing);
    for (int j = 0; j < missing.length; j++) {
      missing[j] = 1 - missing[j];
    }
    double[] multipliers = new double[program.rows];
    equations.set(squares, new double[program.rows]);
    double tolerance = FULL * Arrays.stream(prices).sum();
    if (!equations.walk(missing, multipliers, prices, tolerance, WALKS_MAX)) {
      return false;
    }
    double[] pulls = new double[program.groups];
    program.cost(multipliers, pulls);
    for (int g = 0; g < program.groups; g++) {
      for (int c = program.groupColumns[g]; c < program.groupColumns[g + 1]; c++) {
        values[c] += heavy[c] ? 0 : values[c] * values[c] * pulls[g];
        if (values[c] < 0) {
          return false;
        }
      }
    }
    return true;
  }

  double[] values() {
    return values;
  }

  double[] prices() {
    return prices;
  }
}
