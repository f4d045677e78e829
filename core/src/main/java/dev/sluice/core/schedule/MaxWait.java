package dev.sluice.core.schedule;

/**
 * How long a job with something queued may go unserved while others of its set are served before
 * it.
 */
public sealed interface MaxWait {
  /**
   * Twice as long as a phase of the set typically takes, and at least a second; a minute before the
   * first is over.
   */
  Automatic AUTOMATIC = new Automatic();

  /** For as long as the others have something queued. */
  Unbounded UNBOUNDED = new Unbounded();

  /** As the scheduler finds right. */
  record Automatic() implements MaxWait {}

  /** No bound: a job can starve. */
  record Unbounded() implements MaxWait {}

  /** So long. */
  record Bounded(long nanos) implements MaxWait {
    public Bounded {
      if (nanos < 1) {
        throw new IllegalArgumentException("a wait has at least 1 ns, not " + nanos);
      }
    }
  }
}
