package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class VirtualStepsTest {
  @Test
  void whatIsCutOffAStepIsPartOfTheNext() {
    VirtualSteps steps = new VirtualSteps();
    long weight = 2 * FairDates.PARTS / 3;
    assertThat(steps.step(1, weight)).isEqualTo(1);
    assertThat(steps.step(1, weight)).isEqualTo(2);
    assertThat(steps.step(-1, weight)).as("given back").isEqualTo(-2);
    assertThat(steps.step(1, weight)).isEqualTo(2);
  }

  @Test
  void whatIsCarriedIsTheSamePartOfAPartAtAnotherWeight() {
    VirtualSteps steps = new VirtualSteps();
    assertThat(steps.step(1, 2 * FairDates.PARTS)).isZero();
    assertThat(steps.step(1, 4 * FairDates.PARTS)).isZero();
    assertThat(steps.step(1, 4 * FairDates.PARTS)).isEqualTo(1);
  }

  @Test
  void itIsSoForThoseOfAMillionJobsTogether() {
    VirtualSteps steps = new VirtualSteps();
    long weight = 1L << 41;
    assertThat(steps.step(3L << 19, weight)).isZero();
    assertThat(steps.step(3L << 19, 2 * weight))
        .as("three quarters, and three eighths")
        .isEqualTo(1);
  }

  /** The theorem. */
  @Test
  void allStepsTogetherAreWhatAllTokensAre() {
    SeededCases.forAll(
        2_000,
        random -> {
          VirtualSteps steps = new VirtualSteps();
          long weight = random.nextLong(1, 1 << 20);
          double exact = 0;
          long sum = 0;
          int changes = 0;
          for (int i = 0; i < 200; i++) {
            if (random.nextInt(20) == 0) {
              weight = random.nextLong(1 << 10, 1 << 20);
              changes++;
            }
            long tokens = random.nextLong(-2, 10);
            sum += steps.step(tokens, weight);
            exact += (double) tokens * FairDates.PARTS / weight;
            assertThat((double) sum)
                .isLessThanOrEqualTo(exact + 1e-3)
                .isGreaterThan(exact - 1 - changes / 1_024.0 - 1e-3);
          }
        });
  }
}
