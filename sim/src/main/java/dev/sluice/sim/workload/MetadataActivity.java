package dev.sluice.sim.workload;

import dev.sluice.sim.scenario.Workload;

/** Metadata operations, as fast as the window allows; over several targets each in turn. */
final class MetadataActivity implements Activity {
  private final SimProcess process;
  private final OperationMix mix;
  private final FileCursor directory;
  private long leftOperations;

  MetadataActivity(SimProcess process, Workload.MetadataMix workload) {
    this.process = process;
    this.mix = new OperationMix(workload.weights());
    this.directory = process.createFile(0);
    this.leftOperations = workload.operations();
  }

  @Override
  public void begin(long nowNanos) {
    proceed(nowNanos);
  }

  @Override
  public void wake(long nowNanos) {
    throw new IllegalStateException(process + " waits for nothing but its requests");
  }

  @Override
  public void proceed(long nowNanos) {
    while (leftOperations > 0 && process.outstanding() < process.window()) {
      process.send(directory.account(), mix.draw(process), 0, nowNanos);
      directory.advanceToNextStripe();
      leftOperations--;
    }
    if (leftOperations == 0 && process.outstanding() == 0) {
      process.done(nowNanos);
    }
  }
}
