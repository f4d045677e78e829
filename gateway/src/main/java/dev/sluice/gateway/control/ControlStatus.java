package dev.sluice.gateway.control;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.StepBack;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.jobs.Job;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a control loop and its targets are.
 *
 * @param settings what was set of the policy's parameters
 * @param overrides what somebody set for single jobs, in ascending order of job
 */
public record ControlStatus(
    String policy,
    long periodNanos,
    Map<String, String> settings,
    boolean observesOnly,
    List<JobSetting> overrides,
    List<TargetStatus> targets) {

  /** What somebody set for a job; what is null was not spoken of. */
  public record JobSetting(
      JobId job, @Nullable Long weight, @Nullable TbfLimit limit, @Nullable Long phaseTokens) {}

  /**
   * How a target is.
   *
   * @param belief what is believed of its storage; null where its capacity was told
   * @param trouble in words, when the policy does not decide as it should; else null
   * @param explanation of the last decision; null before the first
   * @param goals how each goal is kept on it
   * @param jobs those that were busy in the last second, the busiest first
   */
  public record TargetStatus(
      Target target,
      @Nullable CapacityBelief belief,
      long decisions,
      @Nullable String trouble,
      @Nullable Explanation explanation,
      QueueFigures queue,
      List<GoalStatus> goals,
      List<JobStatus> jobs) {}

  /**
   * How a goal is kept on a target.
   *
   * @param othersPart which part of what is left others have; 1 while they are not held back
   * @param secondsSeen in which requests of the goal were served
   * @param secondsMet in which no more than one of a hundred was late
   * @param words for people
   */
  public record GoalStatus(
      Goal goal, double othersPart, long secondsSeen, long secondsMet, String words) {
    static GoalStatus of(StepBack kept) {
      return new GoalStatus(
          kept.goal(), kept.part(), kept.secondsSeen(), kept.secondsMet(), kept.words());
    }
  }

  /** What was there at the last look. */
  public record QueueFigures(int queued, int inService) {}

  /**
   * How a job is on a target.
   *
   * @param known what the job directory knows of it; null where it knows nothing
   * @param allowedTokensPerSecond what the policy last gave it; infinite where it is not limited
   * @param branch the path of its group in the tree of shares; empty where there is none
   * @param branchShares how many shares each group on it has, in words
   */
  public record JobStatus(
      JobFigures figures,
      @Nullable Job known,
      long weight,
      double allowedTokensPerSecond,
      List<String> branch,
      String branchShares) {}
}
