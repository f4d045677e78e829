package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.lustre.config.JobLimit;
import dev.sluice.lustre.config.LustreConfiguration;
import org.jspecify.annotations.Nullable;

/**
 * What jobs are, whatever they do: whose, how large, what they are promised and may have at most.
 */
final class Standing {
  private final LustreConfiguration configuration;
  private final JobDirectory directory;
  private final OrderedLimits ordered;

  Standing(LustreConfiguration configuration, JobDirectory directory, OrderedLimits ordered) {
    this.configuration = configuration;
    this.directory = directory;
    this.ordered = ordered;
  }

  long nodes(ManagedJob job) {
    Job known = directory.job(job.shown);
    return known == null ? 1 : Math.clamp(known.weight(), 1, JobClaim.NODES_MAX);
  }

  String user(ManagedJob job) {
    Job known = directory.job(job.shown);
    return known == null ? "" : known.user();
  }

  JobOwner owner(JobId job) {
    Job known = directory.job(job);
    return known == null ? JobOwner.UNKNOWN : new JobOwner(known.account(), known.user(), "");
  }

  JobClaim claim(ManagedJob job) {
    Job known = directory.job(job.shown);
    JobClaim claim = JobClaim.of(job.shown, job.nodes);
    return known == null
        ? claim
        : claim
            .withWeight(Math.clamp(known.givenWeight().orElse(1), 1, JobClaim.WEIGHT_MAX))
            .withApplication(known.application());
  }

  /** What is promised to jobs: what was ordered, and then what the configuration says. */
  Guarantees guarantees() {
    return ordered.guarantees().before(configuration.guarantees());
  }

  /** The first limit of the configuration that is about a job; null where none is. */
  @Nullable JobLimit limit(ManagedJob job) {
    if (configuration.limits().isEmpty()) {
      return null;
    }
    String user = user(job);
    for (JobLimit limit : configuration.limits()) {
      if (limit.holdsFor(job.shown, user, configuration.target().name())) {
        return limit;
      }
    }
    return null;
  }

  /** What a controller allows a job here; infinite where it says nothing. */
  double orderedPerSecond(ManagedJob job) {
    return ordered.perSecond(job.shown);
  }

  /** What a job may have at most, whatever was decided. */
  double limitPerSecond(ManagedJob job) {
    JobLimit limit = limit(job);
    return Math.min(
        orderedPerSecond(job),
        limit == null ? Double.POSITIVE_INFINITY : (double) limit.perSecond());
  }
}
