package dev.sluice.core.period;

/**
 * A rhythm that is hardly chance, seen in one view.
 *
 * @param changed whether there were bursts before it that do not belong to it
 * @param firstBeginNanos when its first burst began
 * @param lastBeginNanos when its last burst began
 * @param lastEndNanos when its last burst ended, or how far it has come
 */
record Candidate(
    View view,
    Rhythm rhythm,
    double periodNanos,
    boolean changed,
    long firstBeginNanos,
    long lastBeginNanos,
    long lastEndNanos) {
  double logChance() {
    return rhythm.logChance();
  }

  /** How many cycles have passed since the last burst began. */
  double cyclesSinceLastBurst(long nowNanos) {
    return (nowNanos - lastBeginNanos) / periodNanos;
  }
}
