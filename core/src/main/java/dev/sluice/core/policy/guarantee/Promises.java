package dev.sluice.core.policy.guarantee;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.JobOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** All that somebody was promised: minimums and latencies. */
public record Promises(Guarantees guarantees, Goals goals) {
  /** Nobody was promised anything. */
  public static final Promises NONE = new Promises(Guarantees.NONE, Goals.NONE);

  public boolean isEmpty() {
    return guarantees.isEmpty() && goals.isEmpty();
  }

  /** These, and others for whom none of these is. */
  public Promises before(Promises others) {
    if (isEmpty() || others.isEmpty()) {
      return isEmpty() ? others : this;
    }
    List<Goal> latencies = new ArrayList<>(goals.all());
    latencies.addAll(others.goals.all());
    return new Promises(guarantees.before(others.guarantees), new Goals(latencies));
  }

  /** The same without goals, for whoever reserves but does not serve what is reserved first. */
  public Promises withoutGoals() {
    return new Promises(guarantees, Goals.NONE);
  }

  /** What was seen of jobs on a target, with what minimums and goals reserve for them. */
  public List<JobDemand> reserve(
      Target target, List<JobDemand> seen, Function<JobId, JobOwner> owners, long periodNanos) {
    List<JobDemand> minimums = guarantees.reserve(target, seen, owners, periodNanos);
    return goals.reserve(target, minimums, owners, periodNanos);
  }
}
