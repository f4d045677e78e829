package dev.sluice.gateway.target;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.capacity.CapacityBounds;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.period.PeriodAnswer;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.CadenceMeter;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.gateway.memory.JobMemory;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One target of the gateway: its queue, its threads and its counts.
 *
 * <p>A request that may be served at once is served by the thread that brought it: handing it to
 * another costs as much as serving it. If another's is next, the thread serves that one in its
 * place: who brings one serves one, so that a queue grows only where the target is what is short,
 * not the processors. All others wait, and the target's workers serve them, woken by the {@link
 * Crew}.
 *
 * <p><b>The lock</b> guards the queue and the crew. Threads that bring requests never wait for it.
 * There may be a thousand of them; those that queue for a lock are let in one at a time, each after
 * the system has found it a processor, while those that come along take it in passing, and a queue
 * that forms once stays. So whoever does not get the lock leaves what it has to say to the one that
 * holds it, in the <b>leftovers</b>: arrivals and completions. Whoever has held the lock looks for
 * leftovers after letting it go, and whoever leaves something tries the lock afterwards; so either
 * of them enters it.
 */
public final class TargetService implements ControlledTarget, JobMemory.KnownSpeed, AutoCloseable {
  private static final Logger LOG = System.getLogger(TargetService.class.getName());

  /**
   * An operation that waits longer than this for the storage is left to the workers, so that a slow
   * disk sees many at once and nobody's reader waits for it.
   */
  private static final long SLOW_NANOS = 500_000;

  /** Copying so much takes much longer than waking a thread that does it on another processor. */
  private static final long LARGE_BYTES = 256 << 10;

  private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

  /** Longer than anybody holds the lock who keeps the processor meanwhile. */
  private static final int LOCK_ATTEMPTS = 64;

  private static final long WORKER_STACK_BYTES = 512 << 10;

  private final ReentrantLock lock = new ReentrantLock();
  private final TargetQueue queue;
  private final Crew crew = new Crew();

  /** Replaced as a whole, with the lock held; looked at without it. */
  private volatile List<Worker> workers = List.of();

  /** What those left who did not get the lock; what is under way bounds both. */
  private final Queue<TargetRequest> leftArrivals = new ConcurrentLinkedQueue<>();

  private final Queue<Completion> leftCompletions = new ConcurrentLinkedQueue<>();

  private volatile boolean closed;

  private volatile Map<JobId, Cadence.Prioritised> priorities = Map.of();

  /** A request that was served, and when. */
  private record Completion(TargetRequest request, Served served, long nanos) {}

  /** How whoever brings a request stands. */
  public enum Bringer {
    /** It has nothing else under way that could be served meanwhile. */
    HAS_NO_MORE,
    /** It has more that could be served meanwhile. */
    HAS_MORE,
    /** It must not be kept, however short a request seems. */
    MUST_NOT_SERVE
  }

  /** Starts the workers. */
  public TargetService(TargetSettings settings, SchedulerKind kind) {
    queue = new TargetQueue(settings, kind, System.nanoTime());
    hire(settings.workers());
  }

  /** Has so many workers, those that there are first. */
  private void hire(int wanted) {
    List<Worker> kept = new ArrayList<>(workers.subList(0, Math.min(wanted, workers.size())));
    while (kept.size() < wanted) {
      Worker added = new Worker(queue.target().name() + "-worker-" + kept.size());
      kept.add(added);
      added.thread.start();
    }
    workers = List.copyOf(kept);
  }

  // ---- Requests come and go ----

  /**
   * Brings a request.
   *
   * @return whether the caller is to serve it, now, and to call {@link #complete} afterwards;
   *     otherwise it belongs to the target, and a worker will serve it
   */
  @SuppressWarnings("ReferenceEquality") // This very request.
  public boolean submit(TargetRequest request, Bringer bringer, long nowNanos) {
    if (!tryLock()) {
      request.detach();
      leftArrivals.add(request);
      takeUpWhatIsLeft();
      return false;
    }
    boolean refused;
    TargetRequest next = null;
    try {
      takeUp(nowNanos);
      refused = closed;
      if (!refused) {
        next = arrive(request, bringer, nowNanos);
      }
    } finally {
      unlock();
    }
    if (refused) {
      request.abandon();
      return false;
    }
    if (next == null || next == request) {
      return next == request;
    }
    Served served = serve(next);
    complete(next, served, System.nanoTime());
    return false;
  }

  /** What the calling thread is to serve now, if anything: this request, or one before it. */
  @SuppressWarnings("ReferenceEquality") // This very request.
  private @Nullable TargetRequest arrive(TargetRequest request, Bringer bringer, long nowNanos) {
    queue.arrive(request, nowNanos);
    Dispatch next = queue.next(nowNanos);
    if (next == request && !isForWorkers(request, bringer)) {
      return request;
    }
    // From here on a worker may serve it, once this thread lets go of the lock.
    request.detach();
    TargetRequest here = null;
    while (next instanceof TargetRequest handedOut) {
      if (here == null && !isForWorkers(handedOut, bringer)) {
        here = handedOut;
      } else {
        crew.give(handedOut);
      }
      next = queue.next(nowNanos);
    }
    crew.askAgainAt(instantOf(next));
    TargetRequest lying = crew.peek();
    if (here == null && lying != null && !isForWorkers(lying, bringer)) {
      // The workers that were called for it are not there yet, and hold up the others.
      return crew.take();
    }
    return here;
  }

  /** Whether a request that was handed out had better be left to another thread. */
  private boolean isForWorkers(TargetRequest request, Bringer bringer) {
    return bringer == Bringer.MUST_NOT_SERVE
        || queue.averageServiceNanos(request.operation()) > SLOW_NANOS
        || (bringer == Bringer.HAS_MORE
            && request.bytes() >= LARGE_BYTES
            && queue.inService() < PROCESSORS);
  }

  /** A request that the caller of {@link #submit} was to serve has been served. */
  public void complete(TargetRequest request, Served served, long nowNanos) {
    if (!tryLock()) {
      leftCompletions.add(new Completion(request, served, nowNanos));
      takeUpWhatIsLeft();
      return;
    }
    try {
      complete(new Completion(request, served, nowNanos));
      takeUp(nowNanos);
      pump(nowNanos);
    } finally {
      unlock();
    }
  }

  private void complete(Completion done) {
    queue.complete(done.request, done.served.operations(), done.served.bytes(), done.nanos);
  }

  /**
   * Takes requests that wait out of the queue; they are the caller's to answer for. Looks at all
   * that wait, and requests come and go meanwhile only as leftovers: not for every request.
   */
  public List<TargetRequest> withdrawIf(Predicate<? super TargetRequest> unwanted) {
    lock.lock();
    try {
      long nowNanos = System.nanoTime();
      takeUp(nowNanos);
      List<TargetRequest> withdrawn = queue.withdrawIf(unwanted, nowNanos);
      if (!withdrawn.isEmpty()) {
        pump(nowNanos);
      }
      return withdrawn;
    } finally {
      unlock();
    }
  }

  /** Takes those out of the queue that nobody waits for any more, and gives them up. */
  public void withdrawUnwanted() {
    withdrawIf(request -> !request.isWanted()).forEach(TargetRequest::abandon);
  }

  /**
   * Serves a request that was handed out, on whatever thread, if somebody still waits for it. Never
   * throws: the thread has others to serve.
   */
  private static Served serve(TargetRequest request) {
    // When it was handed out says little: the thread for it had yet to wake up.
    request.startedNanos = System.nanoTime();
    try {
      if (request.isWanted()) {
        return request.serve();
      }
      request.abandon();
    } catch (RuntimeException | Error e) {
      LOG.log(Level.ERROR, "a request of job " + request.job() + " was not served", e);
    }
    return Served.NOTHING;
  }

  // ---- The lock and the leftovers ----

  /** Takes the lock unless its holder seems to have lost the processor. */
  private boolean tryLock() {
    for (int i = 0; i < LOCK_ATTEMPTS; i++) {
      if (lock.tryLock()) {
        return true;
      }
      Thread.onSpinWait();
    }
    return false;
  }

  /** Lets go of the lock, and sees to what was left meanwhile. */
  private void unlock() {
    lock.unlock();
    takeUpWhatIsLeft();
  }

  private void takeUpWhatIsLeft() {
    while (isSomethingLeft() && lock.tryLock()) {
      try {
        long nowNanos = System.nanoTime();
        takeUp(nowNanos);
        pump(nowNanos);
      } finally {
        lock.unlock();
      }
    }
  }

  private boolean isSomethingLeft() {
    return !leftArrivals.isEmpty() || !leftCompletions.isEmpty();
  }

  /** Enters what others left, before anything that came later. */
  private void takeUp(long nowNanos) {
    for (Completion left = leftCompletions.poll(); left != null; left = leftCompletions.poll()) {
      complete(left);
    }
    for (TargetRequest left = leftArrivals.poll(); left != null; left = leftArrivals.poll()) {
      if (closed) {
        left.abandon();
      } else {
        queue.arrive(left, nowNanos);
      }
    }
  }

  /** Takes out of the queue what may be served now, for the workers. */
  private void pump(long nowNanos) {
    Dispatch next = queue.next(nowNanos);
    while (next instanceof TargetRequest handedOut) {
      crew.give(handedOut);
      next = queue.next(nowNanos);
    }
    crew.askAgainAt(instantOf(next));
  }

  private static long instantOf(Dispatch answer) {
    return answer instanceof Dispatch.NotBefore wait ? wait.nanos() : Crew.NEVER;
  }

  // ---- Workers ----

  /** A thread of the target. */
  private final class Worker implements Runnable, Crew.Sleeper {
    final Thread thread;

    /** Set with the lock held by whoever takes this worker out of those that sleep. */
    private volatile boolean called;

    /** Whether it is to end when it finds nothing to do; guarded by the lock. */
    private boolean dismissed;

    Worker(String name) {
      thread = new Thread(null, this, name, WORKER_STACK_BYTES);
      thread.setDaemon(true);
    }

    @Override
    public void wake() {
      called = true;
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      boolean going = true;
      while (going) {
        try {
          going = work();
        } catch (RuntimeException | Error e) {
          // Whatever it was, the others must not wait for a worker that is no more.
          LOG.log(Level.ERROR, thread.getName() + " failed and goes on", e);
        }
      }
    }

    /** Serves one request, or sleeps once; false when the target has ended. */
    private boolean work() {
      TargetRequest request;
      long sleepUntilNanos = 0;
      lock.lock();
      try {
        crew.getUp(this);
        long nowNanos = System.nanoTime();
        takeUp(nowNanos);
        request = nextToServe(nowNanos);
        if (request == null) {
          if (closed) {
            return false;
          }
          if (dismissed) {
            // Somebody else must be there when the queue is worth asking again.
            crew.askAgainAt(crew.askAgainNanos());
            return false;
          }
          called = false;
          sleepUntilNanos = crew.lieDown(this);
        }
      } finally {
        unlock();
      }
      if (request == null) {
        sleep(sleepUntilNanos);
      } else {
        Served served = serve(request);
        leftCompletions.add(new Completion(request, served, System.nanoTime()));
      }
      return true;
    }

    /** What this worker is to serve; the rest of what may be served is others'. */
    private @Nullable TargetRequest nextToServe(long nowNanos) {
      TargetRequest given = crew.take();
      if (given != null) {
        return given;
      }
      Dispatch next = queue.next(nowNanos);
      if (next instanceof TargetRequest handedOut) {
        // While it is served somebody else leads.
        pump(nowNanos);
        return handedOut;
      }
      crew.noteAskAgainAt(instantOf(next));
      return null;
    }

    private void sleep(long untilNanos) {
      while (!called) {
        if (untilNanos == Crew.NEVER) {
          LockSupport.park(TargetService.this);
        } else {
          long leftNanos = untilNanos - System.nanoTime();
          if (leftNanos <= 0) {
            return;
          }
          LockSupport.parkNanos(TargetService.this, leftNanos);
        }
      }
    }
  }

  // ---- What the control loop sees and does ----

  private <T> T locked(Supplier<T> question) {
    lock.lock();
    try {
      return question.get();
    } finally {
      unlock();
    }
  }

  private void locked(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      unlock();
    }
  }

  /** Changes something that may let requests be served that could not be before. */
  private void change(Runnable change, long nowNanos) {
    locked(() -> {
      change.run();
      pump(nowNanos);
    });
  }

  @Override
  public Target target() {
    return locked(() -> queue.target());
  }

  @Override
  public void resize(Target target, long nowNanos) {
    change(() -> queue.resize(target, nowNanos), nowNanos);
  }

  /**
   * Finds out what the storage can do from now on, within these bounds, or goes by what it is told
   * where they are null. What was found out stays while the bounds do.
   */
  public void find(@Nullable CapacityBounds bounds, long nowNanos) {
    change(() -> queue.find(bounds, nowNanos), nowNanos);
  }

  @Override
  public @Nullable CapacityBelief belief(long nowNanos) {
    return locked(() -> Optional.ofNullable(queue.belief(nowNanos))).orElse(null);
  }

  @Override
  public TargetGoals lookAtGoals(Goals goals, Function<JobId, String> accounts, long nowNanos) {
    return locked(() -> queue.lookAtGoals(goals, accounts, nowNanos));
  }

  @Override
  public void hold(long tokensPerSecond, long nowNanos) {
    change(() -> queue.hold(tokensPerSecond), nowNanos);
  }

  /** Hands out no faster than the capacity from now on, or as fast as the storage takes it. */
  public void pace(boolean wanted, long nowNanos) {
    change(() -> queue.pace(wanted), nowNanos);
  }

  /**
   * Serves so many requests at once from now on. Those in service go on; workers that are too many
   * end when they have nothing to do.
   */
  public void employ(int wanted, long nowNanos) {
    change(
        () -> {
          List<Worker> before = workers;
          if (wanted == before.size()) {
            return;
          }
          queue.serveAtOnce(wanted);
          hire(wanted);
          before.stream().skip(wanted).forEach(worker -> worker.dismissed = true);
          crew.callAll();
        },
        nowNanos);
  }

  @Override
  public List<JobDemand> endPeriod(ToLongFunction<JobId> nodes, long nowNanos) {
    askForCadences(nowNanos);
    List<JobDemand> demands = locked(() -> queue.endPeriod(nowNanos));
    Map<JobId, Cadence.Prioritised> given = priorities;
    // Requests wait for the lock: what need not be done under it is not.
    demands.replaceAll(seen -> {
      Cadence.Prioritised priority = given.get(seen.job());
      return (priority == null ? seen : seen.withCadence(priority))
          .withNodes(nodes.applyAsLong(seen.job()));
    });
    demands.sort(Comparator.comparing(JobDemand::job));
    return demands;
  }

  @Override
  public List<JobDemand> look(ToLongFunction<JobId> nodes) {
    List<JobDemand> demands = locked(() -> queue.look());
    demands.replaceAll(seen -> seen.withNodes(nodes.applyAsLong(seen.job())));
    demands.sort(Comparator.comparing(JobDemand::job));
    return demands;
  }

  /** Finding a period takes milliseconds, and requests wait for the lock: it is found without. */
  private void askForCadences(long nowNanos) {
    for (CadenceMeter cadence : locked(() -> queue.cadencesToAsk(nowNanos))) {
      PeriodAnswer answer = cadence.answer(nowNanos);
      locked(() -> cadence.endAsking(answer, nowNanos));
    }
  }

  @Override
  public void watchCadences(boolean watched, long nowNanos) {
    locked(() -> queue.watchCadences(watched));
  }

  @Override
  public void prioritise(Map<JobId, Cadence.Prioritised> given) {
    priorities = Map.copyOf(given);
  }

  @Override
  public void reconfigure(Shares shares, long nowNanos) {
    change(() -> queue.reconfigure(shares, nowNanos), nowNanos);
  }

  @Override
  public void use(SchedulerKind kind, long nowNanos) {
    change(() -> queue.use(kind, nowNanos), nowNanos);
  }

  @Override
  public void divideBy(ShareGrouping shares, Function<JobId, String> accounts, long nowNanos) {
    change(() -> queue.divideBy(shares, accounts, nowNanos), nowNanos);
  }

  @Override
  public void limit(List<TbfRule> limits, long nowNanos) {
    change(() -> queue.limit(limits, nowNanos), nowNanos);
  }

  @Override
  public List<RuleEffect> limitsOn(JobId job, long nowNanos) {
    return locked(() -> queue.limitsOn(job, nowNanos));
  }

  /** How fast limits let a job be that hold it back now. */
  @Override
  public JobMemory.Speed of(JobId job) {
    JobMemory.Speed speed = JobMemory.Speed.UNKNOWN;
    for (RuleEffect effect : limitsOn(job, System.nanoTime())) {
      if (effect.holdsBack()) {
        TbfLimit second = effect.rule().secondLimit();
        speed = speed.min(speed(effect.rule().limit()));
        speed = second == null ? speed : speed.min(speed(second));
      }
    }
    return speed;
  }

  private static JobMemory.Speed speed(TbfLimit limit) {
    Rate rate = limit.rate();
    long tokens = (long) ((double) rate.tokens() * Rate.NANOS_PER_SECOND / rate.periodNanos());
    long perOperation = limit.unit().tokensPerOperation();
    return new JobMemory.Speed(
        limit.unit().tokensPerByte() == 0 ? Long.MAX_VALUE : tokens,
        perOperation == 0 ? Long.MAX_VALUE : tokens / perOperation);
  }

  @Override
  public TargetStatistics statistics(long nowNanos) {
    List<TargetStatistics.JobStatistics> jobs;
    String name;
    int queued;
    int inService;
    lock.lock();
    try {
      jobs = queue.jobStatistics(nowNanos);
      name = queue.target().name();
      queued = queue.queued();
      inService = queue.inService();
    } finally {
      unlock();
    }
    jobs.sort(Comparator.comparing(TargetStatistics.JobStatistics::job));
    return new TargetStatistics(name, nowNanos, queued, inService, jobs);
  }

  /** What was served since the beginning. */
  public TargetTally tally() {
    return locked(() -> queue.tally());
  }

  /** Signs of life. */
  public TargetVitals vitals(long nowNanos) {
    int alive = 0;
    for (Worker worker : workers) {
      alive += worker.thread.isAlive() ? 1 : 0;
    }
    lock.lock();
    try {
      long askAgainNanos = crew.askAgainNanos();
      boolean waitsForItsTime = askAgainNanos != Crew.NEVER && askAgainNanos - nowNanos > 0;
      return new TargetVitals(
          queue.target().name(),
          queue.queued(),
          queue.inService(),
          queue.oldestInServiceNanos(nowNanos),
          queue.handedOut(),
          waitsForItsTime || queue.isAllBusy(),
          workers.size(),
          alive);
    } finally {
      unlock();
    }
  }

  /** Re-derives the books and throws {@link IllegalStateException} where they do not agree. */
  void checkInvariants() {
    locked(queue::checkInvariants);
  }

  /** Whether it has ended. */
  public boolean isClosed() {
    return closed;
  }

  /** Ends the workers once they have served what they were given; what still waits is abandoned. */
  @Override
  public void close() {
    List<TargetRequest> waiting;
    lock.lock();
    try {
      closed = true;
      waiting = queue.withdrawAll(System.nanoTime());
      crew.callAll();
    } finally {
      unlock();
    }
    waiting.forEach(TargetRequest::abandon);
    boolean interrupted = false;
    for (Worker worker : workers) {
      while (worker.thread.isAlive()) {
        try {
          worker.thread.join();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
