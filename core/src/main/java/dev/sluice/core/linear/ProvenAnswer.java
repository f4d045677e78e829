package dev.sluice.core.linear;

/** Calls values optimal where prices of the rows prove it. */
final class ProvenAnswer {
  /** How far from the proven bound an answer may be, as a part of it. */
  static final double PROOF = 1e-8;

  /** Prices of the rows of a program; none is negative. */
  interface Prices {
    double of(int row);
  }

  private ProvenAnswer() {}

  /**
   * The values, repaired by {@link CheckedAnswer}, if the prices prove them.
   *
   * <p>Theorem. An answer {@code Optimal} is within {@value #PROOF} of the optimum, as a part of
   * it, or of 1 where that is more.
   */
  static PackingAnswer of(PackingProgram program, double[] values, Prices prices) {
    PackingAnswer checked = CheckedAnswer.of(program, new PackingAnswer.Optimal(values));
    if (!(checked instanceof PackingAnswer.Optimal optimal)) {
      return checked;
    }
    double reached = 0;
    for (int i = 0; i < program.columns(); i++) {
      reached += program.weight(i) * optimal.value(i);
    }
    double bound = bound(program, prices);
    if (bound - reached > PROOF * Math.max(1, bound)) {
      return new PackingAnswer.Failed(
          "rounding errors: it reached " + reached + " of at most " + bound);
    }
    return optimal;
  }

  /**
   * What no solution can exceed.
   *
   * <p>Theorem. Whatever the prices, no solution is worth more than all capacities at their prices,
   * and for each variable what it is worth beyond what it takes at these prices, times the most
   * that its bound and any row alone leave it.
   */
  static double bound(PackingProgram program, Prices prices) {
    double bound = 0;
    for (int j = 0; j < program.rows(); j++) {
      bound += prices.of(j) * program.capacity(j);
    }
    for (int i = 0; i < program.columns(); i++) {
      double worth = program.weight(i);
      double most = program.bound(i);
      for (int e = program.begin(i); e < program.begin(i + 1); e++) {
        double coefficient = program.coefficient(e);
        double capacity = program.capacity(program.row(e));
        worth -= prices.of(program.row(e)) * coefficient;
        most = coefficient * most > capacity ? capacity / coefficient : most;
      }
      bound += most * Math.max(0, worth);
    }
    return bound;
  }
}
