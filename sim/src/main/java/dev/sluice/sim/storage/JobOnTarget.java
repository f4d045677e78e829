package dev.sluice.sim.storage;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.DemandMeter;
import dev.sluice.core.policy.JobDemand;

/** What a target counts of one job. */
public final class JobOnTarget {
  final Flow flow;
  final SimTarget target;

  private final DemandMeter meter = new DemandMeter();
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
    meter.arrived(request.priceTokens);
  }

  void dispatched(SimRequest request, long period) {
    meter.dispatched(request.priceTokens, request.period == period);
  }

  void completed(SimRequest request) {
    bytes += request.bytes();
    operations += request.operations();
  }

  /** What it did in the period so far. */
  JobDemand demand(long nodes) {
    return meter.demand(flow.job(), nodes);
  }

  void beginPeriod() {
    meter.beginPeriod();
  }

  /** What the device needs for all that the job was served, without any other job. */
  public long isolatedNanos() {
    return target.spec().operationNanos() * operations
        + (long) ((double) bytes * Device.NANOS_PER_SECOND / target.spec().bytesPerSecond());
  }

  long queuedTokens() {
    return meter.queuedTokens();
  }

  void checkInvariants() {
    meter.checkInvariants();
  }
}
