package dev.sluice.core.linear;

/**
 * What solves programs where nothing else is said: up to {@value #CORNER_ROWS_MAX} rows {@link
 * BoundedSimplex}, whose answers are corners and exact; beyond, where its steps become too many,
 * {@link InteriorPoint}.
 */
public final class BuiltInSolver implements PackingSolver {
  static final int CORNER_ROWS_MAX = 128;

  private final PackingSolver few = new BoundedSimplex();
  private final PackingSolver many = new InteriorPoint();

  @Override
  public String name() {
    return "built-in";
  }

  @Override
  public PackingAnswer solve(PackingProgram program, long limitNanos) {
    return (program.rows() <= CORNER_ROWS_MAX ? few : many).solve(program, limitNanos);
  }
}
