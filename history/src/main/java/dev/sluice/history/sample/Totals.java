package dev.sluice.history.sample;

import dev.sluice.core.model.Target;
import java.util.List;

/**
 * Counters at an instant: whoever looks twice knows what happened in between.
 *
 * @param nowNanos when, on a clock that never goes back
 * @param nowMillis the same instant since 1970
 */
public record Totals(
    long nowNanos, long nowMillis, String policy, boolean observesOnly, List<OfTarget> targets) {

  /** The counters of a target, each job once. */
  public record OfTarget(Target target, boolean capacityKnown, int queued, List<OfJob> jobs) {}

  /**
   * The counters of a job on a target. They begin at zero when the job is first seen, and again
   * when it was forgotten meanwhile.
   *
   * @param waitedNanos how long its requests have waited, summed over them, whether they have had
   *     their turn or still wait
   * @param allowedTokensPerSecond infinite where the job is not limited
   */
  public record OfJob(
      String id,
      String user,
      long weight,
      long operations,
      long readBytes,
      long writtenBytes,
      long waitedNanos,
      int queued,
      double allowedTokensPerSecond) {}
}
