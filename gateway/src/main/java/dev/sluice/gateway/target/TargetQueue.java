package dev.sluice.gateway.target;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.capacity.CapacityControl;
import dev.sluice.core.capacity.Pacer;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.CadenceMeter;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.guarantee.Goal;
import dev.sluice.core.policy.guarantee.GoalLook;
import dev.sluice.core.policy.guarantee.GoalMeter;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.StepBack;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.limit.LimitedScheduler;
import dev.sluice.core.schedule.registry.Schedulers;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides which request of a target is served when, and keeps the books on it: the scheduler's
 * order, the target's capacity, and how many are served at the same time. Not thread-safe; the
 * caller brings the time.
 */
final class TargetQueue {
  /** A job that was not seen for so long is forgotten. */
  static final long FORGOTTEN_AFTER_NANOS = 60_000_000_000L;

  /** A job whose cadence is watched is remembered for longer: it may be computing. */
  static final long WATCHED_FORGOTTEN_AFTER_NANOS = 7_200_000_000_000L;

  /** Bound on the jobs whose cadence is watched, each of which takes some 35 KB. */
  static final int WATCHED_MAX = 1_000;

  /** Looking for jobs to forget is worth it once there are so many more than were needed before. */
  private static final int SWEEP_SLACK = 1_024;

  /** What threads are late that were to wake up; it counts as used of what the pacer spares. */
  private static final long LATE_NANOS = 500_000;

  private static final Dispatch ALL_BUSY = new Dispatch.NotBefore(Long.MAX_VALUE);

  private int inServiceMax;

  /** What may be in service still, of before there were fewer workers. */
  private int inServiceEver;

  private final Pacer told;
  private final ServiceTimes serviceTimes = new ServiceTimes();
  private final JobTable<JobAccount> accounts = new JobTable<>();

  /** What jobs were served that are forgotten. */
  private final ServiceTally forgotten = new ServiceTally();

  private long accountsMade;
  private long handedOut;

  /** In the order in which they were handed out. */
  private @Nullable TargetRequest oldestInService;

  private @Nullable TargetRequest newestInService;

  private Target target;

  /** Finds out what the storage can do; null where that was told. */
  private @Nullable CapacityControl found;

  /** The bounds within which it does. */
  private @Nullable CapacityBounds foundWithin;

  /** What paces: that of what was told, or of what is found. */
  private Pacer pacer;

  private boolean paced;

  /** What is handed out at most for the sake of goals, in tokens a second. */
  private long heldTo = StepBack.FREE;

  /** Worth of what was served since goals were looked at. */
  private long servedTokens;

  private SchedulerKind kind;
  private LimitedScheduler scheduler;
  private Shares shares = Shares.NONE;
  private ShareTree tree = ShareTree.flat();
  private boolean grouped;
  private List<TbfRule> limits = List.of();

  private final Pace pace =
      new Pace() {
        @Override
        public boolean isShort() {
          return waitingSinceNanos - pacer.readyAtNanos() <= 0;
        }

        @Override
        public long spareNanos(long nowNanos) {
          return pacer.spareNanos(nowNanos) - LATE_NANOS;
        }

        @Override
        public long nanosFor(long tokens) {
          return pacer.nanosFor(found == null ? tokens : found.costOf(tokens));
        }
      };

  /** Since when something waits, without a break; of no meaning while nothing does. */
  private long waitingSinceNanos;

  private long latestNanos;

  /** When goals were looked at last. */
  private long goalsSeenNanos;

  private long period;
  private int inService;
  private int sweepAtSize = SWEEP_SLACK;
  private boolean watchesCadences;
  private int watched;

  TargetQueue(TargetSettings settings, SchedulerKind kind, long nowNanos) {
    target = settings.target();
    paced = settings.paced();
    inServiceMax = settings.workers();
    inServiceEver = inServiceMax;
    told = new Pacer(target.tokensPerSecond(), nowNanos);
    pacer = told;
    latestNanos = nowNanos;
    find(settings.found(), nowNanos);
    this.kind = kind;
    scheduler = newScheduler(nowNanos);
  }

  private LimitedScheduler newScheduler(long nowNanos) {
    LimitedScheduler made = new LimitedScheduler(newInnerScheduler(nowNanos), target);
    made.limit(limits, nowNanos);
    return made;
  }

  private RequestScheduler newInnerScheduler(long nowNanos) {
    RequestScheduler made = Schedulers.create(kind, target(), tree);
    made.reconfigure(shares, nowNanos);
    return made;
  }

  /**
   * Threads read the clock before they queue for the lock and may come here in another order, but
   * to a scheduler time never goes back.
   */
  private long inOrder(long nowNanos) {
    if (nowNanos - latestNanos > 0) {
      latestNanos = nowNanos;
    }
    return latestNanos;
  }

  /** A request came and waits. */
  void arrive(TargetRequest request, long nowNanos) {
    long now = inOrder(nowNanos);
    JobAccount account = accounts.get(request);
    boolean betterKnown = account == null;
    if (account == null) {
      account = newAccount(request.flow(), now);
    }
    betterKnown |= account.calledBy(request.flow());
    if (betterKnown && grouped) {
      scheduler.place(request.flow(), now);
    }
    // A request that costs nothing in the target's unit, as a COMMIT where bytes count, must count
    // as demand: a job that seems to want nothing is given nothing, and it would wait for ever.
    long price = Math.max(1, target.unit().price(request.operations(), request.bytes()));
    request.priceTokens = price;
    request.account = account;
    request.arrivedNanos = now;
    request.period = period;
    account.demand.arrived(price);
    if (account.cadence != null) {
      account.cadence.arrived(price, now);
    }
    account.arrived(now);
    account.waiting.add(request);
    account.lastSeenNanos = now;
    if (scheduler.queued() == 0) {
      waitingSinceNanos = now;
    }
    scheduler.enqueue(request, now);
  }

  private JobAccount newAccount(Flow flow, long nowNanos) {
    if (accounts.size() >= sweepAtSize) {
      forget(nowNanos);
      sweepAtSize = 2 * accounts.size() + SWEEP_SLACK;
    }
    JobAccount account = new JobAccount(flow, ++accountsMade);
    accounts.add(account);
    watch(account);
    return account;
  }

  private void watch(JobAccount account) {
    if (watchesCadences && watched < WATCHED_MAX && account.cadence == null) {
      account.cadence = new CadenceMeter();
      watched++;
    }
  }

  void watchCadences(boolean wanted) {
    if (wanted == watchesCadences) {
      return;
    }
    watchesCadences = wanted;
    watched = 0;
    accounts.forEach(account -> {
      account.cadence = null;
      watch(account);
    });
  }

  private void forget(long nowNanos) {
    accounts.removeIf(account -> {
      long after = account.cadence == null ? FORGOTTEN_AFTER_NANOS : WATCHED_FORGOTTEN_AFTER_NANOS;
      boolean idle = account.isIdleSince(nowNanos - after);
      if (idle) {
        watched -= account.cadence != null ? 1 : 0;
        forgotten.add(account.tally);
      }
      return idle;
    });
  }

  /** The cadences that it is time to ask about; whoever gets them asks, and ends asking. */
  List<CadenceMeter> cadencesToAsk(long nowNanos) {
    List<CadenceMeter> due = new ArrayList<>();
    if (watchesCadences) {
      accounts.forEach(account -> {
        if (account.cadence != null && account.cadence.beginAsking(nowNanos)) {
          due.add(account.cadence);
        }
      });
    }
    return due;
  }

  /**
   * The request to serve now, or when to ask again; {@link Long#MAX_VALUE} when that is after the
   * next {@link #complete} or change of what holds here.
   */
  Dispatch next(long nowNanos) {
    if (scheduler.queued() == 0) {
      is(CapacityControl.State.EMPTY, nowNanos);
      return Dispatch.EMPTY;
    }
    if (isAllBusy()) {
      is(CapacityControl.State.FULL, nowNanos);
      return ALL_BUSY;
    }
    long now = inOrder(nowNanos);
    if (isPaced() && !pacer.isReady(now)) {
      is(CapacityControl.State.PACED, now);
      return new Dispatch.NotBefore(pacer.readyAtNanos());
    }
    Dispatch next = isPaced() ? scheduler.next(pace, now) : scheduler.next(now);
    if (next instanceof TargetRequest request) {
      handOut(request, now);
    } else {
      is(CapacityControl.State.HELD, now);
    }
    return next;
  }

  /** What holds requests back from now on, for whoever finds out what the storage can do. */
  private void is(CapacityControl.State state, long nowNanos) {
    if (found != null) {
      found.is(state, inOrder(nowNanos));
    }
  }

  private void handOut(TargetRequest request, long nowNanos) {
    JobAccount account = accountOf(request);
    account.demand.dispatched(request.priceTokens, request.period == period);
    account.queued--;
    account.waiting.remove(request);
    account.inService++;
    account.waitedNanos += nowNanos - request.arrivedNanos;
    account.tally.handedOut(request.operation(), nowNanos - request.arrivedNanos);
    enterService(request);
    if (found != null) {
      request.cost = found.cost(request.operation(), request.operations(), request.bytes());
      found.handedOut(request.cost, nowNanos);
    } else if (isPaced()) {
      pacer.spend(request.priceTokens, nowNanos);
    }
    request.handedOutBy = scheduler;
    request.orderedBy = scheduler.inner();
    request.startedNanos = nowNanos;
  }

  private void enterService(TargetRequest request) {
    inService++;
    handedOut++;
    TargetRequest newest = newestInService;
    request.handedOutBefore = newest;
    if (newest == null) {
      oldestInService = request;
    } else {
      newest.handedOutAfter = request;
    }
    newestInService = request;
  }

  private void leaveService(TargetRequest request) {
    inService--;
    TargetRequest before = request.handedOutBefore;
    TargetRequest after = request.handedOutAfter;
    if (before == null) {
      oldestInService = after;
    } else {
      before.handedOutAfter = after;
    }
    if (after == null) {
      newestInService = before;
    } else {
      after.handedOutBefore = before;
    }
    request.handedOutBefore = null;
    request.handedOutAfter = null;
  }

  private static JobAccount accountOf(TargetRequest request) {
    JobAccount account = request.account;
    if (account == null) {
      throw new IllegalStateException("a request of job " + request.job() + " never arrived");
    }
    return account;
  }

  /**
   * A request that was handed out has been served.
   *
   * @param servedOperations what it counted for in the end, as a directory does with its entries
   */
  void complete(TargetRequest request, long servedOperations, int movedBytes, long nowNanos) {
    long now = inOrder(nowNanos);
    JobAccount account = accountOf(request);
    leaveService(request);
    account.inService--;
    account.left(now);
    account.operations += servedOperations;
    account.tally.served(request.operation(), servedOperations, movedBytes);
    account.servedNanos += Math.max(0, nowNanos - request.startedNanos);
    account.demand.served(request.priceTokens, Math.max(0, nowNanos - request.arrivedNanos));
    if (account.goal != null) {
      account.goal.served(request.priceTokens, Math.max(0, nowNanos - request.arrivedNanos));
    }
    servedTokens += request.priceTokens;
    account.lastSeenNanos = now;
    if (account.cadence != null) {
      account.cadence.completed(now);
    }
    switch (request.operation()) {
      case READ -> {
        account.reads++;
        account.readBytes += movedBytes;
      }
      case WRITE -> {
        account.writes++;
        account.writtenBytes += movedBytes;
      }
      // What is copied is read and written.
      case COPY -> {
        account.readBytes += movedBytes / 2;
        account.writtenBytes += movedBytes - movedBytes / 2;
      }
      default -> {}
    }
    long tookNanos = nowNanos - request.startedNanos;
    serviceTimes.took(request.operation(), tookNanos, movedBytes);
    if (found != null) {
      found.completed(
          request.operation(),
          servedOperations,
          movedBytes,
          target.unit().price(servedOperations, movedBytes),
          request.cost,
          Math.max(0, tookNanos),
          now);
    }
    settle(request, servedOperations, movedBytes, now);
  }

  /**
   * Charges what the request cost beyond what it was handed out for, or gives the rest back. A
   * scheduler that has taken over since counts in another unit, never charged anybody for it, and
   * is told nothing.
   */
  @SuppressWarnings("ReferenceEquality") // This very scheduler.
  private void settle(TargetRequest request, long servedOperations, int movedBytes, long nowNanos) {
    if (request.handedOutBy != scheduler) {
      return;
    }
    if (!request.hasCost(servedOperations, movedBytes)) {
      settlePrice(request, servedOperations, movedBytes, nowNanos);
    }
    if (request.orderedBy == scheduler.inner()) {
      scheduler.complete(request, servedOperations, movedBytes, nowNanos);
    } else {
      scheduler.correctLimits(request, servedOperations, movedBytes, nowNanos);
    }
  }

  private void settlePrice(
      TargetRequest request, long servedOperations, int movedBytes, long nowNanos) {
    long dearer = target.unit().price(servedOperations, movedBytes) - request.priceTokens;
    if (dearer > 0) {
      // What was wanted is known only now. What was wanted in vain was wanted all the same.
      accountOf(request).demand.turnedOutDearer(dearer);
    }
    if (found != null) {
      return;
    }
    if (isPaced() && dearer > 0) {
      pacer.spend(dearer, nowNanos);
    } else if (isPaced()) {
      pacer.giveBack(-dearer);
    }
  }

  /** How long operations of this kind waited for the storage of late. */
  long averageServiceNanos(Operation operation) {
    return serviceTimes.averageNanos(operation);
  }

  /** With what it is believed to serve, where that is found out. */
  Target target() {
    return found == null || !found.isKnown()
        ? target
        : new Target(target.name(), found.tokensPerSecond(), target.unit());
  }

  /**
   * Finds out what the storage can do from now on, within these bounds, or goes by what it is told.
   * What was found out stays while the bounds do.
   */
  void find(@Nullable CapacityBounds bounds, long nowNanos) {
    if (Objects.equals(bounds, foundWithin)) {
      return;
    }
    foundWithin = bounds;
    if (bounds == null) {
      found = null;
      pacer = told;
    } else {
      found = new CapacityControl(bounds, target.unit(), inOrder(nowNanos));
      pacer = found.pacer();
    }
    hold(heldTo);
  }

  /** Hands out no more than so many tokens a second from now on, whatever the storage can do. */
  void hold(long tokensPerSecond) {
    heldTo = tokensPerSecond;
    told.rate(Math.min(target.tokensPerSecond(), heldTo));
    if (found != null) {
      found.hold(heldTo);
    }
  }

  private boolean isPaced() {
    return paced || heldTo < StepBack.FREE;
  }

  /**
   * What became of goals since the last look. From now on it is counted of every job that has one.
   *
   * @param paidBy who pays for each job
   */
  TargetGoals lookAtGoals(Goals goals, Function<JobId, String> paidBy, long nowNanos) {
    long now = inOrder(nowNanos);
    GoalLook look = new GoalLook(goals);
    accounts.forEach(account -> {
      boolean waits = account.queued > 0;
      if (!waits && account.inService == 0 && account.lastSeenNanos - goalsSeenNanos < 0) {
        return;
      }
      look.job(account.goal, waits, waits ? account.waiting.oldestNanos(now) : 0);
      JobOwner owner = new JobOwner(paidBy.apply(account.job()), account.user(), account.group());
      Goal goal = goals.of(account.job(), owner);
      if (goal == null) {
        account.goal = null;
      } else if (account.goal == null || !account.goal.goal().equals(goal)) {
        account.goal = new GoalMeter(goal);
      }
    });
    boolean known = found == null || found.isKnown();
    double capacity = known ? (double) target().tokensPerSecond() : Double.POSITIVE_INFINITY;
    TargetGoals seen = new TargetGoals(look, capacity, found != null, servedTokens);
    servedTokens = 0;
    goalsSeenNanos = now;
    return seen;
  }

  /** What is believed of the storage; null where that was told. */
  @Nullable CapacityBelief belief(long nowNanos) {
    return found == null ? null : found.belief(inOrder(nowNanos));
  }

  void resize(Target other, long nowNanos) {
    if (!other.name().equals(target.name())) {
      throw new IllegalArgumentException(
          "target " + target.name() + " cannot become " + other.name());
    }
    boolean otherUnit = !other.unit().equals(target.unit());
    target = other;
    hold(heldTo);
    if (otherUnit) {
      long now = inOrder(nowNanos);
      List<Request> waiting = scheduler.withdrawAll(now);
      scheduler = newScheduler(now);
      waiting.forEach(request -> scheduler.enqueue(request, now));
    }
  }

  /** Holds what is handed out from now on to the capacity, or no more. */
  void pace(boolean wanted) {
    paced = wanted;
  }

  /** Serves so many at once from now on; what is in service beyond that is served to its end. */
  void serveAtOnce(int wanted) {
    inServiceMax = wanted;
    inServiceEver = Math.max(inService, wanted);
  }

  void use(SchedulerKind other, long nowNanos) {
    if (other != kind) {
      kind = other;
      long now = inOrder(nowNanos);
      scheduler.order(newInnerScheduler(now), now);
    }
  }

  void reconfigure(Shares decided, long nowNanos) {
    shares = decided;
    scheduler.reconfigure(decided, inOrder(nowNanos));
  }

  void divideBy(ShareGrouping grouping, Function<JobId, String> paidBy, long nowNanos) {
    if (grouping.isFlat() && !grouped) {
      return;
    }
    grouped = !grouping.isFlat();
    tree = grouping.tree(flow -> owner(flow, paidBy));
    scheduler.regroup(tree, inOrder(nowNanos));
  }

  /** Whose the job of a flow is: of the user who came first, as the books have it. */
  private JobOwner owner(Flow flow, Function<JobId, String> paidBy) {
    JobAccount account = accounts.get(flow.job());
    return new JobOwner(
        paidBy.apply(flow.job()),
        account == null ? flow.user() : account.user(),
        account == null ? flow.group() : account.group());
  }

  void limit(List<TbfRule> rules, long nowNanos) {
    scheduler.limit(rules, inOrder(nowNanos));
    limits = List.copyOf(rules);
  }

  /** What each limit does that has matched requests of this job, first match first. */
  List<RuleEffect> limitsOn(JobId job, long nowNanos) {
    return scheduler.effectsOn(job, inOrder(nowNanos));
  }

  /** Ends a period: what each job wanted in it, as if each had one node, in no order. */
  List<JobDemand> endPeriod(long nowNanos) {
    long now = inOrder(nowNanos);
    scheduler.resize(target().tokensPerSecond(), now);
    forget(now);
    List<JobDemand> demands = new ArrayList<>(accounts.size());
    accounts.forEach(account -> {
      JobDemand demand = account.demand.demand(account.job(), 1, account.waiting.oldestNanos(now));
      demands.add(
          account.cadence == null
              ? demand
              : demand
                  .withCadence(account.cadence.known())
                  .withPhaseRest(account.cadence.phaseRestTokens()));
      account.demand.beginPeriod();
    });
    period++;
    return demands;
  }

  /** What each job wanted since the last look, as if each had one node, in no order. */
  List<JobDemand> look() {
    List<JobDemand> demands = new ArrayList<>(accounts.size());
    accounts.forEach(account -> demands.add(account.demand.look(account.job(), 1)));
    return demands;
  }

  /** What each job did, in no order. */
  List<TargetStatistics.JobStatistics> jobStatistics(long nowNanos) {
    List<TargetStatistics.JobStatistics> statistics = new ArrayList<>(accounts.size());
    accounts.forEach(account -> statistics.add(account.statistics(nowNanos)));
    return statistics;
  }

  /** What was served since the beginning. */
  TargetTally tally() {
    ServiceTally all = forgotten.copy();
    List<TargetTally.JobTally> jobs = new ArrayList<>(accounts.size());
    accounts.forEach(account -> {
      all.add(account.tally);
      jobs.add(new TargetTally.JobTally(account.job(), account.number, account.tally.copy()));
    });
    return new TargetTally(target.name(), all, jobs);
  }

  /** For how long the request has been in service that was handed out first; 0 when none is. */
  long oldestInServiceNanos(long nowNanos) {
    return oldestInService == null ? 0 : Math.max(0, nowNanos - oldestInService.startedNanos);
  }

  long handedOut() {
    return handedOut;
  }

  boolean isAllBusy() {
    return inService >= inServiceMax || (found != null && !found.hasRoom(inService));
  }

  /** Gives up all that waits. */
  List<TargetRequest> withdrawAll(long nowNanos) {
    return countOut(scheduler.withdrawAll(inOrder(nowNanos)));
  }

  /** Gives up those that wait and are gone, in the order in which they came. */
  List<TargetRequest> withdrawIf(Predicate<? super TargetRequest> gone, long nowNanos) {
    List<Request> withdrawn =
        scheduler.withdrawIf(
            request -> request instanceof TargetRequest waiting && gone.test(waiting),
            inOrder(nowNanos));
    return countOut(withdrawn);
  }

  private List<TargetRequest> countOut(List<Request> withdrawn) {
    List<TargetRequest> counted = new ArrayList<>(withdrawn.size());
    for (Request each : withdrawn) {
      if (each instanceof TargetRequest request) {
        JobAccount account = accountOf(request);
        account.queued--;
        account.waiting.remove(request);
        // It has waited all the same, if in vain.
        account.waitedNanos += latestNanos - request.arrivedNanos;
        account.left(latestNanos);
        account.demand.dispatched(request.priceTokens, request.period == period);
        counted.add(request);
      }
    }
    return counted;
  }

  int queued() {
    return scheduler.queued();
  }

  int inService() {
    return inService;
  }

  /** Re-derives the books and throws {@link IllegalStateException} where they do not agree. */
  void checkInvariants() {
    scheduler.checkInvariants(latestNanos);
    int[] sums = {0, 0};
    accounts.forEach(account -> {
      account.demand.checkInvariants();
      sums[0] += account.queued;
      sums[1] += account.inService;
    });
    if (sums[0] != scheduler.queued() || sums[1] != inService || inService > inServiceEver) {
      throw new IllegalStateException(
          "the accounts say that "
              + sums[0]
              + " requests wait and "
              + sums[1]
              + " are served; there are "
              + scheduler.queued()
              + " and "
              + inService
              + " of "
              + inServiceEver);
    }
  }
}
