package dev.sluice.core.period;

/**
 * How often an answer is right to within 15 %, judged by what is known of its rhythm.
 *
 * <p>A logistic curve. Its coefficients were fitted to answers about generated traces of all kinds,
 * asked at their ends and in their middles; a test holds it against others.
 */
final class Confidence {
  private static final double AT_NO_EVIDENCE = 0.27;

  /** Per unit of the logarithm of how unlikely chance is. */
  private static final double BY_EVIDENCE = 0.52;

  /** Beyond this, answers that are wrong are not wrong by chance. */
  private static final double EVIDENCE_MAX = 12;

  /** Per relative standard error of the mean: it may be off although the rhythm is real. */
  private static final double BY_ERROR = -20;

  private static final double ERROR_MAX = 0.12;

  /** Per cycle that the next burst is late. */
  private static final double BY_LATENESS = -2.3;

  /** For a rhythm that is not as old as what is remembered. */
  private static final double IF_CHANGED = -2;

  private Confidence() {}

  /** The confidence in an answer. */
  static double in(Candidate candidate, long nowNanos) {
    Rhythm rhythm = candidate.rhythm();
    double error = rhythm.variation() / Math.sqrt(rhythm.intervals());
    double lateness = Math.max(0, candidate.cyclesSinceLastBurst(nowNanos) - 1);
    double logOdds =
        AT_NO_EVIDENCE
            + BY_EVIDENCE * Math.min(-rhythm.logChance(), EVIDENCE_MAX)
            + BY_ERROR * Math.min(error, ERROR_MAX)
            + BY_LATENESS * lateness
            + (candidate.changed() ? IF_CHANGED : 0);
    return 1 / (1 + Math.exp(-logOdds));
  }
}
