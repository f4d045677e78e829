package dev.sluice.core.period;

/**
 * How likely it is that a rhythm is none: that bursts which come at random, one independent of the
 * other, are as evenly spaced as those that were seen.
 *
 * <p>Theorem. Let n intervals be what random moments (a Poisson process) cut their sum into. Then
 * divided by their mean they are evenly distributed over the simplex of n positive numbers with sum
 * n, whose (n−1)-dimensional volume is √n · n^(n−1) / (n−1)!. Those whose coefficient of variation
 * is at most c are in a ball around its centre, of radius c · √(n−1). So the probability of a
 * coefficient of at most c is at most the ratio of these volumes, and is equal to it as long as the
 * ball is inside the simplex.
 */
final class Chance {
  /** Nothing is measured more exactly, and no rhythm is more even than this. */
  private static final double VARIATION_MIN = 0.005;

  private static final double[] LOG_FACTORS = logFactors(LoadHistory.BINS);

  private Chance() {}

  /** The natural logarithm of a bound on the probability. */
  static double log(int intervals, double variation) {
    return Math.min(
        0, LOG_FACTORS[intervals] + (intervals - 1) * Math.log(Math.max(variation, VARIATION_MIN)));
  }

  /** For each number of intervals the logarithm of the bound at a coefficient of variation of 1. */
  private static double[] logFactors(int intervalsMax) {
    double[] factors = new double[intervalsMax + 1];
    double logFactorial = 0;
    double logGammaOfEven = 0;
    double logGammaOfOdd = Math.log(Math.PI) / 2;
    for (int n = 2; n <= intervalsMax; n++) {
      int k = n - 1;
      logFactorial += Math.log(k);
      // Γ(k/2 + 1) = k/2 · Γ(k/2), from Γ(1) = 1 for even k and Γ(1/2) = √π for odd ones.
      double logGamma;
      if (k % 2 == 0) {
        logGammaOfEven += Math.log(k / 2.0);
        logGamma = logGammaOfEven;
      } else {
        logGammaOfOdd += Math.log(k / 2.0);
        logGamma = logGammaOfOdd;
      }
      double logBall = k / 2.0 * Math.log(Math.PI * k) - logGamma;
      double logSimplex = Math.log(n) / 2 + k * Math.log(n) - logFactorial;
      factors[n] = logBall - logSimplex;
    }
    return factors;
  }
}
