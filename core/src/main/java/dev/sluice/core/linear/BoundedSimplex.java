package dev.sluice.core.linear;

/**
 * A primal simplex method for packing: variables have bounds of their own instead of rows, the
 * inverse of the basis is kept as dense columns of which only what is not zero is touched, and the
 * answer is only called optimal when a dual solution proves it.
 *
 * <p>Made for some dozen rows and some hundred columns, where it needs fewer milliseconds than
 * general solvers do, and where its answers are exact: a corner, in which all but a few variables
 * are at a bound. It has no state and no clock: the time it is given bounds its work, at a
 * nanosecond for each multiplication.
 */
public final class BoundedSimplex implements PackingSolver {
  @Override
  public String name() {
    return "simplex";
  }

  /**
   * Solves the program.
   *
   * <p>Theorem. An answer {@code Optimal} is within {@value ProvenAnswer#PROOF} of the optimum, as
   * a part of it: its dual solution bounds what any solution can be worth.
   */
  @Override
  public PackingAnswer solve(PackingProgram program, long limitNanos) {
    return new SimplexRun(program, limitNanos).run();
  }
}
