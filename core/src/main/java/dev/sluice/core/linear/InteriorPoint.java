package dev.sluice.core.linear;

/**
 * An interior point method for packing: as many steps for a thousand rows as for a hundred, and no
 * path from corner to corner that grows with the jobs. Its equations are over the rows alone; they
 * are solved by walks over the program's entries for as long as few suffice, and by a factor after
 * that. Of many optima it finds one that leaves no variable at a bound without need.
 *
 * <p>It has no state and no clock: the time it is given bounds its work, at a nanosecond for each
 * multiplication that follows an index. It begins from the program alone, so equal programs have
 * equal answers whatever was solved before.
 */
public final class InteriorPoint implements PackingSolver {
  @Override
  public String name() {
    return "interior-point";
  }

  /**
   * Solves the program.
   *
   * <p>Theorem. An answer {@code Optimal} is within {@value ProvenAnswer#PROOF} of the optimum, as
   * a part of it: its prices bound what any solution can be worth.
   */
  @Override
  public PackingAnswer solve(PackingProgram program, long limitNanos) {
    return new InteriorRun(program, limitNanos).run();
  }
}
