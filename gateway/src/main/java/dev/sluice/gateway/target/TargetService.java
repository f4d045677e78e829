package dev.sluice.gateway.target;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.period.PeriodAnswer;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.CadenceMeter;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One target of the gateway: its queue, its threads and its counts.
 *
 * <p>A request that may be served at once is served by the thread that brought it: handing it to
 * another costs as much as serving it. If another's is next, the thread serves that one in its
 * place: who brings one serves one, so that a queue grows only where the target is what is short,
 * not the processors. All others wait, and the target's workers serve them. Of the workers that
 * have nothing to do, one leads: it sleeps until the queue's next instant; the others sleep until
 * they are called.
 *
 * <p>Threads that bring requests never wait for the lock. There may be a thousand of them; those
 * that queue for a lock are let in one at a time, each after the system has found it a processor,
 * while those that come along take it in passing, and a queue that forms once stays. So whoever
 * does not get the lock leaves what it has to say to the one that holds it.
 */
public final class TargetService implements ControlledTarget, AutoCloseable {
  /**
   * An operation that waits longer than this for the storage is left to the workers when its
   * connection has others under way, so that a slow disk sees them all at once.
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

  /** Handed out by the queue, not yet with a worker. */
  private final ArrayDeque<TargetRequest> ready = new ArrayDeque<>();

  /** What those left who did not get the lock; what is under way bounds both. */
  private final Queue<TargetRequest> leftArrivals = new ConcurrentLinkedQueue<>();

  private final Queue<Completion> leftCompletions = new ConcurrentLinkedQueue<>();

  private final List<Worker> workers = new ArrayList<>();

  /** Workers that sleep and have not been called. */
  private final ArrayDeque<Worker> idle = new ArrayDeque<>();

  /** The worker that sleeps until a certain instant. */
  private @Nullable Worker leader;

  private long leaderUntilNanos;

  /** When the queue is worth asking again; {@link Long#MAX_VALUE} for not before it changes. */
  private long askAgainNanos = Long.MAX_VALUE;

  private boolean closed;

  private volatile Map<JobId, Cadence.Prioritised> priorities = Map.of();

  /** A request that was served, and when. */
  private record Completion(TargetRequest request, int movedBytes, long nanos) {}

  /** Starts the workers. */
  public TargetService(TargetSettings settings, SchedulerKind kind) {
    queue = new TargetQueue(settings, kind, System.nanoTime());
    for (int i = 0; i < settings.workers(); i++) {
      workers.add(new Worker(settings.target().name() + "-worker-" + i));
    }
    workers.forEach(worker -> worker.thread.start());
  }

  /**
   * Brings a request.
   *
   * @param othersUnderWay whether whoever brings it has more that could be served meanwhile
   * @return whether the caller is to serve it, now, and to call {@link #complete} afterwards;
   *     otherwise it belongs to the target, and a worker will serve it
   */
  @SuppressWarnings("ReferenceEquality") // This very request.
  public boolean submit(TargetRequest request, boolean othersUnderWay, long nowNanos) {
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
        next = arrive(request, othersUnderWay, nowNanos);
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
    next.startedNanos = System.nanoTime();
    int moved = next.serve();
    complete(next, moved, System.nanoTime());
    return false;
  }

  /** What the calling thread is to serve now, if anything: this request, or one before it. */
  @SuppressWarnings("ReferenceEquality") // This very request.
  private @Nullable TargetRequest arrive(
      TargetRequest request, boolean othersUnderWay, long nowNanos) {
    queue.arrive(request, nowNanos);
    Dispatch next = queue.next(nowNanos);
    if (next == request && !isForWorkers(request, othersUnderWay)) {
      return request;
    }
    // From here on a worker may serve it, once this thread lets go of the lock.
    request.detach();
    TargetRequest here = null;
    while (next instanceof TargetRequest handedOut) {
      if (here == null && !isForWorkers(handedOut, othersUnderWay)) {
        here = handedOut;
      } else {
        giveToWorker(handedOut);
      }
      next = queue.next(nowNanos);
    }
    askAgain(next);
    if (here == null && !ready.isEmpty() && !isForWorkers(ready.getFirst(), othersUnderWay)) {
      // The workers that were called for it are not there yet, and hold up the others.
      return ready.removeFirst();
    }
    return here;
  }

  /** Whether it pays to leave a request that was handed out to another thread. */
  private boolean isForWorkers(TargetRequest request, boolean othersUnderWay) {
    if (!othersUnderWay) {
      return false;
    }
    return queue.averageServiceNanos(request.operation()) > SLOW_NANOS
        || (request.bytes() >= LARGE_BYTES && queue.inService() < PROCESSORS);
  }

  /** A request that the caller of {@link #submit} was to serve has been served. */
  public void complete(TargetRequest request, int movedBytes, long nowNanos) {
    if (!tryLock()) {
      leftCompletions.add(new Completion(request, movedBytes, nowNanos));
      takeUpWhatIsLeft();
      return;
    }
    try {
      queue.complete(request, movedBytes, nowNanos);
      takeUp(nowNanos);
      pump(nowNanos);
    } finally {
      unlock();
    }
  }

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

  /**
   * Lets go of the lock, and sees to what was left meanwhile.
   *
   * <p>Nothing is forgotten: who leaves something tries the lock afterwards, so that either it gets
   * it, or somebody holds it who looks here after.
   */
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
      queue.complete(left.request, left.movedBytes, left.nanos);
    }
    for (TargetRequest left = leftArrivals.poll(); left != null; left = leftArrivals.poll()) {
      if (closed) {
        left.abandon();
      } else {
        queue.arrive(left, nowNanos);
      }
    }
  }

  /** Takes out of the queue what may be served now. */
  private void pump(long nowNanos) {
    Dispatch next = queue.next(nowNanos);
    while (next instanceof TargetRequest handedOut) {
      giveToWorker(handedOut);
      next = queue.next(nowNanos);
    }
    askAgain(next);
  }

  private void giveToWorker(TargetRequest request) {
    ready.addLast(request);
    if (!idle.isEmpty()) {
      callIdle();
    } else {
      callLeader();
    }
    // With neither all workers are awake, and look here before they sleep.
  }

  private void callIdle() {
    idle.removeLast().call();
  }

  private void callLeader() {
    Worker called = leader;
    if (called != null) {
      leader = null;
      called.call();
    }
  }

  private void askAgain(Dispatch answer) {
    askAgainNanos = instantOf(answer);
    if (askAgainNanos == Long.MAX_VALUE) {
      return;
    }
    if (leader != null) {
      if (askAgainNanos - leaderUntilNanos < 0) {
        callLeader();
      }
    } else if (!idle.isEmpty()) {
      callIdle();
    }
  }

  private static long instantOf(Dispatch answer) {
    return answer instanceof Dispatch.NotBefore wait ? wait.nanos() : Long.MAX_VALUE;
  }

  /** A thread of the target. */
  private final class Worker implements Runnable {
    final Thread thread;

    /** Set with the lock held by whoever takes this worker out of those that sleep. */
    private volatile boolean called;

    Worker(String name) {
      thread = new Thread(null, this, name, WORKER_STACK_BYTES);
      thread.setDaemon(true);
    }

    void call() {
      called = true;
      LockSupport.unpark(thread);
    }

    @Override
    public void run() {
      while (true) {
        TargetRequest request;
        long sleepUntilNanos = 0;
        lock.lock();
        try {
          getUp();
          long nowNanos = System.nanoTime();
          takeUp(nowNanos);
          request = nextToServe(nowNanos);
          if (request == null) {
            if (closed) {
              return;
            }
            sleepUntilNanos = lieDown();
          }
        } finally {
          unlock();
        }
        if (request == null) {
          sleep(sleepUntilNanos);
        } else {
          serve(request);
        }
      }
    }

    /** What this worker is to serve; the rest of what may be served is others'. */
    private @Nullable TargetRequest nextToServe(long nowNanos) {
      TargetRequest given = ready.pollFirst();
      if (given != null) {
        return given;
      }
      Dispatch next = queue.next(nowNanos);
      if (next instanceof TargetRequest handedOut) {
        // While it is served somebody else leads.
        pump(nowNanos);
        return handedOut;
      }
      askAgainNanos = instantOf(next);
      return null;
    }

    private void serve(TargetRequest request) {
      int moved = 0;
      // When it was handed out says little: the thread for it had yet to wake up.
      request.startedNanos = System.nanoTime();
      try {
        moved = request.serve();
      } finally {
        leftCompletions.add(new Completion(request, moved, System.nanoTime()));
      }
    }

    /** Counts this worker among those that sleep: until when, if nobody calls it. */
    private long lieDown() {
      called = false;
      if (leader == null && askAgainNanos != Long.MAX_VALUE) {
        leader = this;
        leaderUntilNanos = askAgainNanos;
        return askAgainNanos;
      }
      idle.addLast(this);
      return Long.MAX_VALUE;
    }

    /** One that was not called but has slept until its time is still the leader. */
    @SuppressWarnings("ReferenceEquality") // This very worker.
    private void getUp() {
      if (leader == this) {
        leader = null;
      }
    }

    private void sleep(long untilNanos) {
      while (!called) {
        if (untilNanos == Long.MAX_VALUE) {
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

  @Override
  public Target target() {
    lock.lock();
    try {
      return queue.target();
    } finally {
      unlock();
    }
  }

  @Override
  public void resize(Target target, long nowNanos) {
    lock.lock();
    try {
      queue.resize(target, nowNanos);
      pump(nowNanos);
    } finally {
      unlock();
    }
  }

  @Override
  public List<JobDemand> endPeriod(ToLongFunction<JobId> nodes, long nowNanos) {
    askForCadences(nowNanos);
    List<JobDemand> demands;
    lock.lock();
    try {
      demands = queue.endPeriod(nowNanos);
    } finally {
      unlock();
    }
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

  /** Finding a period takes milliseconds, and requests wait for the lock: it is found without. */
  private void askForCadences(long nowNanos) {
    List<CadenceMeter> due;
    lock.lock();
    try {
      due = queue.cadencesToAsk(nowNanos);
    } finally {
      unlock();
    }
    for (CadenceMeter cadence : due) {
      PeriodAnswer answer = cadence.answer(nowNanos);
      lock.lock();
      try {
        cadence.endAsking(answer, nowNanos);
      } finally {
        unlock();
      }
    }
  }

  @Override
  public void watchCadences(boolean watched, long nowNanos) {
    lock.lock();
    try {
      queue.watchCadences(watched);
    } finally {
      unlock();
    }
  }

  @Override
  public void prioritise(Map<JobId, Cadence.Prioritised> given) {
    priorities = Map.copyOf(given);
  }

  @Override
  public void reconfigure(Shares shares, long nowNanos) {
    lock.lock();
    try {
      queue.reconfigure(shares, nowNanos);
      pump(nowNanos);
    } finally {
      unlock();
    }
  }

  @Override
  public void use(SchedulerKind kind, long nowNanos) {
    lock.lock();
    try {
      queue.use(kind, nowNanos);
      pump(nowNanos);
    } finally {
      unlock();
    }
  }

  @Override
  public void limit(List<TbfRule> limits, long nowNanos) {
    lock.lock();
    try {
      queue.limit(limits, nowNanos);
      pump(nowNanos);
    } finally {
      unlock();
    }
  }

  @Override
  public List<RuleEffect> limitsOn(JobId job, long nowNanos) {
    lock.lock();
    try {
      return queue.limitsOn(job, nowNanos);
    } finally {
      unlock();
    }
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
    lock.lock();
    try {
      return queue.tally();
    } finally {
      unlock();
    }
  }

  /** Signs of life. */
  public TargetVitals vitals(long nowNanos) {
    int alive = 0;
    for (Worker worker : workers) {
      alive += worker.thread.isAlive() ? 1 : 0;
    }
    lock.lock();
    try {
      boolean waitsForItsTime = askAgainNanos != Long.MAX_VALUE && askAgainNanos - nowNanos > 0;
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
    lock.lock();
    try {
      queue.checkInvariants();
    } finally {
      unlock();
    }
  }

  /** Ends the workers once they have served what they were given; what still waits is abandoned. */
  @Override
  public void close() {
    List<Request> waiting;
    lock.lock();
    try {
      closed = true;
      waiting = queue.withdrawAll(System.nanoTime());
      while (!idle.isEmpty()) {
        callIdle();
      }
      callLeader();
    } finally {
      unlock();
    }
    for (Request request : waiting) {
      ((TargetRequest) request).abandon();
    }
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
