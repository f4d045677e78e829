package dev.sluice.core.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ChanceTest {
  private static final int SAMPLES = 20_000;

  @Test
  void theBoundIsHowOftenRandomMomentsAreAsEven() {
    SeededCases.forAll(
        20,
        random -> {
          int intervals = random.nextInt(2, 9);
          double inside = Math.sqrt(intervals) / (intervals - 1);
          double variation = random.nextDouble(0.3, 1) * Math.min(1, inside);
          double expected = Math.exp(Chance.log(intervals, variation));
          double error = Math.sqrt(expected * (1 - expected) / SAMPLES);
          assertThat(share(intervals, variation, random))
              .as("%d intervals, variation %f", intervals, variation)
              .isCloseTo(expected, within(5 * error + 1e-9));
        });
  }

  @Test
  void beyondTheSimplexItIsStillABound() {
    SeededCases.forAll(
        20,
        random -> {
          int intervals = random.nextInt(4, 12);
          double variation = random.nextDouble(0.5, 1.2);
          double bound = Math.exp(Chance.log(intervals, variation));
          assertThat(share(intervals, variation, random)).isLessThanOrEqualTo(bound + 0.02);
        });
  }

  @Test
  void moreIntervalsAndMoreEvenOnesAreLessLikely() {
    for (int intervals = 3; intervals < LoadHistory.BINS; intervals++) {
      assertThat(Chance.log(intervals, 0.1)).isLessThan(Chance.log(intervals - 1, 0.1));
      assertThat(Chance.log(intervals, 0.1)).isLessThan(Chance.log(intervals, 0.11));
    }
  }

  private static double share(int intervals, double variation, RandomGenerator random) {
    int even = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
      Moments moments = new Moments();
      for (int i = 0; i < intervals; i++) {
        moments.add(-Math.log(1 - random.nextDouble()));
      }
      even += moments.variation() <= variation ? 1 : 0;
    }
    return (double) even / SAMPLES;
  }
}
