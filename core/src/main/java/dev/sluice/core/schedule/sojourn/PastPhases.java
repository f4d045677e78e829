package dev.sluice.core.schedule.sojourn;

/**
 * What a job's phases of I/O were like, and so what the next will be like.
 *
 * <p>A size is expected only of who keeps to it: once two phases in a row differ by more than a
 * factor of {@link #ALIKE}, nothing is until two are alike again. What somebody told counts in
 * place of what was seen, as long as the last phase was not that far from it: who tells less than
 * is true is believed once.
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

  /**
   * A phase of so much is over, and so long after it the next began.
   *
   * @param bulk whether the job kept requests waiting throughout; of one that sends now and then no
   *     size is expected, for what it wants is an answer and not an end
   */
  void note(long tokens, long gapNanos, boolean bulk) {
    regular = bulk && (count == 0 || areAlike(tokens, lastTokens));
    // After a change nothing of what was before counts.
    meanTokens = count == 0 || !regular ? tokens : meanTokens + (tokens - meanTokens) / 2;
    meanGapNanos = count == 0 ? gapNanos : meanGapNanos + (gapNanos - meanGapNanos) / 2;
    lastTokens = tokens;
    count++;
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
    if (toldTokens > 0 && (count == 0 || areAlike(toldTokens, lastTokens))) {
      return toldTokens;
    }
    return count > 0 && regular ? meanTokens : NOTHING;
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
