package dev.sluice.jobs;

import dev.sluice.core.model.JobId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Tells which jobs are no longer in a directory that once had them. Not thread-safe. */
public final class EndedJobs {
  private final JobDirectory directory;
  private long version;
  private Set<JobId> running;
  private final List<JobId> ended = new ArrayList<>();

  public EndedJobs(JobDirectory directory) {
    this.directory = directory;
    this.version = directory.version();
    this.running = ids();
  }

  /** Looks, and says whether the directory is another than at the last look. */
  public boolean changed() {
    // Asked before the jobs: a change in between is then seen again next time, not missed.
    long now = directory.version();
    if (now == version) {
      return false;
    }
    version = now;
    Set<JobId> still = ids();
    for (JobId job : running) {
      if (!still.contains(job)) {
        ended.add(job);
      }
    }
    running = still;
    return true;
  }

  /** The jobs that ended and were not told of yet, except those that are back. */
  public List<JobId> take() {
    ended.removeIf(running::contains);
    List<JobId> told = List.copyOf(ended);
    ended.clear();
    return told;
  }

  private Set<JobId> ids() {
    Set<JobId> ids = new HashSet<>();
    for (Job job : directory.jobs()) {
      ids.add(job.id());
    }
    return ids;
  }
}
