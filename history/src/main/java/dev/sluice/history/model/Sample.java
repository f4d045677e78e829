package dev.sluice.history.model;

import dev.sluice.core.model.TokenUnit;
import java.util.List;

/**
 * What happened in a stretch of time on every target. Amounts are of this stretch alone.
 *
 * @param endMillis when it ended, since 1970
 * @param spanMillis how long it was
 * @param policy who decided at its end
 * @param observesOnly whether nothing was enforced at its end
 */
public record Sample(
    long endMillis, int spanMillis, String policy, boolean observesOnly, List<OfTarget> targets) {

  /** What stands in place of a job's name for all those that were too many to be kept apart. */
  public static final String OTHERS = "";

  public Sample {
    targets = List.copyOf(targets);
  }

  /**
   * What happened on a target.
   *
   * @param capacityTokensPerSecond what it can serve; 0 where nobody knows
   * @param queued the most requests that waited at any look
   * @param saturatedMillis for how long it was at its limit
   * @param jobs those that did or wanted something
   */
  public record OfTarget(
      String name,
      long capacityTokensPerSecond,
      TokenUnit unit,
      int queued,
      int saturatedMillis,
      List<OfJob> jobs) {
    public OfTarget {
      jobs = List.copyOf(jobs);
    }

    /** What was served, in the target's tokens. */
    public long servedTokens() {
      long tokens = 0;
      for (OfJob job : jobs) {
        tokens += unit.price(job.operations(), job.readBytes() + job.writtenBytes());
      }
      return tokens;
    }
  }

  /**
   * What a job did on a target.
   *
   * @param id the job; {@link #OTHERS} for many
   * @param user whose it is; empty where nobody knows
   * @param waitedMicros how long its requests waited in this time, summed over them, whether they
   *     have had their turn or still wait
   * @param queued the most of its requests that waited at any look
   * @param allowedTokensPerSecond what its policy gave it, on average; {@link #UNLIMITED}
   * @param heldBackMillis for how long its requests had to wait noticeably
   */
  public record OfJob(
      String id,
      String user,
      long weight,
      long operations,
      long readBytes,
      long writtenBytes,
      long waitedMicros,
      int queued,
      long allowedTokensPerSecond,
      int heldBackMillis) {
    /** The allowance of a job that was not limited at any time. */
    public static final long UNLIMITED = -1;

    public long bytes() {
      return readBytes + writtenBytes;
    }

    /** How long a request of it waited, on average over those that had their turn or still wait. */
    public double meanWaitMicros() {
      return (double) waitedMicros / Math.max(1, Math.max(operations, queued));
    }
  }
}
