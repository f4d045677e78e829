package dev.sluice.load.play;

import dev.sluice.sim.scenario.Workload;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads or writes a file from beginning to end. */
final class PlayedSequential implements PlayedWorkload {
  private final Workplace place;
  private final Workload.Sequential workload;
  private @Nullable FileStream stream;

  PlayedSequential(Workplace place, Workload.Sequential workload) {
    this.place = place;
    this.workload = workload;
  }

  @Override
  public void prepare() throws IOException {
    stream = place.createStream("data", workload.operation(), (double) workload.bytes());
  }

  @Override
  public boolean play(Stage stage) throws IOException {
    FileStream file = Objects.requireNonNull(stream);
    boolean done = file.move(workload.bytes(), workload.requestBytes(), stage);
    file.commit();
    return done;
  }
}
