package dev.sluice.core.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Rate;
import dev.sluice.testkit.SeededCases;
import java.math.BigInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class TokenLevelTest {
  private static final long HOUR = 3_600_000_000_000L;

  @Test
  void whatComesInIsExactWhateverTheRateAndTheSteps() {
    SeededCases.forAll(3_000, TokenLevelTest::checkExactness);
  }

  private static void checkExactness(RandomGenerator random) {
    Rate rate = rate(random);
    long nowNanos = random.nextLong(1L << 40);
    long beganNanos = nowNanos;
    TokenLevel level = new TokenLevel(rate, 1L << 59, 0, nowNanos);
    long taken = 0;
    for (int i = 0; i < 50; i++) {
      nowNanos += random.nextLong(1L << random.nextInt(1, 45));
      level.refill(nowNanos);
      BigInteger came =
          BigInteger.valueOf(nowNanos - beganNanos)
              .multiply(BigInteger.valueOf(rate.tokens()))
              .divide(BigInteger.valueOf(rate.periodNanos()));
      if (came.bitLength() > 58) {
        return;
      }
      assertThat(level.tokens()).as("%s", rate).isEqualTo(came.longValueExact() - taken);
      long price = random.nextLong(1 + Math.max(0, level.tokens()));
      level.take(price);
      taken += price;
      level.checkInvariants(-1);
    }
  }

  @Test
  void theWaitIsTheFirstInstantAtWhichTheyAreThere() {
    SeededCases.forAll(
        3_000,
        random -> {
          Rate rate = rate(random);
          TokenLevel level = new TokenLevel(rate, 1L << 59, -random.nextLong(100), 0);
          long nowNanos = random.nextLong(1L << 30);
          level.refill(nowNanos);
          long wanted = level.tokens() + random.nextLong(1, 100);
          long wait = level.nanosUntil(wanted);
          if (rate.tokens() == 0) {
            assertThat(wait).isEqualTo(TokenLevel.FOREVER);
            return;
          }
          if (wait > 1L << 60) {
            return;
          }
          level.refill(nowNanos + wait - 1);
          assertThat(level.tokens()).isLessThan(wanted);
          level.refill(nowNanos + wait);
          assertThat(level.tokens()).isGreaterThanOrEqualTo(wanted);
          assertThat(level.nanosUntil(wanted)).isZero();
        });
  }

  @Test
  void aChangeOfRateNeitherGivesNorTakesAToken() {
    SeededCases.forAll(
        2_000,
        random -> {
          TokenLevel level = new TokenLevel(rate(random), 1L << 40, 5, 0);
          level.refill(random.nextLong(1L << 35));
          long before = level.tokens();
          level.setRate(rate(random));
          assertThat(level.tokens()).isEqualTo(before);
          level.checkInvariants(0);
        });
  }

  /** The carried part survives a thousand changes between two ways to write the same rate. */
  @Test
  void twoThirdsOfATokenASecondAreTwoThirdsHoweverTheyAreWritten() {
    Rate one = new Rate(2, 3_000_000_000L);
    Rate same = new Rate(2_000_000, 3_000_000_000_000_000L);
    TokenLevel level = new TokenLevel(one, 1L << 40, 0, 0);
    for (int second = 1; second <= 3_000; second++) {
      level.refill(second * 1_000_000_000L);
      level.setRate(second % 2 == 0 ? one : same);
    }
    assertThat(level.tokens()).isEqualTo(2_000);
  }

  @Test
  void whatIsFullLosesWhatIsMore() {
    TokenLevel level = new TokenLevel(Rate.perSecond(1), 3, 0, 0);
    level.refill(10_500_000_000L);
    assertThat(level.tokens()).isEqualTo(3);
    level.take(1);
    level.refill(11_000_000_000L);
    assertThat(level.tokens()).isEqualTo(2);
  }

  @Test
  void anHourAtTheHighestRateFits() {
    TokenLevel level =
        new TokenLevel(new Rate(3_600 * Rate.TOKENS_PER_SECOND_MAX, HOUR), 1L << 59, -5, 0);
    level.refill(HOUR);
    assertThat(level.tokens()).isEqualTo(3_600 * Rate.TOKENS_PER_SECOND_MAX - 5);
    level.refill(Long.MAX_VALUE);
    assertThat(level.tokens()).isEqualTo(1L << 59);
  }

  @Test
  void unlimitedIsNoRate() {
    assertThatThrownBy(() -> new TokenLevel(Rate.UNLIMITED, 0, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Rate rate(RandomGenerator random) {
    long periodNanos = random.nextLong(1, 1L << random.nextInt(1, 60));
    double most = Rate.TOKENS_PER_SECOND_MAX / 1e9 * periodNanos;
    long bound = (long) Math.min(most, Math.pow(2, random.nextInt(1, 60)));
    return new Rate(random.nextLong(0, bound + 1), periodNanos);
  }
}
