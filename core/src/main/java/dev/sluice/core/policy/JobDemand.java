package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;

/**
 * What one job did on one target during a period.
 *
 * @param nodes compute nodes of the job, its claim to a share
 * @param arrivedTokens worth of the requests that arrived in the period, served or not: a throttled
 *     job must be able to show that it wants more than it gets
 * @param backlogTokens worth of the requests that arrived earlier and still wait at its end
 */
public record JobDemand(JobId job, long nodes, long arrivedTokens, long backlogTokens) {
  /** Bound on the nodes of a job, so that sums over all jobs stay exact. */
  public static final long NODES_MAX = 10_000_000;

  /** Bound on either part of the demand. */
  public static final long TOKENS_MAX = 1L << 50;

  public JobDemand {
    if (nodes < 1 || nodes > NODES_MAX) {
      throw new IllegalArgumentException(
          "job " + job + ": nodes must be 1 to " + NODES_MAX + ", not " + nodes);
    }
    if (arrivedTokens < 0
        || arrivedTokens > TOKENS_MAX
        || backlogTokens < 0
        || backlogTokens > TOKENS_MAX) {
      throw new IllegalArgumentException(
          "job "
              + job
              + ": demand must be 0 to "
              + TOKENS_MAX
              + " tokens, not "
              + arrivedTokens
              + " arrived and "
              + backlogTokens
              + " waiting");
    }
  }

  public static JobDemand of(String job, long nodes, long arrivedTokens) {
    return new JobDemand(JobId.of(job), nodes, arrivedTokens, 0);
  }

  /** All that the job wanted served in the period. */
  public long wantedTokens() {
    return arrivedTokens + backlogTokens;
  }
}
