package dev.sluice.papers.padll;

import dev.sluice.sim.engine.Seeds;
import java.util.SplittableRandom;

/**
 * The metadata operations that the paper's jobs replay, second by second, all jobs together.
 *
 * <p>The paper's trace is not public. What is known of it fixes this one: it lasts 36 minutes, is
 * volatile, and follows from three completion times. Job 4 of scenario 2, 45 % of it, needs 53
 * minutes at 27.5 kops/s, so its mean is 90 kops/s. The same job needs only two minutes more than
 * the trace lasts at 40 kops/s, so it begins below its mean. And job 1 of scenario 1 has had so
 * much by minute 9 under proportional sharing that a burst must come before. Everything else is
 * drawn.
 */
public final class LoadCurve {
  /** How long it lasts. */
  public static final int SECONDS = 36 * 60;

  /** How long each part of it lasts, and its mean. */
  private static final int[] PART_SECONDS = {5 * 60, 60, 30 * 60};

  private static final double[] PART_MEANS = {61_000, 250_000, 89_500};

  /** A level holds for so long. */
  private static final int LEVEL_SECONDS_MIN = 10;

  private static final int LEVEL_SECONDS_MAX = 60;

  /** How far levels, and the seconds of one level, are apart, as deviations of logarithms. */
  private static final double LEVEL_DEVIATION = 0.6;

  private static final double SECOND_DEVIATION = 0.25;

  /** Operations until the end of each second. */
  private final long[] sums;

  private LoadCurve(long[] sums) {
    this.sums = sums;
  }

  /** Drawn from a seed. */
  public static LoadCurve drawn(long seed) {
    double[] shape = shape(Seeds.random(seed, "metadata load"));
    long[] sums = new long[SECONDS];
    double sum = 0;
    int begin = 0;
    for (int part = 0; part < PART_SECONDS.length; part++) {
      int end = begin + PART_SECONDS[part];
      double drawn = 0;
      for (int second = begin; second < end; second++) {
        drawn += shape[second];
      }
      for (int second = begin; second < end; second++) {
        sum += shape[second] / drawn * PART_MEANS[part] * PART_SECONDS[part];
        sums[second] = Math.round(sum);
      }
      begin = end;
    }
    return new LoadCurve(sums);
  }

  private static double[] shape(SplittableRandom random) {
    double[] shape = new double[SECONDS];
    int second = 0;
    while (second < SECONDS) {
      double level = StrictMath.exp(LEVEL_DEVIATION * random.nextGaussian());
      int end = second + random.nextInt(LEVEL_SECONDS_MIN, LEVEL_SECONDS_MAX + 1);
      for (; second < Math.min(end, SECONDS); second++) {
        shape[second] = level * StrictMath.exp(SECOND_DEVIATION * random.nextGaussian());
      }
    }
    return shape;
  }

  /** A part of the operations of a second, so that the parts of all seconds lose nothing. */
  public long operations(double part, int second) {
    return second >= SECONDS ? 0 : Math.round(part * sums[second]) - before(part, second);
  }

  private long before(double part, int second) {
    return second == 0 ? 0 : Math.round(part * sums[second - 1]);
  }
}
