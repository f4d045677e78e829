package dev.sluice.load.play;

import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.Workload;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Computes and does I/O in turns, and waits at the barrier in between. */
final class PlayedPhases implements PlayedWorkload {
  private final Workplace place;
  private final Workload.Phases workload;
  private @Nullable FileStream stream;

  PlayedPhases(Workplace place, Workload.Phases workload) {
    this.place = place;
    this.workload = workload;
  }

  @Override
  public void prepare() throws IOException {
    double bytes = (double) workload.bytes() * workload.iterations();
    stream = place.createStream("data", workload.operation(), bytes);
  }

  @Override
  public boolean play(Stage stage) throws IOException {
    try {
      for (int i = 0; i < workload.iterations(); i++) {
        if ((i > 0 && !stage.barrier().await()) || !computeAndMove(stage)) {
          return false;
        }
      }
      Objects.requireNonNull(stream).commit();
      return true;
    } finally {
      stage.barrier().leave();
    }
  }

  private boolean computeAndMove(Stage stage) throws IOException {
    FileStream file = Objects.requireNonNull(stream);
    long now = stage.time().nowNanos();
    long nanos =
        Seeds.around(workload.computeNanos(), workload.jitter(), stage.barrier().deviation());
    stage.account().computes(nanos, now);
    if (!stage.time().sleepUntil(now + nanos)) {
      return false;
    }
    return file.move(workload.bytes(), workload.requestBytes(), stage);
  }
}
