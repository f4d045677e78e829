package dev.sluice.lustre.control;

import dev.sluice.core.model.JobId;
import dev.sluice.jobs.JobDirectory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tells which jobs a directory no longer has. Not thread-safe. */
final class EndedJobs {
  private final JobDirectory directory;
  private long version;
  private Set<JobId> running;

  EndedJobs(JobDirectory directory) {
    this.directory = directory;
    this.version = directory.version();
    this.running = ids();
  }

  /** The jobs that were there the last time and are no more. */
  List<JobId> take() {
    // Asked before the jobs: a change in between is then seen again next time, not missed.
    long now = directory.version();
    if (now == version) {
      return List.of();
    }
    version = now;
    Set<JobId> still = ids();
    List<JobId> ended = new ArrayList<>();
    for (JobId job : running) {
      if (!still.contains(job)) {
        ended.add(job);
      }
    }
    running = still;
    return ended;
  }

  private Set<JobId> ids() {
    Set<JobId> ids = new HashSet<>();
    directory.jobs().forEach(job -> ids.add(job.id()));
    return ids;
  }
}
