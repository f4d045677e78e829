package dev.sluice.history.sample;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Looks at something once a second, on a thread of its own, until it is closed. */
public final class EverySecond implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(EverySecond.class.getName());
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private final Runnable look;
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread thread;

  /** Begins. */
  public EverySecond(Runnable look) {
    this.look = look;
    this.thread = Thread.ofPlatform().name("history").daemon().start(this::run);
  }

  private void run() {
    try {
      while (true) {
        long beganNanos = System.nanoTime();
        try {
          look.run();
        } catch (RuntimeException e) {
          // A defect of ours, which must not cost the rest of history.
          LOG.log(System.Logger.Level.ERROR, "history failed and goes on", e);
        }
        long restNanos = LOOK_NANOS - (System.nanoTime() - beganNanos);
        // No interrupt ends it: that would close the file that is being written.
        if (ended.await(Math.max(LOOK_NANOS / 10, restNanos), TimeUnit.NANOSECONDS)) {
          return;
        }
      }
    } catch (InterruptedException e) {
      LOG.log(System.Logger.Level.WARNING, "no more history is kept: interrupted");
    }
  }

  /** Waits until the look that is under way is over. */
  @Override
  public void close() {
    ended.countDown();
    try {
      thread.join(PATIENCE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
