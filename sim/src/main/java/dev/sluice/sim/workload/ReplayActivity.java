package dev.sluice.sim.workload;

import dev.sluice.sim.scenario.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Sends requests as they were recorded. */
final class ReplayActivity implements Activity {
  private final SimProcess process;
  private final List<Workload.TraceLine> lines;
  private int next;
  private long startNanos;

  ReplayActivity(SimProcess process, Workload.Replay workload) {
    this.process = process;
    this.lines = new ArrayList<>(workload.lines());
    lines.sort(Comparator.comparingLong(Workload.TraceLine::atNanos));
  }

  @Override
  public void begin(long nowNanos) {
    startNanos = nowNanos;
    waitForNext(nowNanos);
  }

  @Override
  public void wake(long nowNanos) {
    Workload.TraceLine line = lines.get(next++);
    process.send(process.account(line.target()), line.operation(), line.bytes(), nowNanos);
    waitForNext(nowNanos);
  }

  @Override
  public boolean isClosedLoop() {
    return false;
  }

  @Override
  public void proceed(long nowNanos) {
    if (next == lines.size() && process.outstanding() == 0) {
      process.done(nowNanos);
    }
  }

  private void waitForNext(long nowNanos) {
    if (next < lines.size()) {
      process.wakeAt(startNanos + lines.get(next).atNanos());
    } else {
      proceed(nowNanos);
    }
  }
}
