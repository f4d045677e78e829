package dev.sluice.lustre.standin;

import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Jobs that always have requests waiting on a stand-in server, in real time: as many are served as
 * the filter lets pass and the server can do.
 */
public final class LiveLoad implements AutoCloseable {
  private static final long TICK_NANOS = 2_000_000;
  private static final int WAITING = 16;

  private final StandInServer<String> server;
  private final Object lock;
  private final String target;
  private final List<String> jobs;
  private final long perSecond;
  private final Thread thread;
  private volatile boolean stopped;

  /**
   * Begins.
   *
   * @param lock is held whenever the server is used
   * @param perSecond what the server can serve
   */
  public LiveLoad(
      StandInServer<String> server, Object lock, String target, List<String> jobs, long perSecond) {
    this.server = server;
    this.lock = lock;
    this.target = target;
    this.jobs = List.copyOf(jobs);
    this.perSecond = perSecond;
    this.thread = Thread.ofPlatform().daemon().name("live-load").start(this::run);
  }

  private void run() {
    long begunNanos = System.nanoTime();
    synchronized (lock) {
      for (String job : jobs) {
        for (int i = 0; i < WAITING; i++) {
          server.enqueue(0, job, job, begunNanos);
        }
      }
    }
    double budget = 0;
    long lastNanos = begunNanos;
    while (!stopped) {
      LockSupport.parkNanos(TICK_NANOS);
      long nowNanos = System.nanoTime();
      // Not more than a moment's worth is made good where the machine was busy elsewhere.
      budget = Math.min(budget + perSecond * ((nowNanos - lastNanos) / 1e9), perSecond / 4.0);
      lastNanos = nowNanos;
      synchronized (lock) {
        while (budget >= 1) {
          String job = server.dequeue(0, nowNanos);
          if (job == null) {
            break;
          }
          budget--;
          server.served(target, job, false, 1 << 20, nowNanos);
          server.enqueue(0, job, job, nowNanos);
        }
      }
    }
  }

  @Override
  public void close() {
    stopped = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
