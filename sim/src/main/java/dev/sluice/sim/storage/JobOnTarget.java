package dev.sluice.sim.storage;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.DemandMeter;
import dev.sluice.core.policy.JobDemand;
import java.util.IdentityHashMap;

/** What a target counts of one job. */
public final class JobOnTarget {
  final Flow flow;
  final SimTarget target;

  private final DemandMeter meter = new DemandMeter();
  private final IdentityHashMap<SimRequest.Client, Sender> senders = new IdentityHashMap<>();

  /** How many of the senders were here in this period. */
  private int present;

  private long bytes;
  private long operations;

  JobOnTarget(JobId job, SimTarget target) {
    this.flow = Flow.of(job, target.spec().name());
    this.target = target;
  }

  /** One of the job's processes, as far as it sends requests here. */
  static final class Sender {
    private int outstanding;
    private boolean isPresent;
  }

  public SimTarget target() {
    return target;
  }

  Sender sender(SimRequest.Client process) {
    return senders.computeIfAbsent(process, _ -> new Sender());
  }

  void arrived(SimRequest request) {
    meter.arrived(request.priceTokens);
    Sender sender = request.sender;
    sender.outstanding++;
    if (!sender.isPresent) {
      sender.isPresent = true;
      present++;
    }
  }

  void dispatched(SimRequest request, long period) {
    meter.dispatched(request.priceTokens, request.period == period);
  }

  void completed(SimRequest request) {
    request.sender.outstanding--;
    bytes += request.bytes();
    operations += request.operations();
  }

  /** What it did in the period so far. */
  JobDemand demand(long nodes) {
    return meter.demand(flow.job(), nodes).withProcesses(Math.max(1, present));
  }

  void beginPeriod() {
    meter.beginPeriod();
    present = 0;
    for (Sender sender : senders.values()) {
      sender.isPresent = sender.outstanding > 0;
      present += sender.isPresent ? 1 : 0;
    }
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
