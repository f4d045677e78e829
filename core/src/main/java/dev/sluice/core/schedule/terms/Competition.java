package dev.sluice.core.schedule.terms;

/**
 * A scheduler's own order, in which those jobs compete that have something queued and are not at
 * their limits.
 *
 * @param <J> what the scheduler keeps of a job
 */
public interface Competition<J> {
  /** Lets a job compete that is backlogged, if it does not yet. */
  void compete(J job);

  /** A job that competes is not backlogged any more. */
  void dismiss(J job);

  boolean isCompeting(J job);
}
