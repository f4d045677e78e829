package dev.sluice.load.play;

import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.Workload;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads or writes a file in bursts. Each is due an interval after the one before was due; a late
 * one begins as soon as that one is done and moves no later one.
 */
final class PlayedBursts implements PlayedWorkload {
  private final Workplace place;
  private final Workload.Bursts workload;
  private @Nullable FileStream stream;

  PlayedBursts(Workplace place, Workload.Bursts workload) {
    this.place = place;
    this.workload = workload;
  }

  @Override
  public void prepare() throws IOException {
    long bytes = workload.bytes() == Long.MAX_VALUE ? workload.burstBytes() : workload.bytes();
    stream = place.createStream("data", workload.operation(), (double) bytes);
  }

  @Override
  public boolean play(Stage stage) throws IOException {
    FileStream file = Objects.requireNonNull(stream);
    PlayTime time = stage.time();
    long left = workload.bytes();
    long dueNanos = time.nowNanos();
    while (left > 0) {
      if (!time.sleepUntil(dueNanos)) {
        return false;
      }
      long bytes = Math.min(workload.burstBytes(), left);
      long begunNanos = time.nowNanos();
      stage.account().burstBegun(begunNanos);
      if (!file.move(bytes, workload.requestBytes(), stage)) {
        return false;
      }
      stage.account().burstCompleted(begunNanos, time.nowNanos());
      if (left != Long.MAX_VALUE) {
        left -= bytes;
      }
      dueNanos +=
          Seeds.around(workload.intervalNanos(), workload.jitter(), stage.random().nextDouble());
    }
    file.commit();
    return true;
  }
}
