package dev.sluice.gateway.target;

import dev.sluice.core.model.JobId;
import java.util.List;

/**
 * What a target has served since it began: of all jobs, whether it remembers them or not, and of
 * each one that it remembers.
 *
 * @param all at least the sum over the jobs; it only grows
 */
public record TargetTally(String target, ServiceTally all, List<JobTally> jobs) {
  public TargetTally {
    jobs = List.copyOf(jobs);
  }

  /**
   * What one job was served since the target last began to remember it.
   *
   * @param account tells this remembering from one before it; the numbers only grow while it stays
   */
  public record JobTally(JobId job, long account, ServiceTally served) {}
}
