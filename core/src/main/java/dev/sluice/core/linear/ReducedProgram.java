package dev.sluice.core.linear;

import java.util.Arrays;

/**
 * A program without what is settled beforehand, in other units: every row has the capacity 1, and
 * no variable can be more than 1.
 *
 * <p>Settled is a variable that must be 0, because it may not be more or takes of a row that has
 * nothing, or that is worth nothing; and a row of which nobody takes. Bounds that the rows have
 * anyway are left out. Variables that take the same of the same rows are one group: what is summed
 * up over entries is summed up once for all of them.
 */
final class ReducedProgram {
  /** Nothing, as a part of the largest capacity of which anybody takes. */
  private static final double NOTHING = 1e-13;

  final int rows;
  final int columns;
  final int groups;

  /** The column of the program that each of ours is, and how much of it is 1 of ours. */
  final int[] original;

  private final double[] unit;
  final double[] weight;

  /** Infinite where the rows bound the variable. */
  final double[] bound;

  /** Groups are in the order of columns: where those of a group begin, and one more. */
  final int[] groupColumns;

  final int[] begins;
  final int[] entryRow;
  final double[] entryCoefficient;

  private final int[] rowBegins;
  private final int[] rowGroup;
  private final double[] rowCoefficient;

  /** The row of ours that each of the program's is, or −1; and its capacity there. */
  private final int[] rowOf;

  final double[] capacity;

  ReducedProgram(PackingProgram program) {
    double largest = 0;
    for (int e = 0; e < program.entries(); e++) {
      largest = Math.max(largest, program.capacity(program.row(e)));
    }
    int[] kept = new int[program.columns()];
    int count = 0;
    rowOf = new int[program.rows()];
    Arrays.fill(rowOf, -1);
    for (int i = 0; i < program.columns(); i++) {
      if (isOpen(program, i, NOTHING * largest)) {
        kept[count++] = i;
        for (int e = program.begin(i); e < program.begin(i + 1); e++) {
          rowOf[program.row(e)] = program.coefficient(e) > 0 ? 0 : rowOf[program.row(e)];
        }
      }
    }
    original = Arrays.copyOf(kept, count);
    columns = count;
    int rowCount = 0;
    capacity = new double[program.rows()];
    for (int j = 0; j < rowOf.length; j++) {
      if (rowOf[j] == 0) {
        capacity[rowCount] = program.capacity(j);
        rowOf[j] = rowCount++;
      }
    }
    rows = rowCount;

    unit = new double[columns];
    weight = new double[columns];
    bound = new double[columns];
    int[] firsts = new int[columns + 1];
    int groupCount = 0;
    for (int c = 0; c < columns; c++) {
      int i = original[c];
      unit[c] = mostByRows(program, i);
      weight[c] = program.weight(i) * unit[c];
      bound[c] =
          program.bound(i) >= unit[c] ? Double.POSITIVE_INFINITY : program.bound(i) / unit[c];
      if (c == 0 || !takeTheSame(program, original[c - 1], i)) {
        firsts[groupCount++] = c;
      }
    }
    groups = groupCount;
    groupColumns = Arrays.copyOf(firsts, groups + 1);
    groupColumns[groups] = columns;

    begins = new int[groups + 1];
    rowBegins = new int[rows + 1];
    for (int g = 0; g < groups; g++) {
      int i = original[groupColumns[g]];
      begins[g + 1] = begins[g];
      for (int e = program.begin(i); e < program.begin(i + 1); e++) {
        if (program.coefficient(e) > 0) {
          begins[g + 1]++;
          rowBegins[rowOf[program.row(e)] + 1]++;
        }
      }
    }
    for (int j = 0; j < rows; j++) {
      rowBegins[j + 1] += rowBegins[j];
    }
    entryRow = new int[begins[groups]];
    entryCoefficient = new double[entryRow.length];
    rowGroup = new int[entryRow.length];
    rowCoefficient = new double[entryRow.length];
    int[] next = Arrays.copyOf(rowBegins, rows);
    int entry = 0;
    for (int g = 0; g < groups; g++) {
      int first = groupColumns[g];
      int i = original[first];
      for (int e = program.begin(i); e < program.begin(i + 1); e++) {
        if (program.coefficient(e) > 0) {
          int row = rowOf[program.row(e)];
          double coefficient = program.coefficient(e) * unit[first] / capacity[row];
          entryRow[entry] = row;
          entryCoefficient[entry++] = coefficient;
          rowGroup[next[row]] = g;
          rowCoefficient[next[row]++] = coefficient;
        }
      }
    }
  }

  private static boolean isOpen(PackingProgram program, int column, double nothing) {
    if (program.weight(column) == 0 || program.bound(column) <= nothing) {
      return false;
    }
    boolean takes = false;
    for (int e = program.begin(column); e < program.begin(column + 1); e++) {
      if (program.coefficient(e) > 0) {
        takes = true;
        if (program.capacity(program.row(e)) <= nothing) {
          return false;
        }
      }
    }
    return takes;
  }

  private static double mostByRows(PackingProgram program, int column) {
    double most = Double.POSITIVE_INFINITY;
    for (int e = program.begin(column); e < program.begin(column + 1); e++) {
      if (program.coefficient(e) > 0) {
        most = Math.min(most, program.capacity(program.row(e)) / program.coefficient(e));
      }
    }
    return most;
  }

  /** Whether all of two columns' entries are equal. */
  static boolean takeTheSame(PackingProgram program, int one, int other) {
    int begin = program.begin(one);
    int shift = program.begin(other) - begin;
    if (program.begin(one + 1) + shift != program.begin(other + 1)) {
      return false;
    }
    for (int e = begin; e < program.begin(one + 1); e++) {
      if (program.row(e) != program.row(e + shift)
          || program.coefficient(e) != program.coefficient(e + shift)) {
        return false;
      }
    }
    return true;
  }

  boolean isBounded(int column) {
    return bound[column] < Double.POSITIVE_INFINITY;
  }

  /** What one of each group costs where a unit of every row of the program costs 1. */
  double[] plainCosts() {
    double[] costs = new double[groups];
    cost(capacity, costs);
    return costs;
  }

  int entries() {
    return entryRow.length;
  }

  /** What amounts of the groups take of each row. */
  void take(double[] ofGroups, double[] taken) {
    for (int j = 0; j < rows; j++) {
      double sum = 0;
      for (int e = rowBegins[j]; e < rowBegins[j + 1]; e++) {
        sum += rowCoefficient[e] * ofGroups[rowGroup[e]];
      }
      taken[j] = sum;
    }
  }

  /** What one of each group costs at these prices of the rows. */
  void cost(double[] prices, double[] ofGroups) {
    for (int g = 0; g < groups; g++) {
      double sum = 0;
      for (int e = begins[g]; e < begins[g + 1]; e++) {
        sum += entryCoefficient[e] * prices[entryRow[e]];
      }
      ofGroups[g] = sum;
    }
  }

  /** For each row the sum of squared coefficients, weighed by group. */
  void squares(double[] ofGroups, double[] sums) {
    for (int j = 0; j < rows; j++) {
      double sum = 0;
      for (int e = rowBegins[j]; e < rowBegins[j + 1]; e++) {
        sum += rowCoefficient[e] * rowCoefficient[e] * ofGroups[rowGroup[e]];
      }
      sums[j] = sum;
    }
  }

  /** Values of the program's columns; 0 where they were settled. */
  double[] unreduced(PackingProgram program, double[] values) {
    double[] all = new double[program.columns()];
    for (int i = 0; i < all.length; i++) {
      boolean takes = false;
      for (int e = program.begin(i); e < program.begin(i + 1); e++) {
        takes |= program.coefficient(e) > 0;
      }
      all[i] = takes ? 0 : program.bound(i);
    }
    for (int c = 0; c < columns; c++) {
      all[original[c]] = values[c] * unit[c];
    }
    return all;
  }

  /** The price of a row of the program; 0 where it was settled. */
  double price(int programRow, double[] prices) {
    int row = rowOf[programRow];
    return row < 0 ? 0 : prices[row] / capacity[row];
  }
}
