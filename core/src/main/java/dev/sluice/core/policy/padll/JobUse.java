package dev.sluice.core.policy.padll;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.JobClaim;

/**
 * One job's claim to a resource, and what it makes of it, over all its nodes.
 *
 * @param demandPerSecond what somebody assigned to it: the rate it may count on when all are busy.
 *     Not what it asks for
 * @param usagePerSecond what it was seen to use
 * @param priority its weight among the others, for algorithms that go by it
 */
public record JobUse(JobId job, double demandPerSecond, double usagePerSecond, long priority) {
  /** Bound on what a job may be seen to use a second, so that sums over all jobs stay finite. */
  public static final long USAGE_PER_SECOND_MAX = 1L << 60;

  public JobUse {
    if (!(demandPerSecond >= 0 && demandPerSecond <= Rate.TOKENS_PER_SECOND_MAX)) {
      throw new IllegalArgumentException(
          "job "
              + job
              + ": its demand must be 0 to "
              + Rate.TOKENS_PER_SECOND_MAX
              + " a second, not "
              + demandPerSecond);
    }
    if (!(usagePerSecond >= 0 && usagePerSecond <= USAGE_PER_SECOND_MAX)) {
      throw new IllegalArgumentException(
          "job "
              + job
              + ": its usage must be 0 to "
              + USAGE_PER_SECOND_MAX
              + " a second, not "
              + usagePerSecond);
    }
    if (priority < 1 || priority > JobClaim.WEIGHT_MAX) {
      throw new IllegalArgumentException(
          "job "
              + job
              + ": its priority must be 1 to "
              + JobClaim.WEIGHT_MAX
              + ", not "
              + priority);
    }
  }
}
