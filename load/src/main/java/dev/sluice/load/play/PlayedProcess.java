package dev.sluice.load.play;

import dev.sluice.sim.engine.Seeds;
import dev.sluice.sim.scenario.ProcessGroup;
import java.io.IOException;
import java.util.SplittableRandom;

/**
 * One process of a job: a sequential client with a window. It draws its random numbers as the
 * simulator's process does, so that both begin and pause at the same times.
 */
final class PlayedProcess {
  private final ProcessGroup group;
  private final Workplace place;
  private final SplittableRandom random;
  private final PlayedWorkload workload;

  /**
   * A process.
   *
   * @param name by which the simulator knows it too
   */
  PlayedProcess(String name, ProcessGroup group, Workplace place, long seed) {
    this.group = group;
    this.place = place;
    this.random = Seeds.random(seed, name);
    this.workload = PlayedWorkload.of(place, group.workload());
  }

  void prepare() throws IOException {
    workload.prepare();
  }

  /** Plays from its job's start on; answers whether it was done before the play's end. */
  boolean play(PlayTime time, JobAccount account, PhaseBarrier barrier, long startNanos)
      throws IOException {
    Requests requests = new Requests(group.window(), account, time);
    long beginNanos = startNanos + group.beginsAfterNanos(random);
    try {
      return time.sleepUntil(beginNanos)
          && workload.play(new Stage(time, account, barrier, requests, random));
    } finally {
      requests.awaitAll();
    }
  }

  long verify() throws IOException {
    return place.verify();
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
