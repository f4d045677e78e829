package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Explanation;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why a job has what it has on targets that are decided about together.
 *
 * @param summary what was decided over all
 * @param reason null when the last decision was not about this job
 * @param state who decides, and how well
 * @param limits those that have matched its requests, whatever the policy decided
 * @param limitsElsewhere names of those in force that have matched none of its requests
 * @param history by target, the last minute, oldest first
 */
public record JobExplanation(
    JobId job,
    String summary,
    Explanation.@Nullable Reason reason,
    long weight,
    String state,
    List<LimitOnJob> limits,
    List<String> limitsElsewhere,
    Map<String, List<JobFigures>> history) {
  /** Whether nothing was decided about the job, and nothing seen of it. */
  boolean isEmpty() {
    return reason == null && history.values().stream().allMatch(List::isEmpty);
  }
}
