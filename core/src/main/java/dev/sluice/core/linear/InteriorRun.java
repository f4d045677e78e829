package dev.sluice.core.linear;

import java.util.Arrays;

/**
 * One run of an interior point method over one program: Mehrotra's steps, made longer after
 * Gondzio. All variables are kept away from their bounds until the end; where every row can be
 * filled, it ends with that.
 *
 * <p>For variable {@code x ≤ bound} there is what is left {@code v = bound − x}, what the bound is
 * worth {@code f}, and what the variable costs beyond its worth {@code d}; for each row what is
 * left {@code s} and its price {@code y}. At the optimum every {@code x·d}, {@code v·f} and {@code
 * s·y} is 0; their sum is how much more any solution could be worth.
 */
final class InteriorRun {
  private static final int STEPS_MAX = 60;

  /** How far to the nearest bound a step goes. */
  private static final double STEP_PART = 0.98;

  /** The part of the gap that errors of the equations may have. */
  private static final double ERROR_PART = 0.01;

  /** How often a step is corrected, where a factor makes that cheap and where it does not. */
  private static final int CORRECTIONS_MAX = 4;

  private static final int CORRECTIONS_BY_WALKS_MAX = 1;

  /** By how much a corrected step shall be longer, and must be to be worth it. */
  private static final double FURTHER = 0.3;

  private static final double FURTHER_MIN = 0.02;
  private static final double LONG_ENOUGH = 1.9;
  private static final double NEIGHBOURHOOD = 0.1;

  /** Where prices begin, beyond what makes every variable too dear. */
  private static final double DEARER = 1.3;

  /** How near the center of all products, as a part of it, those of rows begin at least. */
  private static final double CENTERED = 0.1;

  /** The part of what must be proven at which it is tried: repairs take something. */
  private static final double GAP_PART = 0.3;

  /** The less a step without a center would leave, the less is aimed at. */
  private static final double CENTER_POWER = 5;

  /** What of each row is given out at the beginning. */
  private static final double FILLED = 0.9;

  private static final int FILL_ROUNDS = 3;

  /** How near the optimum filling every row is tried, and how much nearer it is tried again. */
  private static final double BRIM_PART = 0.02;

  private static final double BRIM_AGAIN = 0.1;

  private final PackingProgram program;
  private final ReducedProgram reduced;
  private final NormalEquations equations;
  private final Brim brim;
  private final int rows;
  private final int columns;
  private final int groups;

  private final double[] x;
  private final double[] d;
  private final double[] v;
  private final double[] f;
  private final double[] s;
  private final double[] y;

  /** A step: the change of each of these. */
  private final Step ahead;

  private Step step;
  private Step other;

  private final double[] theta;
  private final double[] groupTheta;
  private final double[] rowTheta;
  private final double[] missing;
  private final double[] wrong;

  private final double[] used;
  private final double[] right;
  private final double[] groupAmounts;
  private final double[] pull;
  private final double[] meets;
  private final double[] meetsBound;
  private final double[] meetsRow;

  int steps;

  private static final class Step {
    final double[] x;
    final double[] d;
    final double[] v;
    final double[] f;
    final double[] s;
    final double[] y;

    Step(int columns, int rows) {
      x = new double[columns];
      d = new double[columns];
      v = new double[columns];
      f = new double[columns];
      s = new double[rows];
      y = new double[rows];
    }
  }

  InteriorRun(PackingProgram program, long workMax) {
    this.program = program;
    reduced = new ReducedProgram(program);
    equations = new NormalEquations(reduced, workMax);
    brim = new Brim(reduced, equations);
    rows = reduced.rows;
    columns = reduced.columns;
    groups = reduced.groups;
    x = new double[columns];
    d = new double[columns];
    v = new double[columns];
    f = new double[columns];
    s = new double[rows];
    y = new double[rows];
    ahead = new Step(columns, rows);
    step = new Step(columns, rows);
    other = new Step(columns, rows);
    theta = new double[columns];
    groupTheta = new double[groups];
    rowTheta = new double[rows];
    missing = new double[rows];
    wrong = new double[columns];
    used = new double[rows];
    right = new double[rows];
    groupAmounts = new double[groups];
    pull = new double[columns];
    meets = new double[columns];
    meetsBound = new double[columns];
    meetsRow = new double[rows];
  }

  PackingAnswer run() {
    if (columns == 0) {
      return proven(x, y);
    }
    begin();
    double brimPart = BRIM_PART;
    for (steps = 0; steps < STEPS_MAX; steps++) {
      double gap = gap();
      double error = lookForErrors();
      double worth = worth();
      if (gap + error <= GAP_PART * ProvenAnswer.PROOF * worth) {
        return proven(x, y);
      }
      if (gap <= brimPart * worth && !equations.isFactored()) {
        if (brim.isFilledFrom(x)
            && proven(brim.values(), brim.prices()) instanceof PackingAnswer.Optimal full) {
          return full;
        }
        brimPart *= BRIM_AGAIN;
      }
      advance(gap);
      if (equations.isExhausted()) {
        return new PackingAnswer.Failed(
            program.columns()
                + " variables in "
                + program.rows()
                + " rows are too many for the time");
      }
    }
    return new PackingAnswer.Failed("rounding errors: no optimum after " + STEPS_MAX + " steps");
  }

  /** Amounts of which each takes about as much of a row as the others on it do. */
  private double[] evenAmounts() {
    double[] amounts = new double[groups];
    Arrays.fill(amounts, 1);
    for (int round = 0; round < FILL_ROUNDS; round++) {
      reduced.take(amounts, used);
      for (int g = 0; g < groups; g++) {
        double rise = Double.POSITIVE_INFINITY;
        for (int e = reduced.begins[g]; e < reduced.begins[g + 1]; e++) {
          rise = Math.min(rise, FILLED / used[reduced.entryRow[e]]);
        }
        amounts[g] *= rise;
      }
    }
    return amounts;
  }

  /** Away from all bounds: something of each row is left, and every variable is too dear. */
  private void begin() {
    double[] amounts = evenAmounts();
    double[] costs = reduced.plainCosts();
    double dearest = 0;
    for (int g = 0; g < groups; g++) {
      int begin = reduced.groupColumns[g];
      int end = reduced.groupColumns[g + 1];
      for (int c = begin; c < end; c++) {
        x[c] = Math.min(amounts[g] / (end - begin), 0.5 * reduced.bound[c]);
        v[c] = reduced.isBounded(c) ? reduced.bound[c] - x[c] : 0;
        if (!reduced.isBounded(c)) {
          dearest = Math.max(dearest, reduced.weight[c] / costs[g]);
        }
      }
    }
    for (int c = 0; c < columns && dearest == 0; c++) {
      dearest = Math.max(dearest, reduced.weight[c]);
    }
    sumUp(x, groupAmounts);
    reduced.take(groupAmounts, used);
    double center = 0;
    for (int j = 0; j < rows; j++) {
      s[j] = 1 - used[j];
      y[j] = DEARER * dearest * reduced.capacity[j];
      center += s[j] * y[j] / (rows + columns);
    }
    for (int j = 0; j < rows; j++) {
      y[j] = Math.max(y[j], CENTERED * center / s[j]);
    }
    reduced.cost(y, groupAmounts);
    for (int g = 0; g < groups; g++) {
      for (int c = reduced.groupColumns[g]; c < reduced.groupColumns[g + 1]; c++) {
        double beyond = groupAmounts[g] - reduced.weight[c];
        f[c] = reduced.isBounded(c) ? Math.max(center / v[c], center / x[c] - beyond) : 0;
        d[c] = beyond + f[c];
      }
    }
  }

  private void sumUp(double[] ofColumns, double[] ofGroups) {
    for (int g = 0; g < groups; g++) {
      double sum = 0;
      for (int c = reduced.groupColumns[g]; c < reduced.groupColumns[g + 1]; c++) {
        sum += ofColumns[c];
      }
      ofGroups[g] = sum;
    }
  }

  private double gap() {
    double gap = 0;
    for (int c = 0; c < columns; c++) {
      gap += x[c] * d[c] + v[c] * f[c];
    }
    for (int j = 0; j < rows; j++) {
      gap += s[j] * y[j];
    }
    return gap;
  }

  private double worth() {
    double worth = 0;
    for (int c = 0; c < columns; c++) {
      worth += reduced.weight[c] * x[c];
    }
    return worth;
  }

  /** What rows and costs are off by; answers what that is worth. */
  private double lookForErrors() {
    sumUp(x, groupAmounts);
    reduced.take(groupAmounts, used);
    double off = 0;
    for (int j = 0; j < rows; j++) {
      missing[j] = 1 - used[j] - s[j];
      off += y[j] * Math.abs(missing[j]);
    }
    reduced.cost(y, groupAmounts);
    for (int g = 0; g < groups; g++) {
      for (int c = reduced.groupColumns[g]; c < reduced.groupColumns[g + 1]; c++) {
        wrong[c] = reduced.weight[c] - groupAmounts[g] - f[c] + d[c];
        off += x[c] * Math.abs(wrong[c]);
      }
    }
    return off;
  }

  private void advance(double gap) {
    int products = columns + rows;
    for (int c = 0; c < columns; c++) {
      theta[c] = 1 / (d[c] / x[c] + (reduced.isBounded(c) ? f[c] / v[c] : 0));
      products += reduced.isBounded(c) ? 1 : 0;
    }
    sumUp(theta, groupTheta);
    for (int j = 0; j < rows; j++) {
      rowTheta[j] = s[j] / y[j];
    }
    equations.set(groupTheta, rowTheta);

    Arrays.fill(ahead.y, 0);
    aim(0, false);
    find(ahead, 10 * ERROR_PART * gap);
    double primal = Math.min(1, primalRoom(ahead));
    double dual = Math.min(1, dualRoom(ahead));
    double part = left(ahead, primal, dual) / gap;
    double center = Math.pow(part, CENTER_POWER) * gap / products;
    System.arraycopy(ahead.y, 0, step.y, 0, rows);
    aim(center, true);
    find(step, ERROR_PART * gap);
    correct(center, ERROR_PART * gap);
    move(Math.min(1, STEP_PART * primalRoom(step)), Math.min(1, STEP_PART * dualRoom(step)));
  }

  /**
   * Makes the step longer, after Gondzio: products that a longer step would leave far from the
   * center are aimed at the center's neighbourhood. Costs no factorisation.
   */
  private void correct(double center, double tolerance) {
    double primal = Math.min(1, primalRoom(step));
    double dual = Math.min(1, dualRoom(step));
    int max = equations.isFactored() ? CORRECTIONS_MAX : CORRECTIONS_BY_WALKS_MAX;
    for (int k = 0; k < max && primal + dual < LONG_ENOUGH; k++) {
      double furtherPrimal = Math.min(1, primal + FURTHER);
      double furtherDual = Math.min(1, dual + FURTHER);
      for (int c = 0; c < columns; c++) {
        meets[c] +=
            towards((x[c] + furtherPrimal * step.x[c]) * (d[c] + furtherDual * step.d[c]), center);
        if (reduced.isBounded(c)) {
          meetsBound[c] +=
              towards(
                  (v[c] + furtherPrimal * step.v[c]) * (f[c] + furtherDual * step.f[c]), center);
        }
      }
      for (int j = 0; j < rows; j++) {
        meetsRow[j] +=
            towards((s[j] + furtherPrimal * step.s[j]) * (y[j] + furtherDual * step.y[j]), center);
      }
      System.arraycopy(step.y, 0, other.y, 0, rows);
      find(other, tolerance);
      double otherPrimal = Math.min(1, primalRoom(other));
      double otherDual = Math.min(1, dualRoom(other));
      if (otherPrimal + otherDual < primal + dual + FURTHER_MIN) {
        return;
      }
      primal = otherPrimal;
      dual = otherDual;
      Step better = other;
      other = step;
      step = better;
    }
  }

  private static double towards(double product, double center) {
    if (product < NEIGHBOURHOOD * center) {
      return NEIGHBOURHOOD * center - product;
    }
    double high = center / NEIGHBOURHOOD;
    return product > high ? Math.max(high - product, -high) : 0;
  }

  private double left(Step taken, double primal, double dual) {
    double left = 0;
    for (int c = 0; c < columns; c++) {
      left += (x[c] + primal * taken.x[c]) * (d[c] + dual * taken.d[c]);
      left += (v[c] + primal * taken.v[c]) * (f[c] + dual * taken.f[c]);
    }
    for (int j = 0; j < rows; j++) {
      left += (s[j] + primal * taken.s[j]) * (y[j] + dual * taken.y[j]);
    }
    return left;
  }

  private void move(double primal, double dual) {
    for (int c = 0; c < columns; c++) {
      x[c] += primal * step.x[c];
      v[c] += primal * step.v[c];
      d[c] += dual * step.d[c];
      f[c] += dual * step.f[c];
    }
    for (int j = 0; j < rows; j++) {
      s[j] += primal * step.s[j];
      y[j] += dual * step.y[j];
    }
  }

  private double primalRoom(Step taken) {
    return room(x, taken.x, s, taken.s, v, taken.v);
  }

  private double dualRoom(Step taken) {
    return room(d, taken.d, y, taken.y, f, taken.f);
  }

  /** How many times a step can be made until something is at 0. */
  private double room(
      double[] one,
      double[] ofOne,
      double[] two,
      double[] ofTwo,
      double[] three,
      double[] ofThree) {
    double least = Double.POSITIVE_INFINITY;
    for (int c = 0; c < columns; c++) {
      // Whether it is less is known without dividing, and mostly it is not.
      if (-ofOne[c] * least > one[c]) {
        least = -one[c] / ofOne[c];
      }
      if (-ofThree[c] * least > three[c]) {
        least = -three[c] / ofThree[c];
      }
    }
    for (int j = 0; j < rows; j++) {
      if (-ofTwo[j] * least > two[j]) {
        least = -two[j] / ofTwo[j];
      }
    }
    return least;
  }

  /**
   * What products are to change by so that each is {@code center}.
   *
   * @param corrected whether what the step ahead adds in second order is taken away
   */
  private void aim(double center, boolean corrected) {
    for (int c = 0; c < columns; c++) {
      meets[c] = center - x[c] * d[c] - (corrected ? ahead.x[c] * ahead.d[c] : 0);
      if (reduced.isBounded(c)) {
        meetsBound[c] = center - v[c] * f[c] - (corrected ? ahead.v[c] * ahead.f[c] : 0);
      }
    }
    for (int j = 0; j < rows; j++) {
      meetsRow[j] = center - s[j] * y[j] - (corrected ? ahead.s[j] * ahead.y[j] : 0);
    }
  }

  /** The step by which, in first order, products change as they shall and nothing is off. */
  private void find(Step found, double tolerance) {
    for (int c = 0; c < columns; c++) {
      pull[c] = wrong[c] + meets[c] / x[c];
      if (reduced.isBounded(c)) {
        pull[c] -= meetsBound[c] / v[c];
      }
    }
    for (int g = 0; g < groups; g++) {
      double sum = 0;
      for (int c = reduced.groupColumns[g]; c < reduced.groupColumns[g + 1]; c++) {
        sum += theta[c] * pull[c];
      }
      groupAmounts[g] = sum;
    }
    reduced.take(groupAmounts, right);
    for (int j = 0; j < rows; j++) {
      right[j] += meetsRow[j] / y[j] - missing[j];
    }
    equations.solve(right, found.y, y, tolerance);
    reduced.cost(found.y, groupAmounts);
    for (int g = 0; g < groups; g++) {
      for (int c = reduced.groupColumns[g]; c < reduced.groupColumns[g + 1]; c++) {
        found.x[c] = theta[c] * (pull[c] - groupAmounts[g]);
        found.d[c] = (meets[c] - d[c] * found.x[c]) / x[c];
        if (reduced.isBounded(c)) {
          found.v[c] = -found.x[c];
          found.f[c] = (meetsBound[c] - f[c] * found.v[c]) / v[c];
        }
      }
    }
    for (int j = 0; j < rows; j++) {
      found.s[j] = (meetsRow[j] - s[j] * found.y[j]) / y[j];
    }
  }

  private PackingAnswer proven(double[] values, double[] prices) {
    return ProvenAnswer.of(
        program, reduced.unreduced(program, values), row -> reduced.price(row, prices));
  }
}
