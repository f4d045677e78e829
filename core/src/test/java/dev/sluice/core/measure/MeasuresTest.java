package dev.sluice.core.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MeasuresTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void throughputIsPerSecondOfTheWholeTime() {
    assertThat(Measures.throughputPerSecond(500, 2 * SECOND)).hasValue(250);
    assertThat(Measures.throughputPerSecond(0, SECOND)).hasValue(0);
    assertThat(Measures.throughputPerSecond(500, 0)).isEmpty();
  }

  @Test
  void effectiveBandwidthCountsOnlyTheTimeOfIo() {
    assertThat(Measures.effectiveBytesPerSecond(600, SECOND / 2)).hasValue(1_200);
    assertThat(Measures.effectiveBytesPerSecond(0, 0)).isEmpty();
  }

  @Test
  void aJobThatIsAloneHasStretchAndSlowdownOne() {
    SeededCases.forAll(
        2_000,
        random -> {
          long begin = random.nextLong(1L << 50);
          long compute = random.nextLong(1L << 40);
          long io = 1 + random.nextLong(1L << 40);
          long end = begin + compute + io;
          assertThat(Measures.stretch(begin, end, compute, io)).hasValue(1);
          assertThat(Measures.ioSlowdown(begin, end, compute, io)).hasValue(1);
        });
  }

  /** Compute time does not stretch, so it only dilutes: stretch lies between 1 and the slowdown. */
  @Test
  void stretchLiesBetweenOneAndTheSlowdown() {
    SeededCases.forAll(
        2_000,
        random -> {
          long compute = random.nextLong(1L << 40);
          long isolated = 1 + random.nextLong(1L << 40);
          long io = isolated + random.nextLong(1L << 42);
          double stretch = Measures.stretch(0, compute + io, compute, isolated).orElseThrow();
          double slowdown = Measures.ioSlowdown(0, compute + io, compute, isolated).orElseThrow();
          assertThat(stretch).isBetween(1.0, slowdown);
        });
  }

  @Test
  void aJobWithoutWorkHasNeitherStretchNorSlowdown() {
    assertThat(Measures.stretch(0, 10, 0, 0)).isEmpty();
    assertThat(Measures.ioSlowdown(0, 10, 10, 0)).isEmpty();
    assertThat(Measures.stretch(0, 10, 5, 0)).hasValue(2);
  }

  @Test
  void utilisationIsThePartOfTheTime() {
    assertThat(Measures.utilisation(SECOND, 4 * SECOND)).hasValue(0.25);
    assertThat(Measures.utilisation(0, SECOND)).hasValue(0);
    assertThat(Measures.utilisation(0, 0)).isEmpty();
    assertThat(Measures.computeUtilisation(new long[] {10, 30}, 40)).hasValue(0.5);
    assertThat(Measures.computeUtilisation(new long[0], 40)).isEmpty();
    assertThat(Measures.computeUtilisation(new long[] {0}, 0)).isEmpty();
  }

  @Test
  void jainsIndexIsOneExactlyWhereSharesFollowWeights() {
    SeededCases.forAll(
        2_000,
        random -> {
          double[] weights = positive(random, 1 + random.nextInt(50));
          double[] throughputs = Arrays.stream(weights).map(weight -> weight * 3e9).toArray();
          assertThat(jain(throughputs, weights)).isCloseTo(1, within(1e-12));
          if (weights.length > 1) {
            throughputs[random.nextInt(weights.length)] *= 1.5;
            assertThat(jain(throughputs, weights)).isLessThan(1 - 1e-6);
          }
        });
  }

  @Test
  void jainsIndexOfSomeWhoHaveAllIsTheirPart() {
    SeededCases.forAll(
        1_000,
        random -> {
          int all = 1 + random.nextInt(50);
          int some = 1 + random.nextInt(all);
          double[] throughputs = new double[all];
          Arrays.fill(throughputs, 0, some, 1 + random.nextDouble(1e12));
          double[] weights = new double[all];
          Arrays.fill(weights, 2);
          assertThat(jain(throughputs, weights)).isCloseTo((double) some / all, within(1e-12));
        });
  }

  @Test
  void jainsIndexStaysWithinItsBoundsAndKnowsNoUnit() {
    SeededCases.forAll(
        2_000,
        random -> {
          int size = 1 + random.nextInt(50);
          double[] throughputs = positive(random, size);
          double[] weights = positive(random, size);
          double index = jain(throughputs, weights);
          assertThat(index).isBetween(1.0 / size - 1e-12, 1 + 1e-12);
          double[] larger = Arrays.stream(throughputs).map(value -> value * 1e200).toArray();
          assertThat(jain(larger, weights)).isCloseTo(index, within(1e-9));
          double[] heavier = Arrays.stream(weights).map(value -> value * 7).toArray();
          assertThat(jain(throughputs, heavier)).isCloseTo(index, within(1e-9));
        });
  }

  @Test
  void jainsIndexSaysNothingWhereNobodyGotAnything() {
    assertThat(Measures.jainIndex(new double[3], new double[] {1, 1, 1})).isEmpty();
    assertThat(Measures.jainIndex(new double[0], new double[0])).isEmpty();
    assertThatThrownBy(() -> Measures.jainIndex(new double[1], new double[2]))
        .hasMessage("1 throughputs for 2 weights");
    assertThatThrownBy(() -> Measures.jainIndex(new double[1], new double[1]))
        .hasMessageContaining("a weight above 0 at 0");
  }

  @Test
  void theGeometricMeanLiesAmongItsValuesAndTurnsWithThem() {
    SeededCases.forAll(
        2_000,
        random -> {
          double[] values = positive(random, 1 + random.nextInt(50));
          double mean = Measures.geometricMean(values).orElseThrow();
          assertThat(mean)
              .isBetween(
                  Arrays.stream(values).min().orElseThrow() * (1 - 1e-12),
                  Arrays.stream(values).max().orElseThrow() * (1 + 1e-12));
          double[] turned = Arrays.stream(values).map(value -> 1 / value).toArray();
          assertThat(Measures.geometricMean(turned).orElseThrow() * mean)
              .isCloseTo(1, within(1e-9));
        });
  }

  @Test
  void theGeometricMeanOfTwoAndEightIsFour() {
    assertThat(Measures.geometricMean(new double[] {2, 8}).orElseThrow())
        .isCloseTo(4, within(1e-12));
    assertThat(Measures.geometricMean(new double[0])).isEmpty();
    assertThatThrownBy(() -> Measures.geometricMean(new double[] {1, 0}))
        .hasMessage("expected finite values above 0, not 0.0");
  }

  @Test
  void whatCannotBeIsRefused() {
    assertThatThrownBy(() -> Measures.stretch(10, 9, 0, 1)).hasMessage("the end 9 is before 10");
    assertThatThrownBy(() -> Measures.utilisation(-1, 9))
        .hasMessage("expected no negative busy time, not -1");
  }

  private static double jain(double[] throughputs, double[] weights) {
    return Measures.jainIndex(throughputs, weights).orElseThrow();
  }

  private static double[] positive(RandomGenerator random, int size) {
    return random.doubles(size, 0.01, 1_000).toArray();
  }
}
