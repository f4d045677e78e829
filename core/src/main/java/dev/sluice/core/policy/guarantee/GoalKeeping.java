package dev.sluice.core.policy.guarantee;

import java.util.List;

/** Keeps the goals on one target. Not thread-safe; the caller brings the time. */
public final class GoalKeeping {
  /** How often to look. */
  public static final long LOOK_NANOS = 100_000_000;

  private final List<StepBack> stepBacks;

  public GoalKeeping(Goals goals, long nowNanos) {
    this.stepBacks = goals.all().stream().map(goal -> new StepBack(goal, nowNanos)).toList();
  }

  /**
   * Looks at what happened.
   *
   * @param seen by the same goals
   * @param capacityPerSecond what the target can do; infinitely much while nobody knows
   * @param found whether that is found out, and so what the target really does
   * @param deliveredTokens all that the target served
   * @return what the target is to be given at most, in tokens a second; {@link StepBack#FREE} for
   *     all it takes
   */
  public long look(
      GoalLook seen, double capacityPerSecond, boolean found, long deliveredTokens, long nowNanos) {
    long heldTo = StepBack.FREE;
    List<GoalService> own = seen.own();
    for (int i = 0; i < stepBacks.size(); i++) {
      StepBack stepBack = stepBacks.get(i);
      stepBack.look(
          own.get(i),
          new StepBack.Load(capacityPerSecond, found, deliveredTokens, seen.othersWait(i)),
          nowNanos);
      heldTo = Math.min(heldTo, stepBack.heldTo(capacityPerSecond));
    }
    return heldTo;
  }

  /** In the order of the goals. */
  public List<StepBack> stepBacks() {
    return stepBacks;
  }
}
