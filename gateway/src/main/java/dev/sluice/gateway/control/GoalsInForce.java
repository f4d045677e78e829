package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.guarantee.GoalKeeping;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.StepBack;
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.gateway.target.TargetGoals;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Keeps goals on all targets. Not thread-safe; the caller brings the time. */
final class GoalsInForce {
  private final Map<String, GoalKeeping> byTarget = new HashMap<>();
  private Goals goals = Goals.NONE;
  private long dueNanos;

  /**
   * These goals hold from now on, on these targets. With other goals everything is learnt anew.
   *
   * @param enforced whether anybody steps back for them
   */
  void follow(Goals wanted, List<ControlledTarget> targets, boolean enforced, long nowNanos) {
    Goals now = enforced ? wanted : Goals.NONE;
    boolean same = now.equals(goals);
    goals = now;
    if (!same) {
      byTarget.clear();
      targets.forEach(target -> target.hold(StepBack.FREE, nowNanos));
      dueNanos = nowNanos;
    }
    byTarget.keySet().retainAll(targets.stream().map(target -> target.target().name()).toList());
  }

  /** When to {@link #look} next; the largest number where nobody has a goal. */
  long dueNanos() {
    return goals.isEmpty() ? Long.MAX_VALUE : dueNanos;
  }

  /** Looks at all targets, if it is time. */
  void look(List<ControlledTarget> targets, Function<JobId, String> accounts, long nowNanos) {
    if (goals.isEmpty() || nowNanos < dueNanos) {
      return;
    }
    dueNanos = nowNanos + GoalKeeping.LOOK_NANOS;
    for (ControlledTarget target : targets) {
      GoalKeeping keeping =
          byTarget.computeIfAbsent(target.target().name(), _ -> new GoalKeeping(goals, nowNanos));
      TargetGoals seen = target.lookAtGoals(goals, accounts, nowNanos);
      target.hold(
          keeping.look(
              seen.look(), seen.capacityPerSecond(), seen.found(), seen.servedTokens(), nowNanos),
          nowNanos);
    }
  }

  /** How each goal is kept on a target. */
  List<StepBack> on(String target) {
    GoalKeeping keeping = byTarget.get(target);
    return keeping == null ? List.of() : keeping.stepBacks();
  }
}
