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
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * One target of the gateway: its queue, its threads and its counts.
 *
 * <p>A request that may be served at once is served by the thread that brought it: handing it to
 * another costs as much as serving it. All others wait, and the target's workers serve them. Of the
 * workers that have nothing to do, one leads: it sleeps until the queue's next instant; the others
 * sleep until they are called.
 */
public final class TargetService implements ControlledTarget, AutoCloseable {
  /**
   * An operation that takes longer than this is left to the workers when its connection has others
   * under way, so that a slow disk sees them all at once.
   */
  private static final long SLOW_NANOS = 500_000;

  private static final long NOBODY_LEADS = Long.MIN_VALUE;
  private static final long WORKER_STACK_BYTES = 512 << 10;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition leaderCalled = lock.newCondition();
  private final Condition idleCalled = lock.newCondition();
  private final TargetQueue queue;

  /** Handed out by the queue, not yet with a worker. */
  private final ArrayDeque<TargetRequest> ready = new ArrayDeque<>();

  private final List<Thread> workers = new ArrayList<>();

  /** Workers that sleep and have not been called. */
  private int idle;

  /** Calls that no worker has heard yet. */
  private int calls;

  /** Until when the leader sleeps. */
  private long leaderUntilNanos = NOBODY_LEADS;

  /** When the queue is worth asking again; {@link Long#MAX_VALUE} for not before it changes. */
  private long askAgainNanos = Long.MAX_VALUE;

  private boolean closed;

  private volatile Map<JobId, Cadence.Prioritised> priorities = Map.of();

  /** Starts the workers. */
  public TargetService(TargetSettings settings, SchedulerKind kind) {
    queue = new TargetQueue(settings, kind, System.nanoTime());
    for (int i = 0; i < settings.workers(); i++) {
      String name = settings.target().name() + "-worker-" + i;
      Thread worker = new Thread(null, this::work, name, WORKER_STACK_BYTES);
      worker.setDaemon(true);
      workers.add(worker);
    }
    workers.forEach(Thread::start);
  }

  /**
   * Brings a request.
   *
   * @param othersUnderWay whether whoever brings it has more that could be served meanwhile
   * @return whether the caller is to serve it, now, and to call {@link #complete} afterwards;
   *     otherwise it belongs to the target, and a worker will serve it
   */
  public boolean submit(TargetRequest request, boolean othersUnderWay, long nowNanos) {
    lock.lock();
    try {
      if (!closed) {
        return arrive(request, othersUnderWay, nowNanos);
      }
    } finally {
      lock.unlock();
    }
    request.abandon();
    return false;
  }

  @SuppressWarnings("ReferenceEquality") // This very request.
  private boolean arrive(TargetRequest request, boolean othersUnderWay, long nowNanos) {
    queue.arrive(request, nowNanos);
    boolean forWorkers =
        othersUnderWay && queue.averageServiceNanos(request.operation()) > SLOW_NANOS;
    Dispatch next = queue.next(nowNanos);
    if (next == request && !forWorkers) {
      return true;
    }
    // From here on a worker may serve it, once this thread lets go of the lock.
    request.detach();
    boolean here = false;
    while (next instanceof TargetRequest handedOut) {
      if (handedOut == request && !forWorkers) {
        here = true;
      } else {
        giveToWorker(handedOut);
      }
      next = queue.next(nowNanos);
    }
    askAgain(next);
    return here;
  }

  /** A request that the caller of {@link #submit} was to serve has been served. */
  public void complete(TargetRequest request, int movedBytes, long nowNanos) {
    lock.lock();
    try {
      queue.complete(request, movedBytes, nowNanos);
      pump(nowNanos);
    } finally {
      lock.unlock();
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
    if (idle > 0) {
      callIdle();
    } else if (leaderUntilNanos != NOBODY_LEADS) {
      leaderCalled.signal();
    }
    // Otherwise all workers are awake, and look here before they sleep.
  }

  private void callIdle() {
    idle--;
    calls++;
    idleCalled.signal();
  }

  private void askAgain(Dispatch answer) {
    askAgainNanos = instantOf(answer);
    if (askAgainNanos == Long.MAX_VALUE) {
      return;
    }
    if (leaderUntilNanos == NOBODY_LEADS) {
      if (idle > 0) {
        callIdle();
      }
    } else if (askAgainNanos - leaderUntilNanos < 0) {
      leaderCalled.signal();
    }
  }

  private static long instantOf(Dispatch answer) {
    return answer instanceof Dispatch.NotBefore wait ? wait.nanos() : Long.MAX_VALUE;
  }

  private void work() {
    lock.lock();
    try {
      while (true) {
        TargetRequest request = nextToServe(System.nanoTime());
        if (request != null) {
          serve(request);
        } else if (closed) {
          return;
        } else {
          sleep();
        }
      }
    } catch (InterruptedException _) {
      // Nobody interrupts a worker but to end it.
    } finally {
      lock.unlock();
    }
  }

  /** What the calling worker is to serve; the rest of what may be served is others'. */
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
    lock.unlock();
    int moved = 0;
    try {
      moved = request.serve();
    } finally {
      lock.lock();
      queue.complete(request, moved, System.nanoTime());
    }
  }

  @SuppressWarnings("WaitNotInLoop") // The worker looks again whatever woke it.
  private void sleep() throws InterruptedException {
    if (leaderUntilNanos == NOBODY_LEADS && askAgainNanos != Long.MAX_VALUE) {
      leaderUntilNanos = askAgainNanos;
      try {
        leaderCalled.awaitNanos(askAgainNanos - System.nanoTime());
      } finally {
        leaderUntilNanos = NOBODY_LEADS;
      }
    } else {
      idle++;
      while (calls == 0) {
        idleCalled.await();
      }
      calls--;
    }
  }

  @Override
  public Target target() {
    lock.lock();
    try {
      return queue.target();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void resize(Target target, long nowNanos) {
    lock.lock();
    try {
      queue.resize(target, nowNanos);
      pump(nowNanos);
    } finally {
      lock.unlock();
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
      lock.unlock();
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
      lock.unlock();
    }
    for (CadenceMeter cadence : due) {
      PeriodAnswer answer = cadence.answer(nowNanos);
      lock.lock();
      try {
        cadence.endAsking(answer, nowNanos);
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void watchCadences(boolean watched, long nowNanos) {
    lock.lock();
    try {
      queue.watchCadences(watched);
    } finally {
      lock.unlock();
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
      lock.unlock();
    }
  }

  @Override
  public void use(SchedulerKind kind, long nowNanos) {
    lock.lock();
    try {
      queue.use(kind, nowNanos);
      pump(nowNanos);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void limit(List<TbfRule> limits, long nowNanos) {
    lock.lock();
    try {
      queue.limit(limits, nowNanos);
      pump(nowNanos);
    } finally {
      lock.unlock();
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
      jobs = queue.jobStatistics();
      name = queue.target().name();
      queued = queue.queued();
      inService = queue.inService();
    } finally {
      lock.unlock();
    }
    jobs.sort(Comparator.comparing(TargetStatistics.JobStatistics::job));
    return new TargetStatistics(name, nowNanos, queued, inService, jobs);
  }

  /** Re-derives the books and throws {@link IllegalStateException} where they do not agree. */
  void checkInvariants() {
    lock.lock();
    try {
      queue.checkInvariants();
    } finally {
      lock.unlock();
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
      while (idle > 0) {
        callIdle();
      }
      leaderCalled.signalAll();
    } finally {
      lock.unlock();
    }
    for (Request request : waiting) {
      ((TargetRequest) request).abandon();
    }
    for (Thread worker : workers) {
      boolean interrupted = false;
      while (true) {
        try {
          worker.join();
          break;
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
