package dev.sluice.core.linear;

/**
 * What solves programs where nothing else is said: {@link BoundedSimplex}, whose answers are
 * corners and exact, where that takes a few milliseconds; {@link InteriorPoint} beyond, where the
 * other's steps become too many.
 */
public final class BuiltInSolver implements PackingSolver {
  /**
   * Up to which {@code rows²·columns} the simplex method is no slower: 2,000 variables in 64 rows,
   * or 250 in 200.
   */
  private static final double CORNER_WORK_MAX = 1e7;

  private final PackingSolver small = new BoundedSimplex();
  private final PackingSolver large = new InteriorPoint();

  @Override
  public String name() {
    return "built-in";
  }

  @Override
  public PackingAnswer solve(PackingProgram program, long limitNanos) {
    return (isSmall(program) ? small : large).solve(program, limitNanos);
  }

  static boolean isSmall(PackingProgram program) {
    return (double) program.rows() * program.rows() * program.columns() <= CORNER_WORK_MAX;
  }
}
