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
   * @param limitNanos about how long it may take on a quiet machine. It bounds the work and not the
   *     time: by a clock, equal programs would have other answers where others are busy
   */
  PackingAnswer solve(PackingProgram program, long limitNanos);
}
