package dev.sluice.core.policy.guarantee;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A decision, and how goals are kept on the target that it is about.
 *
 * @param goals in words
 * @param heldBackFor the goals for which others are held back
 * @param goalOf which goal a job has
 */
public record WithGoals(
    Explanation decision,
    List<String> goals,
    List<Goal> heldBackFor,
    Function<JobId, @Nullable Goal> goalOf)
    implements Explanation {
  public WithGoals {
    goals = List.copyOf(goals);
    heldBackFor = List.copyOf(heldBackFor);
  }

  /** As it is now; the decision alone where there are no goals. */
  public static Explanation of(
      Explanation decision, List<StepBack> kept, Function<JobId, @Nullable Goal> goalOf) {
    return kept.isEmpty()
        ? decision
        : new WithGoals(
            decision,
            kept.stream().map(StepBack::words).toList(),
            kept.stream().filter(each -> each.part() < 1).map(StepBack::goal).toList(),
            goalOf);
  }

  @Override
  public String summary() {
    return decision.summary() + "; " + String.join("; ", goals);
  }

  @Override
  public List<Reason> reasons() {
    if (heldBackFor.isEmpty()) {
      return decision.reasons();
    }
    List<Reason> reasons = new ArrayList<>();
    for (Reason reason : decision.reasons()) {
      Goal own = goalOf.apply(reason.job());
      StringBuilder words = new StringBuilder(reason.words());
      for (Goal goal : heldBackFor) {
        if (!goal.equals(own)) {
          words.append("; held back for ").append(goal.possessive());
        }
      }
      reasons.add(new Reason(reason.job(), reason.figures(), words.toString()));
    }
    return reasons;
  }

  @Override
  public Map<String, Number> amounts() {
    return decision.amounts();
  }

  @Override
  public Map<String, Number> levels() {
    return decision.levels();
  }
}
