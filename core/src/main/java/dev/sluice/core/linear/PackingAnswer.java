package dev.sluice.core.linear;

/** What came of solving a program. */
public sealed interface PackingAnswer {
  /** The value of each variable at the optimum, as far as the solver's arithmetic goes. */
  final class Optimal implements PackingAnswer {
    private final double[] values;

    /** An answer over values that the caller gives up. */
    public Optimal(double[] values) {
      this.values = values;
    }

    public int columns() {
      return values.length;
    }

    public double value(int column) {
      return values[column];
    }
  }

  /** No answer, and why: it took too long, it is not there, its arithmetic failed. */
  record Failed(String reason) implements PackingAnswer {}
}
