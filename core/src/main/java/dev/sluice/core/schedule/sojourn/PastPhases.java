package dev.sluice.core.schedule.sojourn;

/**
 * What a job's phases of I/O were like, and so what the next will be like.
 *
 * <p>A size is expected only of who keeps to it: once two phases in a row differ by more than a
 * factor of {@link #ALIKE}, nothing is until two are alike again. What somebody told counts in
 * place of what was seen, as long as the last phase was not that far from it and what was seen did
 * not come closer of late: who tells less than is true is believed once, or where it is not much
 * less twice.
 *
 * <p>Small phases are no part of this. Who mounts, makes files, looks whether something is there or
 * adds a line to a log between two checkpoints has checkpoints as large as before.
 */
final class PastPhases {
  /** Phases are alike if neither has more than so many times the tokens of the other. */
  static final long ALIKE = 2;

  private static final long NOTHING = 0;

  private long count;
  private long lastTokens;
  private long meanTokens;
  private boolean regular;
  private long meanGapNanos;

  /** By how much its phases took longer than alone, the last most and each before half as much. */
  private long delayNanos;

  /** How long its cycles would have been without that, weighed in the same way. */
  private long cyclesNanos;

  /** By how much what was told, and what was seen before, missed what came, of late. */
  private long toldMissTokens;

  private long seenMissTokens;

  /**
   * A phase of so much is over, and so long after it the next began.
   *
   * @param toldTokens what somebody had said that it would come to; 0 where nobody had
   * @param bulk whether the job kept requests waiting throughout; of one that sends now and then no
   *     size is expected, for what it wants is an answer and not an end
   */
  void note(long tokens, long toldTokens, long gapNanos, boolean bulk) {
    if (count > 0) {
      seenMissTokens += (Math.abs(tokens - meanTokens) - seenMissTokens) / 2;
    }
    if (toldTokens > 0) {
      toldMissTokens += (Math.abs(tokens - toldTokens) - toldMissTokens) / 2;
    }
    regular = bulk && (count == 0 || areAlike(tokens, lastTokens));
    // After a change nothing of what was before counts.
    meanTokens = count == 0 || !regular ? tokens : meanTokens + (tokens - meanTokens) / 2;
    meanGapNanos = count == 0 ? gapNanos : meanGapNanos + (gapNanos - meanGapNanos) / 2;
    lastTokens = tokens;
    count++;
  }

  /** The time to the next phase was longer by this: what began then was small. */
  void goesOnPausing(long nanos) {
    meanGapNanos += count > 1 ? nanos / 2 : count * nanos;
    cyclesNanos += count > 0 ? nanos / 2 : 0;
  }

  /**
   * A phase took so much longer than alone.
   *
   * @param cycleNanos from its beginning to that of the next, but for that
   */
  void noteDelay(long delay, long cycleNanos) {
    delayNanos = (delayNanos + delay) / 2;
    cyclesNanos = (cyclesNanos + cycleNanos) / 2;
  }

  /** By how much its last phases were late: half of the last, a quarter of the one before. */
  long delayNanos() {
    return delayNanos;
  }

  /** How long the cycles were, without delays, that {@link #delayNanos} is of. */
  long cyclesNanos() {
    return cyclesNanos;
  }

  private static boolean areAlike(long one, long other) {
    return Math.max(one, other) <= ALIKE * Math.min(one, other);
  }

  /**
   * What the next phase will come to; 0 where nobody knows.
   *
   * @param toldTokens what somebody said; 0 where nobody did
   */
  long expectedTokens(long toldTokens) {
    if (toldTokens > 0 && (count == 0 || areAlike(toldTokens, lastTokens)) && !hasSeenCloser()) {
      return toldTokens;
    }
    return regular ? meanTokens : NOTHING;
  }

  /** Whether what was seen before came closer to what came than what was told. */
  private boolean hasSeenCloser() {
    return count > 1 && regular && seenMissTokens < toldMissTokens;
  }

  /** Whether no phase is over yet. */
  boolean isEmpty() {
    return count == 0;
  }

  /** How long it does something else between two phases; 0 where that is not known. */
  long gapNanos() {
    return meanGapNanos;
  }
}
