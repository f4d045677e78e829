package dev.sluice.gateway.identify;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads on which a name service is asked: a few, since each may hang for as long as that does,
 * and a bounded number of questions that wait for them. More are refused, and asked another time.
 */
final class NameThreads {
  private static final int WAITING_MAX = 1_024;
  private static final int IDLE_SECONDS = 60;

  private NameThreads() {}

  static Executor of(String name, int count) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            count,
            count,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(WAITING_MAX),
            Thread.ofPlatform().name(name, 0).daemon().factory());
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }
}
