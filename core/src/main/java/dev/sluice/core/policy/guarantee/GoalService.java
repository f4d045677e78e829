package dev.sluice.core.policy.guarantee;

/**
 * How requests that have a goal were served on a target since somebody looked last.
 *
 * @param served requests
 * @param late those of them that took longer than the goal
 * @param near those that took longer than {@link #NEAR} of it, late ones among them
 * @param waits whether one waits
 * @param lateWaits whether one waits that is late already
 * @param servedTokens what they were worth
 */
public record GoalService(
    long served, long late, long near, boolean waits, boolean lateWaits, long servedTokens) {
  /** Who is as close to a goal is close to missing it. */
  public static final double NEAR = 0.8;

  /** Nobody was there. */
  public static final GoalService NONE = new GoalService(0, 0, 0, false, false, 0);

  public GoalService {
    if (late < 0 || near < late || served < near || servedTokens < 0) {
      throw new IllegalArgumentException(
          "of " + served + " requests " + near + " were nearly late and " + late + " late");
    }
  }

  /** Of both. */
  public GoalService plus(GoalService other) {
    return new GoalService(
        served + other.served,
        late + other.late,
        near + other.near,
        waits || other.waits,
        lateWaits || other.lateWaits,
        servedTokens + other.servedTokens);
  }

  boolean isIdle() {
    return served == 0 && !lateWaits;
  }
}
