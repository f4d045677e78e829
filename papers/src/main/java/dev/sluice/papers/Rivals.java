package dev.sluice.papers;

import java.util.Arrays;

/**
 * Two figures of a claim, ours and a rival's, that are held against each other over all seeds.
 *
 * <p>A seed is one draw of arrivals, and both play the same draw. Where the rival itself differs by
 * more from draw to draw than ours is behind it, the two cannot be told apart by so few draws. So
 * ours is as good <em>within the spread</em> if both are so:
 *
 * <ul>
 *   <li>the median of ours is no worse than the worst that the rival has with any seed;
 *   <li>the median of what ours is better by with the same seed is at least minus half of the
 *       distance between the rival's least and most.
 * </ul>
 *
 * <p>The second is over pairs, so that a draw that is hard for both does not count for either. Half
 * a range of five is about what one more draw differs by from their middle. A test of significance
 * would be softer: of five pairs, none but five losses are significant.
 *
 * <p>Theorem. Who is no worse with any seed is as good within the spread; and with one seed, or a
 * rival that always has the same, within the spread is no worse in the median.
 *
 * @param ours the name of our figure
 * @param theirs the name of the rival's
 * @param lessIsBetter whether the smaller wins
 */
public record Rivals(String ours, String theirs, boolean lessIsBetter) {
  /** Half a digit of the last that any figure has, so that sums of decimals do not decide. */
  private static final double ROUNDING = 5e-6;

  /** What it means, for people. */
  public static final String MEANING =
      "the median of ours is no worse than the worst that theirs has with any seed, and with the"
          + " same seed ours is, in the median, behind by no more than half of the distance between"
          + " theirs least and most";

  /** Both in the order of the seeds. */
  boolean areAlike(double[] our, double[] their) {
    double sign = lessIsBetter ? -1 : 1;
    double[] better = new double[our.length];
    double[] ranked = new double[our.length];
    double[] rival = new double[our.length];
    for (int i = 0; i < our.length; i++) {
      better[i] = sign * (our[i] - their[i]);
      ranked[i] = sign * our[i];
      rival[i] = sign * their[i];
    }
    Arrays.sort(rival);
    double half = (rival[rival.length - 1] - rival[0]) / 2;
    return median(ranked) >= rival[0] - ROUNDING && median(better) >= -half - ROUNDING;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
  }
}
