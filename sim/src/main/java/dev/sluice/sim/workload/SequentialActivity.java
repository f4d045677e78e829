package dev.sluice.sim.workload;

import dev.sluice.sim.scenario.Workload;

/** Reads or writes a file from beginning to end. */
final class SequentialActivity implements Activity {
  private final SimProcess process;
  private final Workload.Sequential workload;
  private final Stretch stretch;

  SequentialActivity(SimProcess process, Workload.Sequential workload) {
    this.process = process;
    this.workload = workload;
    this.stretch =
        new Stretch(process, workload.bytes(), workload.operation(), workload.requestBytes());
  }

  @Override
  public void begin(long nowNanos) {
    stretch.begin(workload.bytes(), nowNanos);
    finishIfDone(nowNanos);
  }

  @Override
  public void wake(long nowNanos) {
    throw new IllegalStateException(process + " waits for nothing but its requests");
  }

  @Override
  public void proceed(long nowNanos) {
    stretch.proceed(nowNanos);
    finishIfDone(nowNanos);
  }

  private void finishIfDone(long nowNanos) {
    if (stretch.isDone()) {
      process.done(nowNanos);
    }
  }
}
