package dev.sluice.sim.workload;

import dev.sluice.sim.scenario.Workload;

/** What a process does, from its beginning until it tells the process that it is done. */
interface Activity {
  /** It begins. */
  void begin(long nowNanos);

  /** The instant it wanted to be woken at has come. */
  void wake(long nowNanos);

  /** One of the process's requests is complete. */
  void proceed(long nowNanos);

  /** Whether it sends no more requests at once than the process's window. */
  default boolean isClosedLoop() {
    return true;
  }

  /** The activity of a process with this workload. */
  static Activity of(SimProcess process, Workload workload) {
    return switch (workload) {
      case Workload.Sequential sequential -> new SequentialActivity(process, sequential);
      case Workload.Bursts bursts -> new BurstActivity(process, bursts);
      case Workload.Phases phases -> new PhaseActivity(process, phases);
      case Workload.MetadataMix mix when mix.operationsPerSecond() == 0 ->
          new MetadataActivity(process, mix);
      case Workload.MetadataMix mix -> OpenLoopActivity.of(process, mix);
      case Workload.OpenLoop openLoop -> OpenLoopActivity.of(process, openLoop);
      case Workload.Replay replay -> new ReplayActivity(process, replay);
      case Workload.Recorded recorded -> new RecordedActivity(process, recorded);
    };
  }
}
