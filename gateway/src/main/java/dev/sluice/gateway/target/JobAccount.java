package dev.sluice.gateway.target;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.CadenceMeter;
import dev.sluice.core.policy.DemandMeter;
import dev.sluice.core.policy.guarantee.GoalMeter;
import dev.sluice.core.schedule.JobTable;
import org.jspecify.annotations.Nullable;

/** What one job wanted and got of a target. */
final class JobAccount implements JobTable.Row {
  private final JobId job;

  /** Whose first request it was; a number as long as nobody knows the name. */
  private String user;

  /** The same of its group. */
  private String group;

  /** Tells it from other accounts of the same job, before and after. */
  final long number;

  final DemandMeter demand = new DemandMeter();
  final ServiceTally tally = new ServiceTally();

  /** Null where nobody asks how often the job does I/O. */
  @Nullable CadenceMeter cadence;

  /** Null where the job has no goal, or nobody has asked yet. */
  @Nullable GoalMeter goal;

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

  JobAccount(Flow first, long number) {
    this.job = first.job();
    this.user = first.user();
    this.group = first.group();
    this.number = number;
  }

  /**
   * A request of this flow came; the names of its user and group may have been found out meanwhile.
   *
   * @return whether one was
   */
  boolean calledBy(Flow flow) {
    boolean named = isNowKnownAs(user, flow.user());
    if (named) {
      user = flow.user();
    }
    if (isNowKnownAs(group, flow.group())) {
      group = flow.group();
      named = true;
    }
    return named;
  }

  /** Another number is another user's, and no better name. */
  private static boolean isNowKnownAs(String before, String now) {
    return !before.equals(now) && (before.isEmpty() || (isNumber(before) && !isNumber(now)));
  }

  private static boolean isNumber(String name) {
    return name.chars().allMatch(Character::isDigit);
  }

  String user() {
    return user;
  }

  String group() {
    return group;
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
        group,
        reads,
        writes,
        servedNanos,
        busyNanos + (busy ? Math.max(0, nowNanos - busySinceNanos) : 0),
        inService,
        waiting.nanos(nowNanos),
        waiting.oldestNanos(nowNanos));
  }
}
