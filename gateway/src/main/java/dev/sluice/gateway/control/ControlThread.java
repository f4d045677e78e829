package dev.sluice.gateway.control;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Gives a {@link ControlLoop} its clock: calls it when something is due, and when it is woken. */
public final class ControlThread implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(ControlThread.class.getName());
  private static final long RETRY_NANOS = 1_000_000_000L;

  private final ExecutorService decider =
      Executors.newCachedThreadPool(Thread.ofPlatform().name("policy-", 0).daemon().factory());
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition woken = lock.newCondition();
  private final ControlLoop loop;
  private final Thread thread;

  /** When the loop is to look next. */
  private volatile long dueNanos = System.nanoTime();

  private boolean wake;
  private boolean closed;

  /** Begins to control. */
  public ControlThread(ControlPlan plan, PolicyControls controls) {
    long nowNanos = System.nanoTime();
    long epochOffsetNanos = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - nowNanos;
    this.loop =
        new ControlLoop(
            plan, new DecisionSetting(decider, this::wake, controls, epochOffsetNanos), nowNanos);
    this.thread = Thread.ofPlatform().name("control").daemon().start(this::run);
  }

  public ControlLoop loop() {
    return loop;
  }

  /** For how long the loop should have looked and has not; asked without waiting for it. */
  public long lateNanos(long nowNanos) {
    return Math.max(0, nowNanos - dueNanos);
  }

  /** Has the loop look at once. */
  public void wake() {
    lock.lock();
    try {
      wake = true;
      woken.signal();
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (pause(dueNanos)) {
      try {
        dueNanos = loop.tick(System.nanoTime());
      } catch (RuntimeException e) {
        // A defect of ours. Requests go on as they are, and the next look may fare better.
        LOG.log(System.Logger.Level.ERROR, "the control loop failed and goes on", e);
        dueNanos = System.nanoTime() + RETRY_NANOS;
      }
    }
  }

  /** Waits until it is time, or somebody has news; false when it is over. */
  private boolean pause(long untilNanos) {
    lock.lock();
    try {
      long leftNanos = untilNanos - System.nanoTime();
      while (!closed && !wake && leftNanos > 0) {
        leftNanos = woken.awaitNanos(leftNanos);
      }
      wake = false;
      return !closed;
    } catch (InterruptedException e) {
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      woken.signal();
    } finally {
      lock.unlock();
    }
    loop.retire();
    decider.shutdownNow();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(5));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
