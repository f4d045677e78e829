package dev.sluice.core.policy.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.policy.Observation;
import org.junit.jupiter.api.Test;

class PeriodsPassedTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void whoLooksLateSeesSeveralPeriods() {
    PeriodsPassed passed = new PeriodsPassed(SECOND);
    assertThat(passed.lookNanos(700 * SECOND)).as("the first time").isEqualTo(SECOND);
    assertThat(passed.lookNanos(701 * SECOND)).isEqualTo(SECOND);
    assertThat(passed.lookNanos(701 * SECOND)).as("at once again").isEqualTo(SECOND);
    assertThat(passed.lookNanos(702 * SECOND + SECOND / 3)).isEqualTo(SECOND);
    assertThat(passed.lookNanos(705 * SECOND)).isEqualTo(3 * SECOND);
  }

  @Test
  void noMoreThanAnHour() {
    PeriodsPassed passed = new PeriodsPassed(7 * SECOND);
    assertThat(passed.lookNanos(0)).isEqualTo(7 * SECOND);
    assertThat(passed.lookNanos(100_000 * SECOND)).isEqualTo(514 * 7 * SECOND);
    PeriodsPassed hours = new PeriodsPassed(Observation.PERIOD_NANOS_MAX);
    assertThat(hours.lookNanos(0)).isEqualTo(Observation.PERIOD_NANOS_MAX);
    assertThat(hours.lookNanos(Long.MAX_VALUE / 2)).isEqualTo(Observation.PERIOD_NANOS_MAX);
  }
}
