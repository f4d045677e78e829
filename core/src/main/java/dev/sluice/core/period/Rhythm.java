package dev.sluice.core.period;

import java.util.Arrays;

/**
 * The most recent stretch of a sequence of bursts in which they are evenly spaced.
 *
 * @param first the burst with which the stretch begins
 * @param intervals how many intervals there are between the bursts of the stretch
 * @param mean the mean length of a cycle
 * @param variation the coefficient of variation of the cycles' lengths
 * @param logChance the logarithm of a bound on the probability that chance made it so even
 */
record Rhythm(int first, int intervals, double mean, double variation, double logChance) {
  static final int INTERVALS_MIN = 2;

  /** After a change, two equal intervals are too often chance: there are many places to look at. */
  private static final int INTERVALS_MIN_AFTER_CHANGE = 3;

  /** What varies more is not called periodic, however long it goes on. */
  private static final double VARIATION_MAX = 0.32;

  /** The variance of a length, in squared bins, that is owed to the bins' width alone. */
  private static final double RESOLUTION_VARIANCE = 0.08;

  /** The variation of what comes before a change, if it is a rhythm too. */
  private static final double ORDER_TOLERANCE = 0.25;

  private static final double ORDER_SHARE = 0.65;

  /** A rhythm that arises out of disorder must be so much less likely chance. */
  private static final double LOG_DOUBT_AFTER_DISORDER = Math.log(30);

  /** A step between cycles that is smaller is no change. */
  private static final double STEP_MIN = 0.1;

  /** Nor is one of fewer standard errors. */
  private static final double STEP_ERRORS_MIN = 4;

  /**
   * The variance of the logarithm of a length that is taken for granted when steps are looked for.
   */
  private static final double LOG_VARIANCE_MIN = 0.0004;

  /** No rhythm: chance explains everything. */
  static final Rhythm NONE = new Rhythm(0, 0, 1, 1, 0);

  /**
   * The rhythm of a sequence of bursts.
   *
   * @param begins the bins in which they begin, with fractions
   * @param count how many of these there are
   * @param randomness the standard deviation that the intervals would have if bursts came at
   *     random, as a share of their mean
   */
  static Rhythm of(double[] begins, int count, double randomness) {
    if (count - 1 < INTERVALS_MIN) {
      return NONE;
    }
    Cycles plain = Cycles.between(begins, count);
    Rhythm best = mostEvenEnd(plain, randomness);
    Cycles filled = plain.filled();
    if (filled.missingFrom(0) > 0) {
      Rhythm withMissing = mostEvenEnd(filled, randomness);
      if (withMissing.logChance < best.logChance) {
        return withMissing.sinceLastStep(filled);
      }
    }
    return best.sinceLastStep(plain);
  }

  /** The same, but found after so many tries that chance is more likely. */
  Rhythm doubted(double logTries) {
    return new Rhythm(first, intervals, mean, variation, Math.min(0, logChance + logTries));
  }

  /** Of all ends of the sequence the one that chance explains least. */
  private static Rhythm mostEvenEnd(Cycles cycles, double randomness) {
    int all = cycles.size();
    double logTries = Math.log(Math.max(1, all - INTERVALS_MIN_AFTER_CHANGE));
    Moments moments = new Moments();
    Rhythm best = NONE;
    for (int first = all - 1; first >= 0; first--) {
      moments.add(cycles.length(first));
      int n = moments.count();
      boolean changed = first > 0;
      int missing = cycles.missingFrom(first);
      if (n < (changed ? INTERVALS_MIN_AFTER_CHANGE : INTERVALS_MIN)
          || missing * Cycles.INTERVALS_PER_MISSING > n
          // Only against an even rhythm does it show that bursts are missing.
          || moments.variation() > (missing > 0 ? VARIATION_MAX / 2 : VARIATION_MAX)) {
        continue;
      }
      double deviation = Math.sqrt(moments.variance() + RESOLUTION_VARIANCE);
      double logChance =
          Chance.log(n, deviation / (moments.mean() * randomness))
              + missing * Cycles.LOG_DOUBT_PER_MISSING
              + (changed ? logTries : 0);
      if (logChance < best.logChance) {
        best = new Rhythm(first, n, moments.mean(), moments.variation(), logChance);
      }
    }
    return best.arisesFromDisorder(cycles) ? best.doubted(LOG_DOUBT_AFTER_DISORDER) : best;
  }

  private boolean arisesFromDisorder(Cycles cycles) {
    // The interval just before the stretch is the change itself.
    int before = first - 1;
    if (before < INTERVALS_MIN_AFTER_CHANGE) {
      return false;
    }
    double[] lengths = new double[before];
    Arrays.setAll(lengths, cycles::length);
    Arrays.sort(lengths);
    double median = lengths[before / 2];
    long near =
        Arrays.stream(lengths)
            .filter(length -> Math.abs(length / median - 1) < ORDER_TOLERANCE)
            .count();
    return near < ORDER_SHARE * before;
  }

  /**
   * The same without what was before the cycles' lengths last changed for good: an even stretch may
   * begin before a small step, and then its mean is that of neither side.
   */
  private Rhythm sinceLastStep(Cycles cycles) {
    Rhythm now = this;
    while (now.intervals > INTERVALS_MIN_AFTER_CHANGE) {
      int step = clearestStep(now.first, cycles);
      if (step <= now.first) {
        break;
      }
      Moments moments = new Moments();
      for (int i = step; i < cycles.size(); i++) {
        moments.add(cycles.length(i));
      }
      now = new Rhythm(step, moments.count(), moments.mean(), moments.variation(), logChance);
    }
    return now;
  }

  /** Where the mean length changes most clearly from one to another; {@code first} if nowhere. */
  private static int clearestStep(int first, Cycles cycles) {
    Moments all = new Moments();
    for (int i = first; i < cycles.size(); i++) {
      all.add(Math.log(cycles.length(i)));
    }
    Moments left = new Moments();
    int clearest = first;
    double most = STEP_ERRORS_MIN;
    for (int i = first; i < cycles.size() - INTERVALS_MIN_AFTER_CHANGE; i++) {
      left.add(Math.log(cycles.length(i)));
      if (left.count() < 2) {
        continue;
      }
      Moments right = all.without(left);
      double step = Math.abs(right.mean() - left.mean());
      double within = left.squaredDeviations() + right.squaredDeviations();
      double variance = within / (all.count() - 2) + LOG_VARIANCE_MIN;
      double errors = step / Math.sqrt(variance * (1.0 / left.count() + 1.0 / right.count()));
      if (step > STEP_MIN && errors > most) {
        most = errors;
        clearest = i + 1;
      }
    }
    return clearest;
  }
}
