package dev.sluice.sim.workload;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Where the processes of a job wait for the slowest of them before they compute on. */
public final class Barrier {
  private final SplittableRandom random;
  private final List<PhaseActivity> waiting = new ArrayList<>();
  private int members;
  private double deviation;

  /**
   * @param members how many processes will come, those that begin later too
   * @param random draws how long all of them compute
   */
  public Barrier(int members, SplittableRandom random) {
    this.members = members;
    this.random = random;
    this.deviation = random.nextDouble();
  }

  /** What was drawn for this iteration: 0 to below 1. */
  double deviation() {
    return deviation;
  }

  /** A process is done with its I/O and wants to compute on. */
  void arrive(PhaseActivity process, long nowNanos) {
    waiting.add(process);
    releaseIfComplete(nowNanos);
  }

  /** A process will not come any more. */
  void leave(long nowNanos) {
    members--;
    releaseIfComplete(nowNanos);
  }

  private void releaseIfComplete(long nowNanos) {
    if (waiting.size() < members || members == 0) {
      return;
    }
    deviation = random.nextDouble();
    for (PhaseActivity process : waiting) {
      process.compute(deviation, nowNanos);
    }
    waiting.clear();
  }
}
