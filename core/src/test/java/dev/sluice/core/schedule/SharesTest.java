package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Observation;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SharesTest {
  @Test
  void whatIsDividedFitsAndIsNotLost() {
    SeededCases.forAll(3_000, SharesTest::checkDivision);
  }

  private static void checkDivision(RandomGenerator random) {
    int count = random.nextInt(1, 200);
    long periodNanos =
        Math.clamp((long) Math.pow(10, random.nextDouble(6, 13)), 1, Observation.PERIOD_NANOS_MAX);
    double budget = Math.pow(10, random.nextDouble(0, 11)) * periodNanos / 1e9;
    double[] given = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      given[i] = random.nextDouble();
      sum += given[i];
    }
    boolean isAll = random.nextBoolean();
    double part = isAll ? 1 : random.nextDouble();
    for (int i = 0; i < count; i++) {
      given[i] *= part * budget / sum;
    }
    Shares shares =
        Shares.dividing(budget, jobs(count), given.clone(), weights(count), periodNanos);
    double total = 0;
    for (int i = 0; i < count; i++) {
      assertThat(shares.tokens(i)).isLessThanOrEqualTo(given[i]);
      assertThat(shares.rate(i).tokens()).isEqualTo(shares.limitParts(i));
      total += shares.tokens(i);
    }
    assertThat(total).isLessThanOrEqualTo(budget * (1 + 1e-12));
    double lost = part * budget - total;
    assertThat(lost).isLessThan(budget * count * 1e-8);
  }

  @Test
  void whatIsTooMuchIsCut() {
    Shares shares =
        Shares.dividing(10, jobs(3), new double[] {6, 6, 6}, weights(3), 1_000_000_000);
    assertThat(shares.tokens(0)).isEqualTo(6);
    assertThat(shares.tokens(1)).isEqualTo(4);
    assertThat(shares.tokens(2)).isZero();
  }

  @Test
  void twoThirdsOfATokenAreARate() {
    Shares shares =
        Shares.dividing(1, jobs(1), new double[] {2 / 3.0}, weights(1), 1_000_000_000);
    assertThat(shares.tokensPerSecond(0)).isCloseTo(2 / 3.0, offset(1e-8));
  }

  @Test
  void differencesAreCountedByJobWhateverDiffers() {
    Shares one = Shares.ofColumns(jobs(3), new long[] {1, 2, 3}, weights(3), 1_000);
    assertThat(one.differences(one)).isZero();
    assertThat(one.differences(Shares.NONE)).isEqualTo(3);
    assertThat(Shares.NONE.differences(one)).isEqualTo(3);
    assertThat(one.differences(Shares.ofColumns(jobs(2), new long[] {1, 2}, weights(2), 1_000)))
        .isEqualTo(1);
    assertThat(one.differences(Shares.ofColumns(jobs(3), new long[] {1, 2, 4}, weights(3), 1_000)))
        .isEqualTo(1);
    assertThat(one.differences(one.withBorrowed(new long[] {0, 2, 1}))).isEqualTo(2);
    assertThat(one.differences(one.withTurns(new Turns(Turns.Order.ARRIVAL, MaxWait.AUTOMATIC))))
        .isEqualTo(3);
  }

  @Test
  void partsThatAreTooSmallAreRefused() {
    assertThatThrownBy(
            () -> Shares.ofParts(jobs(1), new long[] {1}, weights(1), 1L << 50, 1_000_000_000))
        .hasMessageContaining("parts of a token");
  }

  private static JobId[] jobs(int count) {
    JobId[] jobs = new JobId[count];
    for (int i = 0; i < count; i++) {
      jobs[i] = JobId.of(String.format("job%04d", i));
    }
    return jobs;
  }

  private static long[] weights(int count) {
    long[] weights = new long[count];
    Arrays.fill(weights, 1);
    return weights;
  }
}
