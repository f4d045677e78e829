package dev.sluice.core.policy.collect;

import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import java.util.List;

/**
 * What one target saw in one period.
 *
 * @param target with what it can serve now
 * @param round which question it answers
 * @param jobs every job that is there, idle ones too
 */
public record TargetReport(Target target, long round, List<JobDemand> jobs) {
  public TargetReport {
    jobs = List.copyOf(jobs);
  }
}
