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
   * @param waitedNanos summed over the requests that were served
   */
  public record JobStatistics(
      JobId job,
      long operations,
      long readBytes,
      long writtenBytes,
      long waitedNanos,
      int queued,
      long lastSeenNanos) {}
}
