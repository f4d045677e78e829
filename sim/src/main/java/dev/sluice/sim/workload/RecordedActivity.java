package dev.sluice.sim.workload;

import dev.sluice.sim.scenario.Workload;
import dev.sluice.sim.storage.JobOnTarget;
import java.util.List;

/**
 * Does what a job was seen to do: pauses as it did, and sends its requests as fast as its window
 * and the storage allow, though no faster than it could when nobody made it wait.
 */
final class RecordedActivity implements Activity {
  private final SimProcess process;
  private final JobOnTarget account;
  private final List<Workload.Recorded.Bout> bouts;

  private int nextBout;
  private List<Workload.Recorded.Cell> cells = List.of();
  private int cell;
  private int request;

  /** Before this the bout that is on is not over, even if all of it is sent. */
  private long overNanos;

  /** Whether it waits for an instant, and not for a request to complete. */
  private boolean sleeps;

  /** Whether the pause before the next bout is over. */
  private boolean hasPaused;

  RecordedActivity(SimProcess process, Workload.Recorded workload) {
    this.process = process;
    this.account = process.account(workload.target());
    this.bouts = workload.bouts();
  }

  @Override
  public void begin(long nowNanos) {
    overNanos = nowNanos;
    proceed(nowNanos);
  }

  @Override
  public void wake(long nowNanos) {
    sleeps = false;
    proceed(nowNanos);
  }

  @Override
  public void proceed(long nowNanos) {
    while (!sleeps) {
      sendAll(nowNanos);
      if (cell < cells.size()) {
        return;
      }
      if (nowNanos < overNanos) {
        sleeps = true;
        process.wakeAt(overNanos);
      } else if (nextBout == bouts.size()) {
        if (process.outstanding() == 0) {
          process.done(nowNanos);
        }
        return;
      } else if (mustPause()) {
        if (process.outstanding() > 0) {
          return;
        }
        hasPaused = true;
        sleeps = true;
        process.computeFor(bouts.get(nextBout).pauseNanos(), nowNanos);
      } else {
        beginBout(nowNanos);
      }
    }
  }

  private boolean mustPause() {
    return !hasPaused && bouts.get(nextBout).pauseNanos() > 0;
  }

  private void beginBout(long nowNanos) {
    Workload.Recorded.Bout bout = bouts.get(nextBout++);
    cells = bout.cells();
    cell = 0;
    request = 0;
    overNanos = nowNanos + bout.ownNanos();
    hasPaused = false;
  }

  private void sendAll(long nowNanos) {
    while (cell < cells.size() && process.outstanding() < process.window()) {
      Workload.Recorded.Cell sent = cells.get(cell);
      process.send(
          account, sent.operation(), sent.operationsOf(request), sent.bytesOf(request), nowNanos);
      if (++request == sent.requests()) {
        request = 0;
        cell++;
      }
    }
  }
}
