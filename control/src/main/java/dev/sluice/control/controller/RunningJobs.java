package dev.sluice.control.controller;

import dev.sluice.control.stage.JobCheck;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.jobs.FollowedJobs;
import dev.sluice.jobs.Job;

/**
 * Checks what members say of their jobs against the directory of jobs that run. Of a job that the
 * directory does not have nothing is believed, unless the directory itself cannot know: a batch
 * system that is away stops nobody.
 */
public final class RunningJobs implements JobCheck {
  private final FollowedJobs directory;

  public RunningJobs(FollowedJobs directory) {
    this.directory = directory;
  }

  @Override
  public Verdict look(JobId id, String user, String node) {
    Job job = directory.job(id);
    if (job == null) {
      return directory.isCurrent()
          ? new Verdict.Refused("job " + id + " does not run, as far as is known")
          : new Verdict.Believed(user);
    }
    if (!job.mayRunOn(node)) {
      return new Verdict.Refused("job " + id + " does not run on " + node);
    }
    if (!mayBeOf(job, user)) {
      return new Verdict.Refused(
          "job "
              + id
              + " is "
              + job.user()
              + "'s, and "
              + node
              + " says that it is "
              + user
              + "'s");
    }
    return new Verdict.Believed(job.user().isEmpty() ? user : job.user());
  }

  @Override
  public Known known(JobId id) {
    Job job = directory.job(id);
    if (job == null) {
      return directory.isCurrent() ? new Known.Absent() : new Known.Nothing();
    }
    return new Known.Running(
        Math.clamp(job.nodes(), 1, JobClaim.NODES_MAX),
        Math.clamp(job.givenWeight().orElse(1), 1, JobClaim.WEIGHT_MAX),
        job.application());
  }

  /** Users go by name or by number; a number says nothing of whom only the name is known. */
  private static boolean mayBeOf(Job job, String user) {
    boolean number = !user.isEmpty() && user.chars().allMatch(Character::isDigit);
    if (job.user().isEmpty() || user.isEmpty() || job.user().equals(user)) {
      return true;
    }
    return number
        && (job.uid().isEmpty() || Integer.toUnsignedString(job.uid().getAsInt()).equals(user));
  }

  @Override
  public long version() {
    return 2 * directory.version() + (directory.isCurrent() ? 1 : 0);
  }
}
