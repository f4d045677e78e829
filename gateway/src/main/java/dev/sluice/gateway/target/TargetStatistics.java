package dev.sluice.gateway.target;

import dev.sluice.core.model.JobId;
import java.util.List;

/**
 * What happened on a target so far.
 *
 * @param queued requests that wait now
 * @param inService requests that are being served now
 * @param jobs every job that was here lately, in ascending order of job id
 */
public record TargetStatistics(
    String target, long nowNanos, int queued, int inService, List<JobStatistics> jobs) {
  public TargetStatistics {
    jobs = List.copyOf(jobs);
  }

  /**
   * What one job did here; totals since it was first seen.
   *
   * @param waitedNanos summed over the requests that wait no more
   * @param user whose first request it was
   * @param group the user's, as that request said
   * @param reads how many of the operations were reads
   * @param writes how many of the operations were writes
   * @param servedNanos how long being served took, summed over the requests that were
   * @param busyNanos time in which it had at least one request here, waiting or in service
   * @param waitingNanos how long the requests that wait now have waited so far, summed over them
   * @param oldestWaitNanos for how long the oldest of them has
   */
  public record JobStatistics(
      JobId job,
      long operations,
      long readBytes,
      long writtenBytes,
      long waitedNanos,
      int queued,
      long lastSeenNanos,
      String user,
      String group,
      long reads,
      long writes,
      long servedNanos,
      long busyNanos,
      int inService,
      long waitingNanos,
      long oldestWaitNanos) {
    /** Of a job of which no more is known. */
    public JobStatistics(
        JobId job,
        long operations,
        long readBytes,
        long writtenBytes,
        long waitedNanos,
        int queued,
        long lastSeenNanos) {
      this(
          job,
          operations,
          readBytes,
          writtenBytes,
          waitedNanos,
          queued,
          lastSeenNanos,
          "",
          "",
          0,
          0,
          0,
          0,
          0,
          0,
          0);
    }

    /** How long requests have waited, whether they still do or not. It never falls. */
    public long waitedSoFarNanos() {
      return waitedNanos + waitingNanos;
    }
  }
}
