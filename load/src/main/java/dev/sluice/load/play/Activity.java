package dev.sluice.load.play;

import dev.sluice.sim.scenario.Workload;
import java.io.IOException;

/**
 * What a process does. Files are committed when a process is done with them and not in between,
 * because a simulation knows no commits either, and waits for none.
 */
interface Activity {
  /** Makes what it needs on the server, before the play begins. */
  void prepare() throws IOException;

  /** Does it, on the process's own thread; answers whether it was done before the play's end. */
  boolean play(Stage stage) throws IOException;

  /** The activity of a process with this workload. */
  static Activity of(Workplace place, Workload workload) {
    return switch (workload) {
      case Workload.Sequential sequential -> new SequentialActivity(place, sequential);
      case Workload.Bursts bursts -> new BurstActivity(place, bursts);
      case Workload.Phases phases -> new PhaseActivity(place, phases);
      case Workload.MetadataMix mix when mix.operationsPerSecond() == 0 ->
          new MetadataActivity(place, mix);
      case Workload.MetadataMix mix -> OpenLoopActivity.of(place, mix);
      case Workload.OpenLoop openLoop -> OpenLoopActivity.of(place, openLoop);
      case Workload.Replay replay -> new ReplayActivity(place, replay);
      case Workload.Recorded _ ->
          throw new IllegalArgumentException("recorded demand is for the simulator alone");
    };
  }
}
