package dev.sluice.load.play;

import java.util.SplittableRandom;

/**
 * Where the processes of a job wait for the slowest of them before they compute on. Draws what the
 * simulator draws: how long they compute is the same there and here.
 */
final class PhaseBarrier {
  private static final long LOOK_MILLIS = 50;

  private final SplittableRandom random;
  private final PlayTime time;
  private int members;
  private int waiting;
  private long round;
  private double deviation;

  /**
   * A barrier.
   *
   * @param members how many processes will come, those that begin later too
   */
  PhaseBarrier(int members, SplittableRandom random, PlayTime time) {
    this.members = members;
    this.random = random;
    this.time = time;
    this.deviation = random.nextDouble();
  }

  /** What was drawn for this round: 0 to below 1. */
  synchronized double deviation() {
    return deviation;
  }

  /** Waits for the others; answers whether the play goes on. */
  synchronized boolean await() {
    long mine = round;
    waiting++;
    releaseIfComplete();
    while (round == mine && !time.isOver()) {
      try {
        wait(LOOK_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return !time.isOver();
  }

  /** A process will not come any more. */
  synchronized void leave() {
    members--;
    releaseIfComplete();
  }

  private void releaseIfComplete() {
    if (waiting >= members && members > 0) {
      waiting = 0;
      round++;
      deviation = random.nextDouble();
      notifyAll();
    }
  }
}
