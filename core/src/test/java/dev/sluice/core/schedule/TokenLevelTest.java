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

  /** Whatever is done in whichever order, it is what unbounded numbers say it is. */
  @Test
  void itIsWhatUnboundedNumbersSayWhateverIsDone() {
    SeededCases.forAll(2_000, random -> new Side(random).play());
  }

  /** A level, and beside it all that is missing to its bound in parts, however many. */
  private static final class Side {
    private static final int MOVES = 60;

    private final RandomGenerator random;
    private final TokenLevel level;
    private Rate rate;
    private long bound;
    private long now;
    private BigInteger missing;

    Side(RandomGenerator random) {
      this.random = random;
      rate = rateOrNone();
      bound = amount();
      now = random.nextLong(1L << 40);
      long tokens = random.nextBoolean() ? amount() : -amount();
      level = new TokenLevel(rate, bound, tokens, now);
      missing = parts(bound).subtract(parts(Math.min(tokens, bound)));
    }

    void play() {
      compare();
      for (int i = 0; i < MOVES; i++) {
        move();
        compare();
      }
    }

    private void move() {
      switch (random.nextInt(6)) {
        case 0, 1 -> refill();
        case 2 -> take(amount());
        case 3 -> add(random.nextBoolean() ? amount() : -amount());
        case 4 -> setBound(amount());
        default -> setRate(rateOrNone());
      }
    }

    private void refill() {
      long elapsed = random.nextLong(-1, 1L << random.nextInt(1, 56));
      level.refill(now + elapsed);
      if (elapsed > 0) {
        now += elapsed;
        missing = missing.subtract(product(elapsed, rate.tokens())).max(BigInteger.ZERO);
      }
    }

    /** Takes what may be owed. */
    private void take(long price) {
      if (level.tokens() - price > -(1L << 59)) {
        level.take(price);
        missing = missing.add(parts(price));
      }
    }

    private void add(long more) {
      long least = Math.min(bound, random.nextBoolean() ? amount() : -amount());
      level.add(more, least);
      missing =
          missing
              .subtract(parts(more))
              .max(BigInteger.ZERO)
              .min(parts(bound).subtract(parts(least)));
    }

    private void setBound(long tokens) {
      level.setBound(tokens);
      missing = missing.add(parts(tokens)).subtract(parts(bound)).max(BigInteger.ZERO);
      bound = tokens;
    }

    private void setRate(Rate next) {
      level.setRate(next);
      missing =
          ceilDiv(
              missing.multiply(BigInteger.valueOf(next.periodNanos())),
              BigInteger.valueOf(rate.periodNanos()));
      rate = next;
    }

    private void compare() {
      long whole =
          bound - ceilDiv(missing, BigInteger.valueOf(rate.periodNanos())).longValueExact();
      assertThat(level.tokens()).as("%s", rate).isEqualTo(whole);
      assertThat(level.filledAtNanos()).isEqualTo(now);
      compareWanting(whole + random.nextLong(-1, 3));
      compareWanting(random.nextBoolean() ? amount() : -amount());
      compareWanting(bound);
    }

    private void compareWanting(long wanted) {
      BigInteger lacking = missing.subtract(parts(bound)).add(parts(wanted));
      assertThat(level.has(wanted)).as("%s of %s", wanted, rate).isEqualTo(lacking.signum() <= 0);
      long wait = level.nanosUntil(wanted);
      if (lacking.signum() <= 0) {
        assertThat(wait).isZero();
      } else if (rate.tokens() == 0) {
        assertThat(wait).isEqualTo(TokenLevel.FOREVER);
      } else {
        BigInteger nanos = ceilDiv(lacking, BigInteger.valueOf(rate.tokens()));
        // A wait of over a century may be called one without an end.
        if (nanos.bitLength() <= 62 || wait != TokenLevel.FOREVER) {
          assertThat(wait).as("%s of %s", wanted, rate).isEqualTo(nanos.longValueExact());
        }
      }
    }

    private BigInteger parts(long tokens) {
      return product(tokens, rate.periodNanos());
    }

    /** Small ones as often as large ones. */
    private long amount() {
      return random.nextLong(1L << random.nextInt(1, 59));
    }

    private Rate rateOrNone() {
      Rate some = rate(random);
      return random.nextInt(6) == 0 ? new Rate(0, some.periodNanos()) : some;
    }

    private static BigInteger product(long one, long other) {
      return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
    }

    private static BigInteger ceilDiv(BigInteger positive, BigInteger by) {
      return positive.add(by).subtract(BigInteger.ONE).divide(by);
    }
  }

  @Test
  void aRateIsItsTokensAndItsPeriod() {
    TokenLevel level = new TokenLevel(new Rate(2, 5), 10, 0, 0);
    assertThat(level.isAt(new Rate(2, 5))).isTrue();
    assertThat(level.isAt(new Rate(3, 5))).isFalse();
    assertThat(level.isAt(new Rate(2, 6))).isFalse();
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
