package dev.sluice.core.policy.guarantee;

/** Counts how the requests of one job on one target were served that has a goal. */
public final class GoalMeter {
  private final long goalNanos;
  private final long nearNanos;
  private long served;
  private long late;
  private long near;
  private long servedTokens;

  public GoalMeter(long goalNanos) {
    this.goalNanos = goalNanos;
    this.nearNanos = (long) (goalNanos * GoalService.NEAR);
  }

  public long goalNanos() {
    return goalNanos;
  }

  /** A request of this worth was served so long after it came. */
  public void served(long tokens, long latencyNanos) {
    served++;
    near += latencyNanos > nearNanos ? 1 : 0;
    late += latencyNanos > goalNanos ? 1 : 0;
    servedTokens += tokens;
  }

  /**
   * What was counted since the last call.
   *
   * @param oldestWaitNanos for how long the job's oldest request has waited that still does
   */
  public GoalService take(long oldestWaitNanos) {
    GoalService seen =
        new GoalService(served, late, near, oldestWaitNanos > goalNanos, servedTokens);
    served = 0;
    late = 0;
    near = 0;
    servedTokens = 0;
    return seen;
  }
}
