package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.Observation;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SharesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final JobId A = JobId.of("a");
  private static final JobId B = JobId.of("b");

  private static Shares shares(long tokensOfA, long tokensOfB, long periodNanos) {
    return Shares.ofColumns(
        new JobId[] {A, B}, new long[] {tokensOfA, tokensOfB}, new long[] {3, 5}, periodNanos);
  }

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
    Shares shares = Shares.dividing(10, jobs(3), new double[] {6, 6, 6}, weights(3), 1_000_000_000);
    assertThat(shares.tokens(0)).isEqualTo(6);
    assertThat(shares.tokens(1)).isEqualTo(4);
    assertThat(shares.tokens(2)).isZero();
  }

  @Test
  void twoThirdsOfATokenAreARate() {
    Shares shares = Shares.dividing(1, jobs(1), new double[] {2 / 3.0}, weights(1), 1_000_000_000);
    assertThat(shares.tokensPerSecond(0)).isCloseTo(2 / 3.0, within(1e-8));
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
    assertThat(one.differences(one.withReserves(new long[] {0, 2, 1}))).isEqualTo(2);
    assertThat(one.withReserves(new long[] {0, 2, 1}).differences(one)).isEqualTo(2);
    assertThat(one.differences(one.withReserves(new long[3]))).isZero();
    assertThat(one.differences(one.withTurns(new Turns(Turns.Order.ARRIVAL, MaxWait.AUTOMATIC))))
        .isEqualTo(3);
  }

  @Test
  void partsThatAreTooSmallAreRefused() {
    assertThatThrownBy(
            () -> Shares.ofParts(jobs(1), new long[] {1}, weights(1), 1L << 50, 1_000_000_000))
        .hasMessageContaining("parts of a token");
  }

  @Test
  void aTokenIsCutAsFinelyAsNeededAndAsARateAllows() {
    assertThat(Shares.partsPerToken(1e9, SECOND)).isEqualTo(1);
    assertThat(Shares.partsPerToken(1e8, SECOND)).isEqualTo(10);
    assertThat(Shares.partsPerToken(1e8 - 1, SECOND)).isEqualTo(100);
    assertThat(Shares.partsPerToken(0, SECOND)).isEqualTo(Rate.PERIOD_NANOS_MAX / SECOND);
    assertThat(Shares.ofParts(jobs(1), new long[] {1}, weights(1), 10, SECOND).partsPerToken())
        .isEqualTo(10);
  }

  /** Of a period of half a second, in tenths of a token. */
  @Test
  void whatNoSchedulerCanCarryOutIsRefusedAndWhatIsJustBelowIsNot() {
    long most = Rate.TOKENS_PER_SECOND_MAX / 2 * 10;
    Shares largest =
        Shares.ofParts(jobs(1), new long[] {most}, weights(1), 10, SECOND / 2)
            .withReserves(new long[] {most});
    assertThat(largest.tokensPerSecond(0)).isEqualTo((double) Rate.TOKENS_PER_SECOND_MAX);
    assertThatThrownBy(
            () -> Shares.ofParts(jobs(1), new long[] {most + 1}, weights(1), 10, SECOND / 2))
        .hasMessageContaining("may have more than");
    Shares unlimited =
        Shares.ofParts(jobs(1), new long[] {Shares.UNLIMITED}, weights(1), 10, SECOND / 2);
    assertThat(unlimited.withReserves(new long[] {most}).reservedParts(0)).isEqualTo(most);
    assertThatThrownBy(() -> unlimited.withReserves(new long[] {most + 1}))
        .hasMessageContaining("parts are reserved");
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

  /** However long a period is, a rate is its tokens by it. */
  @Test
  void aRateIsWhatAPeriodBrings() {
    long[] periods = {1_000_000, SECOND / 10, SECOND, 2 * SECOND, 10 * SECOND, 3_600 * SECOND};
    for (long period : periods) {
      long tokens = 50 * (period / 1_000_000);
      Rate rate = shares(tokens, 7, period).rate(0);
      assertThat((double) rate.tokens() * SECOND / rate.periodNanos())
          .as("%d tokens in %d ns", tokens, period)
          .isEqualTo(50_000, within(1e-6));
      assertThat(rate.isUnlimited()).isFalse();
    }
    assertThat(shares(Shares.UNLIMITED, 7, SECOND).rate(0).isUnlimited()).isTrue();
  }

  @Test
  void columnsAreByJob() {
    Shares shares = shares(10, 20, SECOND).withBorrowed(new long[] {4, 20});
    assertThat(shares.size()).isEqualTo(2);
    assertThat(shares.indexOf(B)).isEqualTo(1);
    assertThat(shares.indexOf(JobId.of("c"))).isNegative();
    assertThat(shares.job(1)).isEqualTo(B);
    assertThat(shares.tokens(1)).isEqualTo(20);
    assertThat(shares.weight(1)).isEqualTo(5);
    assertThat(shares.borrowed(0)).isEqualTo(4);
    assertThat(shares.borrowed(1)).isEqualTo(20);
    assertThat(shares(10, 20, SECOND).borrowed(1)).isZero();
  }

  @Test
  void aReserveIsCountedInThePartsOfTheLimitAndStaysWithIt() {
    Turns turns = new Turns(Turns.Order.ARRIVAL, MaxWait.AUTOMATIC);
    Shares shares =
        Shares.ofParts(jobs(2), new long[] {Shares.UNLIMITED, 7}, weights(2), 10, SECOND)
            .withReserves(new long[] {25, 7})
            .withBorrowed(new long[] {1, 2})
            .withTurns(turns);
    assertThat(shares.reserved(0)).isEqualTo(2.5);
    assertThat(shares.reservedParts(1)).isEqualTo(7);
    assertThat(shares.borrowed(1)).isEqualTo(0.2);
    assertThat(shares.reserveRate(0)).isEqualTo(new Rate(25, 10 * SECOND));
    assertThat(shares.reserveRate(1)).isEqualTo(shares.rate(1));
    Shares other = shares.withReserves(new long[] {1, 1});
    assertThat(other.borrowedParts(1)).isEqualTo(2);
    assertThat(other.turns()).isEqualTo(turns);
    assertThat(shares(5, 5, 1).reserved(0)).isZero();
    assertThat(shares(5, 5, 1).reserveRate(0).tokens()).isZero();
  }

  @Test
  void badColumnsAreRefused() {
    JobId[] both = {A, B};
    JobId[] backwards = {B, A};
    JobId[] twice = {A, A};
    long[] two = {1, 1};
    long[] one = {1};
    assertThatThrownBy(() -> Shares.ofColumns(both, one, two, 1)).hasMessageContaining("length");
    assertThatThrownBy(() -> Shares.ofColumns(both, two, one, 1)).hasMessageContaining("length");
    assertThatThrownBy(() -> Shares.ofColumns(backwards, two, two, 1))
        .hasMessageContaining("must ascend without repetition: b, a");
    assertThatThrownBy(() -> Shares.ofColumns(twice, two, two, 1))
        .hasMessageContaining("must ascend");
    assertThatThrownBy(() -> Shares.ofColumns(both, new long[] {0, -1}, two, 1))
        .hasMessageContaining("job b has -1 tokens");
    assertThatThrownBy(() -> Shares.ofColumns(both, two, new long[] {1, 0}, 1))
        .hasMessageContaining("job b has the weight 0");
    assertThatThrownBy(() -> shares(5, 5, 1).withReserves(one)).hasMessageContaining("length");
    assertThatThrownBy(() -> shares(5, 5, 1).withReserves(new long[] {6, 0}))
        .hasMessageContaining("for job a 6 parts are reserved of its 5");
    assertThatThrownBy(() -> shares(5, 5, 1).withReserves(new long[] {0, -1}))
        .hasMessageContaining("for job b -1 parts");
    assertThatThrownBy(() -> shares(5, 5, 1).withBorrowed(one)).hasMessageContaining("length");
    assertThatThrownBy(() -> shares(5, 5, 1).withBorrowed(new long[] {6, 0}))
        .hasMessageContaining("job a borrowed 6 parts of its 5");
    assertThatThrownBy(() -> shares(5, 5, 1).withBorrowed(new long[] {0, -1}))
        .hasMessageContaining("job b borrowed -1");
  }

  @Test
  void aPhaseHasNoLessThanNothing() {
    Shares told = shares(1, 2, SECOND).withPhases(new long[] {0, 5});
    assertThat(told.phaseTokens(0)).isZero();
    assertThat(told.phaseTokens(1)).isEqualTo(5);
    assertThatThrownBy(() -> told.withPhases(new long[] {0, -1}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a phase of job b has -1 tokens");
    assertThatThrownBy(() -> told.withPhases(new long[] {0}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
