package dev.sluice.sim.storage;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.JobDemand;

/** What a target counts of one job. */
public final class JobOnTarget {
  final Flow flow;
  final SimTarget target;

  /** Worth of what arrived in this period. */
  private long arrivedTokens;

  /** Worth of what waits in the scheduler. */
  private long queuedTokens;

  /** Worth of what waits in the scheduler and came before this period. */
  private long backlogTokens;

  private long bytes;
  private long operations;

  JobOnTarget(JobId job, SimTarget target) {
    this.flow = Flow.of(job, target.spec().name());
    this.target = target;
  }

  public SimTarget target() {
    return target;
  }

  void arrived(SimRequest request) {
    arrivedTokens += request.priceTokens;
    queuedTokens += request.priceTokens;
  }

  void dispatched(SimRequest request, long period) {
    queuedTokens -= request.priceTokens;
    if (request.period != period) {
      backlogTokens -= request.priceTokens;
    }
  }

  void completed(SimRequest request) {
    bytes += request.bytes();
    operations += request.operations();
  }

  /** What it did in the period so far. */
  JobDemand demand(long nodes) {
    return new JobDemand(
        flow.job(),
        nodes,
        Math.min(arrivedTokens, JobDemand.TOKENS_MAX),
        Math.min(backlogTokens, JobDemand.TOKENS_MAX));
  }

  void beginPeriod() {
    arrivedTokens = 0;
    backlogTokens = queuedTokens;
  }

  /** What the device needs for all that the job was served, without any other job. */
  public long isolatedNanos() {
    return target.spec().operationNanos() * operations
        + (long) ((double) bytes * Device.NANOS_PER_SECOND / target.spec().bytesPerSecond());
  }

  long queuedTokens() {
    return queuedTokens;
  }

  void checkInvariants() {
    if (backlogTokens < 0 || backlogTokens > queuedTokens || arrivedTokens < 0) {
      throw new IllegalStateException(
          "job "
              + flow.job()
              + " on "
              + flow.target()
              + ": "
              + backlogTokens
              + " of "
              + queuedTokens
              + " queued tokens came before this period, "
              + arrivedTokens
              + " in it");
    }
  }
}
