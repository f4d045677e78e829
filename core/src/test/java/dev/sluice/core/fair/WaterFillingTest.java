package dev.sluice.core.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class WaterFillingTest {
  @Test
  void whatAFullOneCannotTakeGoesToTheOthers() {
    double[] parts = new double[3];
    WaterFilling.divide(3, new double[] {1, 1, 2}, new long[] {1, 10, 10}, 10, parts);
    assertThat(parts).containsExactly(1, 3, 6);
  }

  @Test
  void moreThanFitsFillsEverybody() {
    double[] parts = new double[2];
    WaterFilling.divide(2, new double[] {1, 5}, new long[] {3, 4}, 100, parts);
    assertThat(parts).containsExactly(3, 4);
    WaterFilling.divide(2, new double[] {1, 5}, new long[] {3, 4}, 7, parts);
    assertThat(parts).as("exactly what fits").containsExactly(3, 4);
  }

  /** The theorem above {@link WaterFilling#divide}. */
  @Test
  void thereIsOneLevelAndTheSumIsRight() {
    SeededCases.forAll(
        20_000,
        random -> {
          int n = random.nextInt(1, 50);
          double[] weights = random.doubles(n, 1e-6, 1 << random.nextInt(1, 20)).toArray();
          long[] caps = random.longs(n, 0, 1 << random.nextInt(1, 20)).toArray();
          double capsSum = Arrays.stream(caps).sum();
          double total = capsSum * random.nextDouble() * 1.2;
          double[] parts = new double[n];
          WaterFilling.divide(n, weights, caps, total, parts);

          double expected = Math.min(total, capsSum);
          assertThat(Arrays.stream(parts).sum()).isCloseTo(expected, within(1e-9 * capsSum + 1e-9));
          double level = 0;
          for (int i = 0; i < n; i++) {
            assertThat(parts[i]).isLessThanOrEqualTo((double) caps[i]);
            level = Math.max(level, parts[i] / weights[i]);
          }
          for (int i = 0; i < n; i++) {
            assertThat(parts[i])
                .isCloseTo(
                    Math.min((double) caps[i], level * weights[i]), within(1e-6 * level + 1e-6));
          }
        });
  }

  /** The theorem above {@link WaterFilling#between}. */
  @Test
  void betweenFloorsAndCeilingsThereIsOneLevelToo() {
    SeededCases.forAll(
        20_000,
        random -> {
          int n = random.nextInt(1, 30);
          double[] weights = random.doubles(n, 1e-3, 1 << random.nextInt(1, 20)).toArray();
          double[] floors = random.doubles(n, 0, 1 << random.nextInt(1, 20)).toArray();
          double[] ceilings = new double[n];
          for (int i = 0; i < n; i++) {
            floors[i] *= random.nextInt(2);
            ceilings[i] = floors[i] + random.nextInt(3) * random.nextDouble() * 1_000;
          }
          double least = Arrays.stream(floors).sum();
          double most = Arrays.stream(ceilings).sum();
          double total = least + random.nextDouble() * 1.2 * (most - least);
          double[] parts = WaterFilling.between(weights, floors, ceilings, total);

          assertThat(Arrays.stream(parts).sum())
              .isCloseTo(Math.min(total, most), within(1e-9 * most + 1e-9));
          double level = 0;
          for (int i = 0; i < n; i++) {
            assertThat(parts[i]).isBetween(floors[i], ceilings[i]);
            level = parts[i] > floors[i] ? Math.max(level, parts[i] / weights[i]) : level;
          }
          for (int i = 0; i < n; i++) {
            assertThat(parts[i])
                .isGreaterThanOrEqualTo(
                    Math.min(ceilings[i], level * weights[i]) * (1 - 1e-9) - 1e-6);
          }
        });
  }

  /** Of a level that is found by division a part can be a rounding more than its floor, or less. */
  @Test
  void whatIsExactlyEnoughForFloorsOrCeilingsGivesTheseToTheLastBit() {
    assertThat(7.0 / 25 * 25).isGreaterThan(7);
    assertThat(
            WaterFilling.between(
                new double[] {25, 1}, new double[] {7, 3}, new double[] {20, 20}, 10))
        .containsExactly(7, 3);
    assertThat(1.0 / 49 * 49).isLessThan(1);
    assertThat(
            WaterFilling.between(
                new double[] {49, 49}, new double[] {0, 0}, new double[] {1, 1}, 2))
        .containsExactly(1, 1);
  }
}
