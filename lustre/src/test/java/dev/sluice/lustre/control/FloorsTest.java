package dev.sluice.lustre.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FloorsTest {
  @Test
  void nobodyIsBelowTheFloorAndTheSumStaysWhatItWas() {
    SeededCases.forAll(
        2_000,
        random -> {
          double[] before = new double[random.nextInt(1, 60)];
          for (int i = 0; i < before.length; i++) {
            before[i] = random.nextInt(3) == 0 ? 0 : random.nextDouble(200);
          }
          double budget = random.nextDouble(4_000);
          double floor = random.nextDouble(30);
          double[] after = before.clone();
          double least = Floors.raise(after, floor, budget);

          double sum = Arrays.stream(before).sum();
          assertThat(least).isLessThanOrEqualTo(floor);
          assertThat(Arrays.stream(after).sum())
              .isLessThanOrEqualTo(Math.max(sum, budget) * (1 + 1e-9));
          if (sum >= budget) {
            assertThat(Arrays.stream(after).sum()).isCloseTo(sum, within(1e-6 * (1 + sum)));
          }
          for (int i = 0; i < after.length; i++) {
            assertThat(after[i]).isGreaterThanOrEqualTo(least * (1 - 1e-9));
            if (before[i] > least) {
              assertThat(after[i]).isLessThanOrEqualTo(before[i] * (1 + 1e-9));
            }
          }
        });
  }
}
