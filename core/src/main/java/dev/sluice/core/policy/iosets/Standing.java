package dev.sluice.core.policy.iosets;

import dev.sluice.core.schedule.iosets.IoSetsScheduler;

/** Where a job stands: which set it is in, and why. */
sealed interface Standing {
  /** The weight that its priority has in the scheduler; jobs with equal weights are a set. */
  long weight();

  /** Nothing is known of it yet: a set of its own, a little different from all others. */
  record Alone(int number) implements Standing {
    @Override
    public long weight() {
      return IoSetsScheduler.UNLISTED_WEIGHT + number;
    }
  }

  /**
   * A period was found.
   *
   * @param index i of S_i
   * @param periodSeconds what was seen last
   */
  record Member(int index, long weight, double periodSeconds, double confidence)
      implements Standing {}

  /**
   * No period was found, but a phase was so long that its set, or a later one, must be the one.
   *
   * @param index i of S_i
   */
  record NotBefore(int index, long weight, double phaseSeconds) implements Standing {}

  /** Somebody gave it this priority. */
  record Given(double priority) implements Standing {
    @Override
    public long weight() {
      return SetMapping.weight(priority);
    }
  }
}
