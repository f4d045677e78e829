package dev.sluice.stage.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Rate;
import dev.sluice.stage.layout.StageLayout;
import dev.sluice.testkit.SeededCases;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class TokenLineTest {
  @Test
  void aLineRisesByItsRateWhateverTheNumbers() {
    SeededCases.forAll(
        5_000,
        random -> {
          long from = random.nextLong(1L << 60);
          long perSecond = random.nextLong(Rate.TOKENS_PER_SECOND_MAX >> random.nextInt(40));
          long passed = random.nextLong(1L << random.nextInt(1, 50));
          TokenLine line =
              TokenLine.unlimitedFrom(random.nextLong(), from)
                  .withRate(perSecond * LimitChange.MILLIONTHS, from);

          BigInteger gained =
              BigInteger.valueOf(passed)
                  .multiply(BigInteger.valueOf(line.rate()))
                  .shiftRight(StageLayout.RATE_SHIFT);

          assertThat(line.unitsAt(from + passed)).isEqualTo(line.fromUnits() + gained.longValue());
          assertThat(line.unitsAt(from - 1)).isEqualTo(line.fromUnits());
          double tokens = gained.doubleValue() / (1 << StageLayout.UNIT_SHIFT);
          double exact = (double) perSecond * (double) passed / 1e9;
          assertThat(tokens).isBetween(exact * (1 - 2e-6) - 1, exact * (1 + 1e-12) + 1);
        });
  }

  @Test
  void anotherRateGoesOnWhereTheLineIs() {
    SeededCases.forAll(
        2_000,
        random -> {
          long now = random.nextLong(1L << 60);
          TokenLine line =
              TokenLine.unlimitedFrom(random.nextLong(), now - random.nextLong(1L << 40))
                  .withRate(
                      random.nextLong(1_000_000_000_000L), now - random.nextLong(1_000_000_000));
          long units = line.unitsAt(now);

          assertThat(line.withRate(random.nextLong(1_000_000_000_000L), now).unitsAt(now))
              .isEqualTo(units);
          assertThat(line.withoutRate(now).unitsAt(now)).isEqualTo(units);
          assertThat(line.movedBy(17, now).unitsAt(now)).isEqualTo(units + 17);
          assertThat(line.movedBy(17, now).rate()).isEqualTo(line.rate());
        });
  }

  @Test
  void leasesAndBurstsAreSmallAgainstASecond() {
    TokenLine line = TokenLine.unlimitedFrom(0, 0);
    assertThat(line.withRate(1_000 * LimitChange.MILLIONTHS, 0).leaseTokens()).isEqualTo(1);
    assertThat(line.withRate(50_000 * LimitChange.MILLIONTHS, 0).leaseTokens()).isEqualTo(25);
    assertThat(line.withRate(50_000 * LimitChange.MILLIONTHS, 0).burstUnits())
        .isEqualTo(1_000 * 1024);
    assertThat(line.withRate(1 * LimitChange.MILLIONTHS, 0).burstUnits()).isEqualTo(1024);
    assertThat(line.withRate(0 * LimitChange.MILLIONTHS, 0).rate()).isZero();
    assertThat(line.withRate(Rate.TOKENS_PER_SECOND_MAX * LimitChange.MILLIONTHS, 0).rate())
        .isPositive();
  }

  @Test
  void leasesEndWhenALimitComesOrIsCutToLessThanHalf() {
    TokenLine free = TokenLine.unlimitedFrom(0, 0);
    TokenLine fast = free.withRate(1_000 * LimitChange.MILLIONTHS, 0);
    assertThat(fast.endsLeasesOf(free)).isTrue();
    assertThat(fast.withRate(499 * LimitChange.MILLIONTHS, 0).endsLeasesOf(fast)).isTrue();
    assertThat(fast.withRate(500 * LimitChange.MILLIONTHS, 0).endsLeasesOf(fast)).isFalse();
    assertThat(fast.withoutRate(0).endsLeasesOf(fast)).isFalse();
  }
}
