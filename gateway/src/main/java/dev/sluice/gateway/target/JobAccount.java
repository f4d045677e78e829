package dev.sluice.gateway.target;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.CadenceMeter;
import dev.sluice.core.policy.DemandMeter;
import dev.sluice.core.schedule.JobTable;
import org.jspecify.annotations.Nullable;

/** What one job wanted and got of a target. */
final class JobAccount implements JobTable.Row {
  private final JobId job;
  final DemandMeter demand = new DemandMeter();

  /** Null where nobody asks how often the job does I/O. */
  @Nullable CadenceMeter cadence;

  long operations;
  long readBytes;
  long writtenBytes;
  long waitedNanos;
  int queued;
  int inService;
  long lastSeenNanos;

  JobAccount(JobId job) {
    this.job = job;
  }

  @Override
  public JobId job() {
    return job;
  }

  boolean isIdleSince(long nanos) {
    return queued == 0 && inService == 0 && demand.isIdle() && lastSeenNanos - nanos < 0;
  }

  TargetStatistics.JobStatistics statistics() {
    return new TargetStatistics.JobStatistics(
        job, operations, readBytes, writtenBytes, waitedNanos, queued, lastSeenNanos);
  }
}
