package dev.sluice.core.linear;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * One run of the simplex method over one program. Columns from {@code columns} on are the slacks of
 * the rows.
 */
final class SimplexRun {
  /** A reduced cost of less than this part of the largest weight is none. */
  private static final double COST_TOLERANCE = 1e-10;

  /** A pivot of less than this would magnify rounding errors. */
  private static final double PIVOT_MIN = 1e-7;

  /** What is this close to a bound is there. */
  private static final double FEASIBLE = 1e-10;

  /** After so many steps that gain nothing, the order of the columns decides: that cannot cycle. */
  private static final int STALLED_STEPS_PER_ROW = 20;

  /** Places of a column, as the direction in which it can move from there. */
  private static final double AT_ZERO = 1;

  private static final double AT_BOUND = -1;
  private static final double BASIC = 0;

  private final PackingProgram program;
  private final int rows;
  private final int columns;
  private final double costTolerance;
  private long workLeft;

  /** Where each column is, slacks last. */
  private final double[] place;

  /** The column that is basic in each row, and its value. */
  private final int[] basis;

  private final double[] value;

  /** The inverse of the basis, column by column. */
  private final double[][] inverse;

  /** The inverse's part of a step: what one more of the entering column takes of each basic one. */
  private final double[] taken;

  private final int[] takenRows;
  private int takenCount;

  /** What one more of each column is worth beyond what it takes, at the duals. */
  private final double[] costs;

  /** How much each column is made longer by the basis, roughly: the devex weights of Harris. */
  private final double[] lengths;

  /** The leaving row's part in each column. */
  private final double[] inLeavingRow;

  /**
   * Columns whose entries are those of the column before them, as where a variable counts more up
   * to a point than beyond it. What is summed up over entries is summed up once for both.
   */
  private final int[] twins;

  /** The entries of the program again, row by row, without those of twins. */
  private final int[] rowBegins;

  private final int[] rowColumns;
  private final double[] rowCoefficients;

  long steps;

  SimplexRun(PackingProgram program, long workMax) {
    this.program = program;
    this.workLeft = workMax;
    rows = program.rows();
    columns = program.columns();
    place = new double[columns + rows];
    basis = new int[rows];
    value = new double[rows];
    inverse = new double[rows][];
    taken = new double[rows];
    takenRows = new int[rows];
    costs = new double[columns + rows];
    lengths = new double[columns + rows];
    inLeavingRow = new double[columns + rows];
    rowBegins = new int[rows + 1];
    rowColumns = new int[program.entries()];
    rowCoefficients = new double[program.entries()];
    twins =
        IntStream.range(1, columns)
            .filter(i -> ReducedProgram.takeTheSame(program, i - 1, i))
            .toArray();
    double largest = 0;
    for (int i = 0; i < columns; i++) {
      largest = Math.max(largest, program.weight(i));
    }
    costTolerance = COST_TOLERANCE * largest;
  }

  PackingAnswer run() {
    // About as many steps as there are columns, each over half of the inverse: better to refuse at
    // once what will not end in time than to try.
    if (0.5 * rows * rows * columns > workLeft) {
      return tooLarge();
    }
    begin();
    int stalled = 0;
    while (true) {
      boolean inOrder = stalled > STALLED_STEPS_PER_ROW * rows;
      int entering = inOrder ? firstWorthwhile() : mostWorthwhile();
      if (entering < 0) {
        return proven();
      }
      takeOf(entering);
      boolean gained = step(entering, inOrder);
      stalled = gained ? 0 : stalled + 1;
      steps++;
      if (workLeft < 0) {
        return tooLarge();
      }
    }
  }

  private PackingAnswer tooLarge() {
    return new PackingAnswer.Failed(
        columns + " variables in " + rows + " rows are too many for the time");
  }

  /** The slacks are basic, and every variable is where the program says it does well to begin. */
  private void begin() {
    for (int j = 0; j < rows; j++) {
      basis[j] = columns + j;
      place[columns + j] = BASIC;
      value[j] = program.capacity(j);
      inverse[j] = new double[rows];
      inverse[j][j] = 1;
    }
    for (int i = 0; i < columns; i++) {
      costs[i] = program.weight(i);
      boolean atBound = program.startsAtBound(i);
      place[i] = atBound ? AT_BOUND : AT_ZERO;
      for (int e = program.begin(i); atBound && e < program.begin(i + 1); e++) {
        value[program.row(e)] -= program.coefficient(e) * program.bound(i);
      }
    }
    Arrays.fill(lengths, 1);
    transpose();
    for (int j = 0; j < rows; j++) {
      value[j] = Math.max(0, value[j]);
    }
  }

  private void transpose() {
    boolean[] skipped = new boolean[columns];
    for (int twin : twins) {
      skipped[twin] = true;
    }
    for (int i = 0; i < columns; i++) {
      for (int e = program.begin(i); !skipped[i] && e < program.begin(i + 1); e++) {
        rowBegins[program.row(e) + 1]++;
      }
    }
    for (int j = 0; j < rows; j++) {
      rowBegins[j + 1] += rowBegins[j];
    }
    int[] next = Arrays.copyOf(rowBegins, rows);
    for (int i = 0; i < columns; i++) {
      for (int e = program.begin(i); !skipped[i] && e < program.begin(i + 1); e++) {
        int at = next[program.row(e)]++;
        rowColumns[at] = i;
        rowCoefficients[at] = program.coefficient(e);
      }
    }
  }

  /** What moving a column off its place is worth; not positive where it should stay. */
  private double worth(int column) {
    return place[column] * costs[column];
  }

  private int mostWorthwhile() {
    int best = -1;
    double most = 0;
    for (int i = 0; i < columns + rows; i++) {
      double worth = worth(i);
      // A square with its sign: one comparison that seldom holds is cheaper than two.
      if (worth * Math.abs(worth) > most * lengths[i] && worth > costTolerance) {
        best = i;
        most = worth * worth / lengths[i];
      }
    }
    workLeft -= columns + rows;
    return best;
  }

  private int firstWorthwhile() {
    workLeft -= columns + rows;
    for (int i = 0; i < columns + rows; i++) {
      if (worth(i) > costTolerance) {
        return i;
      }
    }
    return -1;
  }

  private void takeOf(int column) {
    Arrays.fill(taken, 0);
    if (column >= columns) {
      add(column - columns, 1);
    } else {
      for (int e = program.begin(column); e < program.begin(column + 1); e++) {
        add(program.row(e), program.coefficient(e));
      }
    }
    takenCount = 0;
    for (int j = 0; j < rows; j++) {
      if (Math.abs(taken[j]) > 1e-14) {
        takenRows[takenCount++] = j;
      } else {
        taken[j] = 0;
      }
    }
  }

  private void add(int row, double coefficient) {
    double[] column = inverse[row];
    for (int j = 0; j < rows; j++) {
      taken[j] += coefficient * column[j];
    }
    workLeft -= rows;
  }

  private double bound(int column) {
    return column < columns ? program.bound(column) : Double.POSITIVE_INFINITY;
  }

  /**
   * Moves the entering column as far as the basic ones allow; answers whether that gained anything.
   */
  private boolean step(int entering, boolean inOrder) {
    double direction = place[entering];
    int leaving = leaving(direction, inOrder);
    double length = leaving < 0 ? Double.POSITIVE_INFINITY : room(leaving, direction);
    double own = bound(entering);
    if (own <= length) {
      move(direction * own);
      place[entering] = -direction;
      return own > FEASIBLE;
    }
    move(direction * length);
    double start = direction > 0 ? 0 : own;
    int left = basis[leaving];
    place[left] = direction * taken[leaving] > 0 ? AT_ZERO : AT_BOUND;
    price(entering, leaving);
    basis[leaving] = entering;
    place[entering] = BASIC;
    value[leaving] = start + direction * length;
    pivot(leaving);
    return length > FEASIBLE;
  }

  /** How far the entering column can go until the basic one in this row is at a bound. */
  private double room(int row, double direction) {
    double change = direction * taken[row];
    double distance = change > 0 ? value[row] : bound(basis[row]) - value[row];
    return Math.max(0, distance) / Math.abs(change);
  }

  /**
   * The row that stops the entering column first; of rows that do so at about the same time, the
   * one with the largest pivot, or the first in order. Negative where nothing does.
   */
  private int leaving(double direction, boolean inOrder) {
    double shortest = Double.POSITIVE_INFINITY;
    for (int k = 0; k < takenCount; k++) {
      int row = takenRows[k];
      double change = direction * taken[row];
      if (Math.abs(change) > PIVOT_MIN) {
        double distance = change > 0 ? value[row] : bound(basis[row]) - value[row];
        double tolerance = inOrder ? 0 : FEASIBLE;
        shortest = Math.min(shortest, (Math.max(0, distance) + tolerance) / Math.abs(change));
      }
    }
    int best = -1;
    double pivot = 0;
    for (int k = 0; k < takenCount; k++) {
      int row = takenRows[k];
      double size = Math.abs(taken[row]);
      if (size > PIVOT_MIN && room(row, direction) <= shortest) {
        boolean better = inOrder ? best < 0 || basis[row] < basis[best] : size > pivot;
        if (better) {
          best = row;
          pivot = size;
        }
      }
    }
    return best;
  }

  private void move(double amount) {
    if (amount == 0) {
      return;
    }
    for (int k = 0; k < takenCount; k++) {
      int row = takenRows[k];
      value[row] -= amount * taken[row];
    }
  }

  /** What every column is worth, and how long it is, once the entering one is basic. */
  private void price(int entering, int leaving) {
    Arrays.fill(inLeavingRow, 0);
    for (int c = 0; c < rows; c++) {
      double part = inverse[c][leaving];
      if (part == 0) {
        continue;
      }
      inLeavingRow[columns + c] = part;
      for (int e = rowBegins[c]; e < rowBegins[c + 1]; e++) {
        inLeavingRow[rowColumns[e]] += part * rowCoefficients[e];
      }
      workLeft -= rowBegins[c + 1] - rowBegins[c];
    }
    for (int twin : twins) {
      inLeavingRow[twin] = inLeavingRow[twin - 1];
    }
    double pivot = taken[leaving];
    double price = costs[entering] / pivot;
    double length = lengths[entering];
    double stretch = length / (pivot * pivot);
    for (int i = 0; i < columns + rows; i++) {
      double part = inLeavingRow[i];
      costs[i] -= price * part;
      lengths[i] = Math.max(lengths[i], part * part * stretch);
    }
    costs[entering] = 0;
    lengths[basis[leaving]] = Math.max(1, stretch);
    workLeft -= columns + rows;
  }

  /** The inverse after the column that was taken of has become basic in this row. */
  private void pivot(int row) {
    double pivot = taken[row];
    boolean dense = 3 * takenCount > rows;
    for (int c = 0; c < rows; c++) {
      double[] column = inverse[c];
      double inRow = column[row];
      if (inRow == 0) {
        continue;
      }
      double factor = inRow / pivot;
      if (dense) {
        for (int j = 0; j < rows; j++) {
          column[j] -= factor * taken[j];
        }
        workLeft -= rows;
      } else {
        for (int k = 0; k < takenCount; k++) {
          int j = takenRows[k];
          column[j] -= factor * taken[j];
        }
        workLeft -= takenCount;
      }
      column[row] = factor;
    }
  }

  /** The answer, if the duals prove it: no solution is worth more than they say. */
  private PackingAnswer proven() {
    double[] values = new double[columns];
    for (int i = 0; i < columns; i++) {
      values[i] = place[i] == AT_BOUND ? program.bound(i) : 0;
    }
    for (int j = 0; j < rows; j++) {
      if (basis[j] < columns) {
        values[basis[j]] = value[j];
      }
    }
    return ProvenAnswer.of(program, values, this::dual);
  }

  /** The price of a row, which is what its slack is worth with the other sign. */
  private double dual(int row) {
    return Math.max(0, -costs[columns + row]);
  }
}
