package dev.sluice.jobs.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class PollScheduleTest {
  private static final long SECOND = 1_000_000_000;
  private static final long PERIOD = 30 * SECOND;

  @Test
  void onceAPeriodWhileItAnswersAtOnce() {
    PollSchedule schedule = new PollSchedule(PERIOD, 5);
    assertThat(schedule.nanosLeft(5)).isZero();
    schedule.answered(5, 5 + SECOND / 10);
    assertThat(schedule.nanosLeft(5 + SECOND / 10)).isEqualTo(PERIOD - SECOND / 10);
  }

  @Test
  void everMoreSeldomWhileItDoesNotAnswer() {
    PollSchedule schedule = new PollSchedule(PERIOD, 0);
    for (long factor : new long[] {1, 2, 4, 8, 16, 16, 16}) {
      schedule.failed(0, 0);
      assertThat(schedule.nanosLeft(0)).isEqualTo(factor * PERIOD);
    }
    assertThat(schedule.failures()).isEqualTo(7);
    schedule.answered(0, 0);
    assertThat(schedule.nanosLeft(0)).isEqualTo(PERIOD);
    schedule.askSoon(3);
    assertThat(schedule.nanosLeft(3)).isZero();
  }

  @Test
  void whoDoesNotAnswerMayBeAskedAgainSooner() {
    PollSchedule schedule = new PollSchedule(PERIOD, SECOND, 0);
    schedule.failed(0, 0);
    assertThat(schedule.nanosLeft(0)).isEqualTo(SECOND);
    schedule.failed(0, 0);
    assertThat(schedule.nanosLeft(0)).isEqualTo(2 * SECOND);
    schedule.answered(0, 0);
    assertThat(schedule.nanosLeft(0)).isEqualTo(PERIOD);
  }

  /** However slow the answers are and whether they come, asking takes a small part of the time. */
  @Test
  void askingTakesASmallPartOfTheTime() {
    SeededCases.forAll(
        1_000,
        random -> {
          long period = random.nextLong(SECOND, 3_600 * SECOND);
          PollSchedule schedule = new PollSchedule(period, 0);
          long now = 0;
          for (int call = 0; call < 50; call++) {
            long end = now + random.nextLong(60 * SECOND);
            if (random.nextBoolean()) {
              schedule.answered(now, end);
            } else {
              schedule.failed(now, end);
            }
            long next = end + schedule.nanosLeft(end);
            assertThat(next - now).isGreaterThanOrEqualTo(period);
            assertThat(next - end).isGreaterThanOrEqualTo(PollSchedule.REST_FACTOR * (end - now));
            now = next;
          }
        });
  }
}
