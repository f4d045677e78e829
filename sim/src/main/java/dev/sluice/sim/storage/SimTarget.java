package dev.sluice.sim.storage;

import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.capacity.CapacityControl;
import dev.sluice.core.capacity.Pacer;
import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.GoalKeeping;
import dev.sluice.core.policy.guarantee.GoalLook;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.limit.LimitedScheduler;
import dev.sluice.core.schedule.registry.Schedulers;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.sim.engine.Event;
import dev.sluice.sim.engine.EventQueue;
import dev.sluice.sim.result.TargetResult;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.TargetSpec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A storage target in virtual time: a scheduler, threads that each take a request from it and hold
 * it until it is complete, and one device behind them.
 *
 * <p>The device serves one request after another and the latency is the same for all, so requests
 * complete in the order in which they were dispatched: one event, for the first of them, is enough.
 */
public final class SimTarget {
  private final TargetSpec spec;
  private final boolean watchesCadences;
  private RequestScheduler scheduler;
  private final Device device;
  private final EventQueue events;
  private final Map<JobId, JobOnTarget> jobs = new LinkedHashMap<>();
  private final Timeline served;
  private final Timeline queued;

  /** Requests in service, in the order of their dispatch: a ring. */
  private final @Nullable SimRequest[] inService;

  private int inServiceFirst;
  private int inServiceCount;

  /** Finds out what the device can do; null where that was told. */
  private final @Nullable CapacityControl found;

  private final Pacer pacer;

  private Goals goals = Goals.NONE;
  private Function<JobId, JobOwner> owners = _ -> JobOwner.UNKNOWN;
  private @Nullable GoalKeeping goalKeeping;

  /** Worth of what was served since goals were looked at. */
  private long servedTokens;

  private long period;
  private long arrivedRequests;
  private long completedRequests;
  private long bytes;
  private long operations;

  private final Event completion =
      new Event() {
        @Override
        protected void happen(long nowNanos) {
          completeFirst(nowNanos);
        }
      };

  private final Event wakeUp =
      new Event() {
        @Override
        protected void happen(long nowNanos) {
          dispatch(nowNanos);
        }
      };

  /**
   * @param tree who divides with whom, for schedulers that divide by weight
   * @param watchesCadences whether to find out how often each job does I/O
   */
  public SimTarget(
      TargetSpec spec,
      SchedulerKind kind,
      ShareTree tree,
      boolean watchesCadences,
      long seed,
      long sampleNanos,
      EventQueue events) {
    this.spec = spec;
    this.watchesCadences = watchesCadences;
    this.scheduler = Schedulers.create(kind, spec.told(), tree);
    this.device = new Device(spec, seed);
    this.events = events;
    this.found =
        spec.found()
            ? new CapacityControl(CapacityBounds.none(spec.threads()), spec.told().unit(), 0)
            : null;
    this.pacer = found == null ? new Pacer(spec.told().tokensPerSecond(), 0) : found.pacer();
    this.inService = new @Nullable SimRequest[spec.threads()];
    this.served = new Timeline(sampleNanos, Timeline.Merge.SUM);
    this.queued = new Timeline(sampleNanos, Timeline.Merge.LAST);
  }

  public TargetSpec spec() {
    return spec;
  }

  /** With what it is believed to serve, where that is found out. */
  public Target target() {
    return found == null || !found.isKnown()
        ? spec.told()
        : new Target(spec.name(), found.tokensPerSecond(), spec.told().unit());
  }

  boolean watchesCadences() {
    return watchesCadences;
  }

  /** The account of a job here. */
  public JobOnTarget account(JobId job) {
    return jobs.computeIfAbsent(job, id -> new JobOnTarget(id, this));
  }

  /** Holds jobs to these limits from now on, whatever is decided; before any of them comes. */
  public void limit(List<TbfRule> rules, Function<JobId, JobOwner> whose, long nowNanos) {
    owners = whose;
    LimitedScheduler limited = new LimitedScheduler(scheduler, spec.told());
    limited.limit(rules, nowNanos);
    scheduler = limited;
  }

  /** As limits see the requests of a job. */
  Flow flowOf(JobId job) {
    JobOwner owner = owners.apply(job);
    return new Flow(job, owner.user(), owner.group(), ClientAddress.LOCAL, "", spec.name());
  }

  /** Keeps these goals from now on, as often as it is asked to {@link #lookAtGoals}. */
  public void keep(Goals wanted, Function<JobId, JobOwner> whose, long nowNanos) {
    goals = wanted;
    owners = whose;
    goalKeeping = new GoalKeeping(wanted, nowNanos);
  }

  @Nullable Goal goalOf(JobId job) {
    return goals.of(job, owners.apply(job));
  }

  /** Holds requests back as far as goals need it. */
  public void lookAtGoals(long nowNanos) {
    if (goalKeeping == null) {
      return;
    }
    GoalLook look = new GoalLook(goals);
    jobs.values().forEach(job -> job.tell(look, nowNanos));
    boolean known = found == null || found.isKnown();
    double capacity = known ? (double) target().tokensPerSecond() : Double.POSITIVE_INFINITY;
    long heldTo = goalKeeping.look(look, capacity, found != null, servedTokens, nowNanos);
    if (found == null) {
      pacer.rate(Math.min(heldTo, spec.told().tokensPerSecond()));
    } else {
      found.hold(heldTo);
    }
    servedTokens = 0;
    dispatch(nowNanos);
  }

  /**
   * A target that was told its capacity serves as fast as its device can, unless goals are kept.
   */
  private boolean isPaced() {
    return found != null || goalKeeping != null;
  }

  private boolean hasRoom() {
    return inServiceCount < inService.length && (found == null || found.hasRoom(inServiceCount));
  }

  private void is(CapacityControl.State state, long nowNanos) {
    if (found != null) {
      found.is(state, nowNanos);
    }
  }

  /** What a job did here in this period. */
  public JobDemand demand(JobId job, long nodes, long nowNanos) {
    JobOnTarget account = jobs.get(job);
    return account == null ? new JobDemand(job, nodes, 0, 0) : account.demand(nodes, nowNanos);
  }

  /** What a job wanted here since the last look, whatever period it is. */
  public JobDemand look(JobId job, long nodes) {
    JobOnTarget account = jobs.get(job);
    return account == null ? new JobDemand(job, nodes, 0, 0) : account.look(nodes);
  }

  /** Begins to count anew. */
  public void beginPeriod() {
    period++;
    for (JobOnTarget job : jobs.values()) {
      job.beginPeriod();
    }
  }

  /** Forgets a job that is over and will never come back. */
  public void forget(JobId job) {
    jobs.remove(job);
  }

  /** Puts a policy's decision in force. */
  public void reconfigure(Shares shares, long nowNanos) {
    if (found != null) {
      scheduler.resize(target().tokensPerSecond(), nowNanos);
    }
    scheduler.reconfigure(shares, nowNanos);
    dispatch(nowNanos);
  }

  /** Takes note of how many wait; answers how long that note stands for. */
  public long sample(long nowNanos) {
    queued.set(nowNanos, scheduler.queued());
    return queued.widthNanos();
  }

  void arrive(SimRequest request, long nowNanos) {
    request.arrivalNanos = nowNanos;
    request.period = period;
    request.job.arrived(request);
    arrivedRequests++;
    scheduler.enqueue(request, nowNanos);
    dispatch(nowNanos);
  }

  /** Gives every idle thread a request, as far as the scheduler has some. */
  private void dispatch(long nowNanos) {
    while (hasRoom()) {
      if (isPaced() && scheduler.queued() > 0 && !pacer.isReady(nowNanos)) {
        is(CapacityControl.State.PACED, nowNanos);
        events.reschedule(wakeUp, pacer.readyAtNanos());
        return;
      }
      Dispatch answer = scheduler.next(nowNanos);
      switch (answer) {
        case Request request -> serve((SimRequest) request, nowNanos);
        case Dispatch.NotBefore(long nanos) when nanos != Long.MAX_VALUE -> {
          is(CapacityControl.State.HELD, nowNanos);
          events.reschedule(wakeUp, nanos);
          return;
        }
        case Dispatch.NotBefore _, Dispatch.Empty _ -> {
          is(
              scheduler.queued() == 0 ? CapacityControl.State.EMPTY : CapacityControl.State.HELD,
              nowNanos);
          events.cancel(wakeUp);
          return;
        }
      }
    }
    is(
        scheduler.queued() == 0 ? CapacityControl.State.EMPTY : CapacityControl.State.FULL,
        nowNanos);
    events.cancel(wakeUp);
  }

  private void serve(SimRequest request, long nowNanos) {
    request.job.dispatched(request, period);
    if (found != null) {
      request.foundCost = found.cost(request.operation(), request.operations(), request.bytes());
      request.startedNanos = nowNanos;
      found.handedOut(request.foundCost, nowNanos);
    } else if (isPaced()) {
      pacer.spend(request.priceTokens, nowNanos);
    }
    request.completionNanos = device.serve(request, nowNanos) + spec.latencyNanos();
    int last = inServiceFirst + inServiceCount++;
    inService[last < inService.length ? last : last - inService.length] = request;
    if (inServiceCount == 1) {
      events.schedule(completion, request.completionNanos);
    }
  }

  private void completeFirst(long nowNanos) {
    SimRequest request = first();
    inService[inServiceFirst] = null;
    inServiceFirst = inServiceFirst + 1 < inService.length ? inServiceFirst + 1 : 0;
    if (--inServiceCount > 0) {
      events.schedule(completion, first().completionNanos);
    }
    completedRequests++;
    bytes += request.bytes();
    operations += request.operations();
    servedTokens += request.priceTokens;
    if (found != null) {
      found.completed(
          request.operation(),
          request.operations(),
          request.bytes(),
          request.priceTokens,
          request.foundCost,
          nowNanos - request.startedNanos,
          nowNanos);
    }
    served.add(nowNanos, (double) request.bytes());
    request.job.completed(request, nowNanos);
    scheduler.complete(request, request.operations(), request.bytes(), nowNanos);
    dispatch(nowNanos);
    request.complete(nowNanos);
  }

  private SimRequest first() {
    SimRequest first = inService[inServiceFirst];
    if (first == null) {
      throw new IllegalStateException("nothing is in service on " + spec.name());
    }
    return first;
  }

  /** Throws where the scheduler's books, or those kept here, do not agree. */
  public void checkInvariants(long nowNanos) {
    scheduler.checkInvariants(nowNanos);
    if (arrivedRequests != completedRequests + inServiceCount + scheduler.queued()) {
      throw new IllegalStateException(
          "of "
              + arrivedRequests
              + " requests on "
              + spec.name()
              + " "
              + completedRequests
              + " are complete, "
              + inServiceCount
              + " in service and "
              + scheduler.queued()
              + " wait");
    }
    long queuedTokens = 0;
    for (JobOnTarget job : jobs.values()) {
      job.checkInvariants();
      queuedTokens += job.queuedTokens();
    }
    if ((queuedTokens == 0) != (scheduler.queued() == 0) && pricesEveryRequest()) {
      throw new IllegalStateException(
          scheduler.queued() + " requests of " + queuedTokens + " tokens wait on " + spec.name());
    }
  }

  private boolean pricesEveryRequest() {
    return spec.told().unit().tokensPerOperation() > 0;
  }

  /** Gives up, at the end of the run, every request that is not complete. */
  public List<SimRequest> abandonAll(long nowNanos) {
    List<SimRequest> notComplete = new ArrayList<>();
    for (; inServiceCount > 0; inServiceCount--) {
      notComplete.add(first());
      inServiceFirst = inServiceFirst + 1 < inService.length ? inServiceFirst + 1 : 0;
    }
    for (Request request : scheduler.withdrawAll(nowNanos)) {
      notComplete.add((SimRequest) request);
    }
    return notComplete;
  }

  public TargetResult result(long nowNanos) {
    return new TargetResult(
        spec.name(),
        bytes,
        operations,
        device.busyNanos(nowNanos),
        spec.bytesPerSecond(),
        served,
        queued);
  }
}
