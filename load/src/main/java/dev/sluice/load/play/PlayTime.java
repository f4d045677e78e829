package dev.sluice.load.play;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The time of a play: from its first instant until its end, or until somebody stops it. Safe to use
 * from several threads.
 */
final class PlayTime {
  private final long originNanos;
  private final long endNanos;
  private final CountDownLatch stopped = new CountDownLatch(1);

  /** Begins now. */
  PlayTime(long endNanos) {
    this.originNanos = System.nanoTime();
    this.endNanos = endNanos;
  }

  /** How long it is since the beginning. */
  long nowNanos() {
    return System.nanoTime() - originNanos;
  }

  long endNanos() {
    return endNanos;
  }

  void stop() {
    stopped.countDown();
  }

  boolean isOver() {
    return stopped.getCount() == 0 || nowNanos() >= endNanos;
  }

  /** Waits until an instant; answers whether the play still goes on then. */
  boolean sleepUntil(long atNanos) {
    try {
      long left = Math.min(atNanos, endNanos) - nowNanos();
      if (left > 0 && stopped.await(left, TimeUnit.NANOSECONDS)) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
    return atNanos < endNanos && !isOver();
  }
}
