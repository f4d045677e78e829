package dev.sluice.sim.storage;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.CadenceMeter;
import dev.sluice.core.policy.DemandMeter;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.GoalLook;
import dev.sluice.core.policy.guarantee.GoalMeter;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/** What a target counts of one job. */
public final class JobOnTarget {
  final Flow flow;
  final SimTarget target;

  private final DemandMeter meter = new DemandMeter();
  private final IdentityHashMap<SimRequest.Client, Sender> senders = new IdentityHashMap<>();

  private final ArrayDeque<SimRequest> waiting = new ArrayDeque<>();

  /** Null where nobody asks how often the job does I/O. */
  private final @Nullable CadenceMeter cadence;

  /** Null where the job has no goal. */
  private final @Nullable GoalMeter goal;

  /** How many of the senders were here in this period. */
  private int present;

  private long bytes;
  private long operations;

  JobOnTarget(JobId job, SimTarget target) {
    this.flow = target.flowOf(job);
    this.target = target;
    this.cadence = target.watchesCadences() ? new CadenceMeter() : null;
    Goal set = target.goalOf(job);
    this.goal = set == null ? null : new GoalMeter(set);
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
    waiting.addLast(request);
    if (cadence != null) {
      cadence.arrived(request.priceTokens, request.arrivalNanos);
    }
    Sender sender = request.sender;
    sender.outstanding++;
    if (!sender.isPresent) {
      sender.isPresent = true;
      present++;
    }
  }

  void dispatched(SimRequest request, long period) {
    meter.dispatched(request.priceTokens, request.period == period);
    // Schedulers serve a job's requests in the order in which they came.
    if (waiting.peekFirst() == request) {
      waiting.removeFirst();
    } else {
      waiting.remove(request);
    }
  }

  void completed(SimRequest request, long nowNanos) {
    if (cadence != null) {
      cadence.completed(nowNanos);
    }
    meter.served(request.priceTokens, nowNanos - request.arrivalNanos);
    if (goal != null) {
      goal.served(request.priceTokens, nowNanos - request.arrivalNanos);
    }
    request.sender.outstanding--;
    bytes += request.bytes();
    operations += request.operations();
  }

  private long oldestWaitNanos(long nowNanos) {
    SimRequest oldest = waiting.peekFirst();
    return oldest == null ? 0 : nowNanos - oldest.arrivalNanos;
  }

  /** Tells how its goal was kept since the last look, if it has one. */
  void tell(GoalLook look, long nowNanos) {
    look.job(goal, !waiting.isEmpty(), oldestWaitNanos(nowNanos));
  }

  /** What it did in the period so far. */
  JobDemand demand(long nodes, long nowNanos) {
    JobDemand demand =
        meter
            .demand(flow.job(), nodes, oldestWaitNanos(nowNanos))
            .withProcesses(Math.max(1, present));
    if (cadence == null) {
      return demand;
    }
    return demand.withCadence(cadence.cadence(nowNanos)).withPhaseRest(cadence.phaseRestTokens());
  }

  /** What it wanted since the last look, whatever period it is. */
  JobDemand look(long nodes) {
    return meter.look(flow.job(), nodes).withProcesses(Math.max(1, present));
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
    if (cadence != null) {
      cadence.checkInvariants();
    }
  }
}
