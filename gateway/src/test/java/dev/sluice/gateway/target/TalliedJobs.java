package dev.sluice.gateway.target;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The counts of a target without requests: jobs are served, and forgotten, as somebody says. */
public final class TalliedJobs {
  private final Map<JobId, TargetTally.JobTally> jobs = new TreeMap<>();
  private final ServiceTally forgotten = new ServiceTally();
  private long accounts;

  public void serve(JobId job, Operation operation, int bytes, long waitedNanos) {
    ServiceTally tally =
        jobs.computeIfAbsent(
                job, _ -> new TargetTally.JobTally(job, ++accounts, new ServiceTally()))
            .served();
    tally.handedOut(operation, waitedNanos);
    tally.served(operation, 1, bytes);
  }

  public void forget(JobId job) {
    TargetTally.JobTally gone = jobs.remove(job);
    if (gone != null) {
      forgotten.add(gone.served());
    }
  }

  public TargetTally tally() {
    ServiceTally all = forgotten.copy();
    List<TargetTally.JobTally> copies = new ArrayList<>();
    for (TargetTally.JobTally job : jobs.values()) {
      all.add(job.served());
      copies.add(new TargetTally.JobTally(job.job(), job.account(), job.served().copy()));
    }
    return new TargetTally("disk", all, copies);
  }
}
