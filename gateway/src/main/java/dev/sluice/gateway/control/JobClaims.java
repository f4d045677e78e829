package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.gateway.target.TargetStatistics.JobStatistics;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobDirectory;
import org.jspecify.annotations.Nullable;

/** What is known of jobs besides what they do, for any thread that asks. */
record JobClaims(JobOverrides overrides, JobDirectory directory) {
  /** A job's claim to a share: what somebody said, else what the directory says, else 1. */
  long weight(JobId job) {
    Long said = said(job);
    if (said != null) {
      return said;
    }
    Job known = directory.job(job);
    return known == null ? 1 : Math.clamp(known.weight(), 1, JobClaim.NODES_MAX);
  }

  /** Who pays for a job; empty where nobody knows. */
  String account(JobId job) {
    Job known = directory.job(job);
    return known == null ? "" : known.account();
  }

  /**
   * Whose a job is: of the user who was seen, else of whom the directory names.
   *
   * @param seen null where it was not
   */
  JobOwner owner(JobId job, @Nullable JobStatistics seen) {
    if (seen != null) {
      return new JobOwner(account(job), seen.user(), seen.group());
    }
    Job known = directory.job(job);
    return known == null ? JobOwner.UNKNOWN : new JobOwner(known.account(), known.user(), "");
  }

  private @Nullable Long said(JobId job) {
    return setting(job).weight();
  }

  private JobOverrides.Setting setting(JobId job) {
    return overrides.jobs().getOrDefault(job, JobOverrides.Setting.NOTHING);
  }

  /**
   * What was seen of a job, with what it runs, on how many nodes, what weight it was given, and
   * what its phases are said to come to.
   */
  JobDemand described(JobDemand seen) {
    Job known = directory.job(seen.job());
    Long said = said(seen.job());
    Long toldTokens = setting(seen.job()).phaseTokens();
    long phaseTokens =
        toldTokens != null ? toldTokens : known == null ? 0 : known.phaseTokens().orElse(0);
    long weight = said != null ? said : known == null ? 1 : known.givenWeight().orElse(1);
    return seen.withClaim(
        new JobClaim(
            known == null ? 1 : known.nodes(),
            Math.clamp(weight, 1, JobClaim.WEIGHT_MAX),
            seen.reservedPerSecond(),
            known == null ? seen.job() : known.application(),
            1,
            phaseTokens));
  }
}
