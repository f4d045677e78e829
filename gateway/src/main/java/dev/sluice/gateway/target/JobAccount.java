package dev.sluice.gateway.target;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.CadenceMeter;
import dev.sluice.core.policy.DemandMeter;
import dev.sluice.core.schedule.JobTable;
import org.jspecify.annotations.Nullable;

/** What one job wanted and got of a target. */
final class JobAccount implements JobTable.Row {
  private final JobId job;

  /** Whose first request it was; a number as long as nobody knows the name. */
  private String user;

  /** Tells it from other accounts of the same job, before and after. */
  final long number;

  final DemandMeter demand = new DemandMeter();
  final ServiceTally tally = new ServiceTally();

  /** Null where nobody asks how often the job does I/O. */
  @Nullable CadenceMeter cadence;

  final WaitingRequests waiting = new WaitingRequests();

  long operations;
  long reads;
  long writes;
  long readBytes;
  long writtenBytes;
  long waitedNanos;
  long servedNanos;
  int queued;
  int inService;
  long lastSeenNanos;

  private long busyNanos;
  private long busySinceNanos;

  JobAccount(JobId job, String user, long number) {
    this.job = job;
    this.user = user;
    this.number = number;
  }

  /** A request of this user came, whose name may have been found out meanwhile. */
  void calledBy(String name) {
    if (!user.equals(name) && user.chars().allMatch(Character::isDigit)) {
      user = name;
    }
  }

  /** One more request waits. */
  void arrived(long nowNanos) {
    if (queued == 0 && inService == 0) {
      busySinceNanos = nowNanos;
    }
    queued++;
  }

  /** A request that waited or was served is no longer here, and counted out already. */
  void left(long nowNanos) {
    if (queued == 0 && inService == 0) {
      busyNanos += nowNanos - busySinceNanos;
    }
  }

  @Override
  public JobId job() {
    return job;
  }

  boolean isIdleSince(long nanos) {
    return queued == 0 && inService == 0 && demand.isIdle() && lastSeenNanos - nanos < 0;
  }

  TargetStatistics.JobStatistics statistics(long nowNanos) {
    boolean busy = queued > 0 || inService > 0;
    return new TargetStatistics.JobStatistics(
        job,
        operations,
        readBytes,
        writtenBytes,
        waitedNanos,
        queued,
        lastSeenNanos,
        user,
        reads,
        writes,
        servedNanos,
        busyNanos + (busy ? Math.max(0, nowNanos - busySinceNanos) : 0),
        inService,
        waiting.nanos(nowNanos),
        waiting.oldestNanos(nowNanos));
  }
}
