package dev.sluice.load.play;

import dev.sluice.core.model.Operation;
import dev.sluice.sim.scenario.Workload;
import java.io.IOException;

/** Metadata operations, as fast as the window allows. */
final class PlayedMetadata implements PlayedWorkload {
  private final MetadataCalls calls;
  private final PlayedMix mix;
  private final long operations;

  PlayedMetadata(Workplace place, Workload.MetadataMix workload) {
    this.calls = new MetadataCalls(place);
    this.mix = new PlayedMix(workload.weights());
    this.operations = workload.operations();
    mix.operations().forEach(operation -> MetadataCalls.check(operation, place));
  }

  @Override
  public void prepare() throws IOException {
    calls.prepare();
  }

  @Override
  public boolean play(Stage stage) throws IOException {
    long left = operations;
    for (; left > 0 && !stage.time().isOver(); left--) {
      Operation operation = mix.draw(stage.random());
      stage.requests().send(() -> calls.call(operation));
    }
    stage.requests().awaitAll();
    return left == 0;
  }
}
