package dev.sluice.core.policy.guarantee;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.JobOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All goals that were set. A job has the first that names it.
 *
 * @param all first match first
 */
public record Goals(List<Goal> all) {
  /** Nobody has a goal. */
  public static final Goals NONE = new Goals(List.of());

  /**
   * Jobs with goals go first up to this part of a target. Who wants more waits for itself, and no
   * goal helps against that.
   */
  public static final double FIRST_MAX = 0.25;

  public Goals {
    all = List.copyOf(all);
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** The goal that a job has; null when it has none. */
  public @Nullable Goal of(JobId job, JobOwner owner) {
    for (Goal goal : all) {
      if (goal.covers(job, owner)) {
        return goal;
      }
    }
    return null;
  }

  /**
   * What was seen of jobs on a target, with reserves that let those with goals go first.
   *
   * <p>Theorem. The jobs of all goals that are there have reserves of a quarter of the target, or
   * of what is left of nine tenths beside other reserves, in equal parts for each goal, divided as
   * {@link Guarantees} divide; who has more reserved already keeps that. A reserve takes nothing
   * from anybody while it is not wanted.
   *
   * @param seen with what is reserved otherwise
   */
  public List<JobDemand> reserve(
      Target target, List<JobDemand> seen, Function<JobId, JobOwner> owners, long periodNanos) {
    if (all.isEmpty()) {
      return seen;
    }
    List<List<Integer>> covered = new ArrayList<>();
    all.forEach(_ -> covered.add(new ArrayList<>()));
    double reservedSum = 0;
    for (int i = 0; i < seen.size(); i++) {
      reservedSum += Math.max(0, seen.get(i).reservedPerSecond());
      Goal goal = of(seen.get(i).job(), owners.apply(seen.get(i).job()));
      if (goal != null) {
        covered.get(all.indexOf(goal)).add(i);
      }
    }
    long there = covered.stream().filter(jobs -> !jobs.isEmpty()).count();
    double left = Guarantees.PROMISED_MAX * target.tokensPerSecond() - reservedSum;
    long each =
        (long) (Math.clamp(left, 0, FIRST_MAX * target.tokensPerSecond()) / Math.max(1, there));
    List<JobDemand> reserved = new ArrayList<>(seen);
    covered.forEach(jobs -> Guarantees.divide(each, jobs, reserved, periodNanos));
    for (int i = 0; i < seen.size(); i++) {
      if (seen.get(i).reservedPerSecond() > reserved.get(i).reservedPerSecond()) {
        reserved.set(i, seen.get(i));
      }
    }
    return reserved;
  }
}
