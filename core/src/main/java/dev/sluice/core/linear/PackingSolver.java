package dev.sluice.core.linear;

/**
 * What solves linear programs of packing. Equal programs get equal answers, whatever was solved
 * before; who calls it from several threads at once gets right answers.
 */
public interface PackingSolver {
  /** How it is called where a decision is explained. */
  String name();

  /**
   * Solves the program, or says why not; does not throw.
   *
   * @param limitNanos how long it may take; a solver without a clock bounds its work instead
   */
  PackingAnswer solve(PackingProgram program, long limitNanos);
}
