package dev.sluice.sim.workload;

import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.Workload;

/**
 * Reads or writes a file in bursts. Each is due an interval after the one before was due; a late
 * one begins as soon as that one is done and moves no later one.
 */
final class BurstActivity implements Activity {
  private final SimProcess process;
  private final Workload.Bursts workload;
  private final Stretch stretch;
  private long leftBytes;
  private long dueNanos;
  private boolean bursting;

  BurstActivity(SimProcess process, Workload.Bursts workload) {
    this.process = process;
    this.workload = workload;
    long fileBytes = workload.bytes() == Long.MAX_VALUE ? workload.burstBytes() : workload.bytes();
    this.stretch = new Stretch(process, fileBytes, workload.operation(), workload.requestBytes());
    this.leftBytes = workload.bytes();
    if (workload.burstBytes() < 1) {
      throw new IllegalArgumentException(
          process + ": a burst has at least 1 byte, not " + workload.burstBytes());
    }
  }

  @Override
  public void begin(long nowNanos) {
    dueNanos = nowNanos;
    if (leftBytes == 0) {
      process.done(nowNanos);
    } else {
      burst(nowNanos);
    }
  }

  @Override
  public void wake(long nowNanos) {
    burst(nowNanos);
  }

  @Override
  public void proceed(long nowNanos) {
    stretch.proceed(nowNanos);
    if (!stretch.isDone()) {
      return;
    }
    if (bursting) {
      bursting = false;
      process.burstDone(dueNanos, nowNanos);
    }
    if (leftBytes == 0) {
      process.done(nowNanos);
      return;
    }
    dueNanos += Seeds.around(workload.intervalNanos(), workload.jitter(), process.draw());
    if (dueNanos > nowNanos) {
      process.wakeAt(dueNanos);
    } else {
      burst(nowNanos);
    }
  }

  /** When the burst was due that goes on; negative between two. */
  long sinceNanos() {
    return bursting ? dueNanos : -1;
  }

  private void burst(long nowNanos) {
    long bytes = Math.min(workload.burstBytes(), leftBytes);
    if (leftBytes != Long.MAX_VALUE) {
      leftBytes -= bytes;
    }
    bursting = true;
    stretch.begin(bytes, nowNanos);
  }
}
