package dev.sluice.core.schedule.sojourn;

import java.util.ArrayList;
import java.util.List;

/**
 * The first phases of jobs that nobody knows yet, and that move much. Where many of them come at
 * once they had better take turns than share: of n that are alike, turns end each sooner by {@code
 * (n-1)/2n} of the time on average, and one that never stops waits for a turn of each other at
 * most, once. Where they are few, sharing costs little, and who never stops loses nothing by it.
 *
 * <p>Who takes a turn has to be expected to come to something. Too much is better than too little:
 * among those that are expected to come to the same, the order is that of arrival.
 */
final class LongPhases {
  /** So many of them are many. */
  static final int MANY = 5;

  /** A phase that has had so much of the capacity, in seconds, moves much. */
  private static final long MUCH_SECONDS = 1;

  /** It is taken to come to so many times what it has had, while nobody knows better. */
  private static final long TIMES = 100;

  private final long mostTokens;
  private long muchTokens;

  /** Those in such a phase, some of which may be over. */
  private final List<PhaseQueue> together = new ArrayList<>();

  /** What phases came to whose size was guessed; 0 before the first. */
  private long typicalTokens;

  LongPhases(long tokensPerSecond, long mostTokens) {
    this.mostTokens = mostTokens;
    resize(tokensPerSecond);
  }

  /** The target serves so much from now on. */
  void resize(long tokensPerSecond) {
    muchTokens = MUCH_SECONDS * tokensPerSecond;
  }

  /** Whether a job that shares, and has more to do, had better take turns with others. */
  boolean isToTakeTurns(PhaseQueue queue, long nowNanos) {
    if (!queue.isLongOfUnknownSize(muchTokens, nowNanos)) {
      return false;
    }
    if (!queue.isAmongLong) {
      queue.isAmongLong = true;
      together.add(queue);
    }
    if (together.size() < MANY) {
      return false;
    }
    together.removeIf(one -> {
      one.isAmongLong = !one.isBetweenPhases(nowNanos);
      return !one.isAmongLong;
    });
    return together.size() >= MANY;
  }

  /** A job's phase is over, or the job is. */
  void leave(PhaseQueue queue) {
    if (queue.isAmongLong) {
      queue.isAmongLong = false;
      together.remove(queue);
    }
  }

  /**
   * What such a phase is taken to come to: about as much as others did of which that was not known,
   * and at least twice what it has had. Before the first of them is over it is in proportion to
   * what each has had, so that who has had least goes first: where sizes differ that is the right
   * one.
   */
  long guess(PhaseQueue queue) {
    long usual = typicalTokens == 0 ? TIMES * queue.servedTokens() : 3 * typicalTokens / 2;
    return Math.min(mostTokens, Math.max(usual, 2 * queue.servedTokens()));
  }

  /** A phase whose size was guessed came to this. */
  void cameTo(long tokens) {
    typicalTokens += typicalTokens == 0 ? tokens : (tokens - typicalTokens) / 4;
  }
}
