package dev.sluice.control.settings;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import java.util.Map;

/**
 * Something that the storage can serve only so much of, and how it is divided among the jobs that
 * are there.
 *
 * @param key which operations, or their bytes
 * @param maximumPerSecond what all jobs on all nodes may have together
 * @param algorithm the name of a policy that divides resources: psfa, sojourn-all, …
 * @param algorithmSettings values for its parameters
 * @param terms of jobs for which there are some; the others have {@link JobTerms#DEFAULT}
 */
public record SharedResource(
    LimitKey key,
    long maximumPerSecond,
    String algorithm,
    Map<String, String> algorithmSettings,
    Map<JobId, JobTerms> terms) {
  public SharedResource {
    algorithmSettings = Map.copyOf(algorithmSettings);
    terms = Map.copyOf(terms);
    if (!LimitKey.ALL.contains(key)) {
      throw new IllegalArgumentException("nothing can be limited by " + key);
    }
  }

  public JobTerms termsOf(JobId job) {
    return terms.getOrDefault(job, JobTerms.DEFAULT);
  }
}
