package dev.sluice.core.policy.iosets;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is remembered from one decision to the next.
 *
 * @param jobs where each job stands, in ascending order of job id; those too that are idle
 */
public record IoSetsState(Target target, Map<JobId, Remembered> jobs) {
  public IoSetsState {
    jobs = Collections.unmodifiableMap(new TreeMap<>(jobs));
  }

  /**
   * A job.
   *
   * @param seenNanos when it was last reported
   */
  record Remembered(Standing standing, long seenNanos) {}
}
