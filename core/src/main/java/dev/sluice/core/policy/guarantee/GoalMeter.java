package dev.sluice.core.policy.guarantee;

/** Counts how the requests of one job on one target are served that has a goal. */
public final class GoalMeter {
  private final Goal goal;
  private final long nearNanos;
  private long served;
  private long late;
  private long near;
  private long servedTokens;

  public GoalMeter(Goal goal) {
    this.goal = goal;
    this.nearNanos = (long) (goal.latencyNanos() * GoalService.NEAR);
  }

  public Goal goal() {
    return goal;
  }

  /** A request of this worth was served so long after it came. */
  public void served(long tokens, long latencyNanos) {
    served++;
    near += latencyNanos > nearNanos ? 1 : 0;
    late += latencyNanos > goal.latencyNanos() ? 1 : 0;
    servedTokens += tokens;
  }

  /**
   * What was counted since the last call.
   *
   * @param waits whether a request of the job waits
   * @param oldestWaitNanos for how long the oldest of them has done so
   */
  GoalService take(boolean waits, long oldestWaitNanos) {
    boolean lateWaits = waits && oldestWaitNanos > goal.latencyNanos();
    GoalService seen = new GoalService(served, late, near, waits, lateWaits, servedTokens);
    served = 0;
    late = 0;
    near = 0;
    servedTokens = 0;
    return seen;
  }
}
