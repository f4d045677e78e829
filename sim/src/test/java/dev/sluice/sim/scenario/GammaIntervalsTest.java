package dev.sluice.sim.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GammaIntervalsTest {
  private static final int DRAWS = 200_000;
  private static final long MEAN = 1_000_000_000_000L;

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.5, 1, 2, 10})
  void meanAndDeviationAreThoseOfTheDistribution(double shape) {
    GammaIntervals intervals = new GammaIntervals(MEAN, shape, new SplittableRandom(3));
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < DRAWS; i++) {
      double parts = (double) intervals.nextNanos() / MEAN;
      sum += parts;
      squares += parts * parts;
    }
    double mean = sum / DRAWS;
    assertThat(mean).isCloseTo(1, withinPercentage(2));
    assertThat(Math.sqrt(squares / DRAWS - mean * mean))
        .isCloseTo(1 / Math.sqrt(shape), withinPercentage(3));
  }

  /** Shapes of one mean and deviation differ in the tail; this tells a Gamma from a normal one. */
  @Test
  void theExponentialHasItsMedian() {
    GammaIntervals intervals = new GammaIntervals(MEAN, 1, new SplittableRandom(3));
    long[] sorted = LongStream.generate(intervals::nextNanos).limit(DRAWS).sorted().toArray();
    assertThat((double) sorted[DRAWS / 2] / MEAN).isCloseTo(Math.log(2), withinPercentage(2));
  }

  @Test
  void noIntervalIsNothing() {
    GammaIntervals intervals = new GammaIntervals(1, 0.01, new SplittableRandom(3));
    for (int i = 0; i < 1_000; i++) {
      assertThat(intervals.nextNanos()).isPositive();
    }
  }
}
