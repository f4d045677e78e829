package dev.sluice.load.play;

import dev.sluice.sim.scenario.Workload;
import java.io.IOException;

/**
 * What a process does. Files are committed when a process is done with them and not in between,
 * because a simulation knows no commits either, and waits for none.
 */
interface PlayedWorkload {
  /** Makes what it needs on the server, before the play begins. */
  void prepare() throws IOException;

  /** Does it, on the process's own thread; answers whether it was done before the play's end. */
  boolean play(Stage stage) throws IOException;

  /** How a process plays this workload. */
  static PlayedWorkload of(Workplace place, Workload workload) {
    return switch (workload) {
      case Workload.Sequential sequential -> new PlayedSequential(place, sequential);
      case Workload.Bursts bursts -> new PlayedBursts(place, bursts);
      case Workload.Phases phases -> new PlayedPhases(place, phases);
      case Workload.MetadataMix mix when mix.operationsPerSecond() == 0 ->
          new PlayedMetadata(place, mix);
      case Workload.MetadataMix mix -> PlayedOpenLoop.of(place, mix);
      case Workload.OpenLoop openLoop -> PlayedOpenLoop.of(place, openLoop);
      case Workload.Replay replay -> new PlayedReplay(place, replay);
      case Workload.Recorded _ ->
          throw new IllegalArgumentException("recorded demand is for the simulator alone");
    };
  }
}
