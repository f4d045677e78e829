package dev.sluice.control.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.stage.RateSplit.Claim;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RateSplitTest {
  private static Claim[] claims(RandomGenerator random, long total) {
    Claim[] claims = new Claim[1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 8)];
    for (int i = 0; i < claims.length; i++) {
      long usage = random.nextInt(3) == 0 ? 0 : random.nextLong(2 * total + 1);
      long nodes = random.nextInt(4) == 0 ? 1 + random.nextInt(1_000) : 1;
      claims[i] = new Claim(usage, random.nextInt(3) == 0, nodes);
    }
    return claims;
  }

  private static long total(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong(10);
      case 1 -> random.nextLong(1_000);
      case 2 -> random.nextLong(10_000_000);
      default -> random.nextLong(1L << 52);
    };
  }

  @Test
  void partsAddUpAndNobodyStarves() {
    SeededCases.forAll(
        20_000,
        random -> {
          long total = total(random);
          Claim[] claims = claims(random, total);
          long[] parts = RateSplit.split(total, claims, random.nextLong());
          assertThat(Arrays.stream(parts).sum()).isEqualTo(total);
          assertThat(Arrays.stream(parts).min().orElseThrow()).isNotNegative();
          if (total >= claims.length) {
            double nodes = Arrays.stream(claims).mapToLong(Claim::nodes).sum();
            for (int i = 0; i < parts.length; i++) {
              double floor = (total - claims.length) * (double) claims[i].nodes() / (16 * nodes);
              assertThat((double) parts[i]).isGreaterThanOrEqualTo(Math.floor(floor * (1 - 1e-12)));
              assertThat(parts[i]).isPositive();
            }
          }
        });
  }

  @Test
  void anUnevenJobIsNotStarved() {
    SeededCases.forAll(
        2_000,
        random -> {
          int count = 2 + random.nextInt(100);
          long total = count + random.nextLong(1_000_000);
          Claim[] claims = new Claim[count];
          Arrays.fill(claims, new Claim(0, false, 1));
          int busy = random.nextInt(count);
          claims[busy] = new Claim(random.nextLong(total), true, 1);
          long[] parts = RateSplit.split(total, claims, random.nextLong());
          assertThat(16 * parts[busy]).isGreaterThanOrEqualTo(15 * (total - count));
        });
  }

  @Test
  void whoWantsLittleHasItAndWhoWakesUpHasAnEvenShareAtOnce() {
    Claim[] claims = {new Claim(100, false, 1), new Claim(9_000, true, 1), new Claim(10, true, 1)};
    long[] parts = RateSplit.split(10_000, claims, 0);
    assertThat(parts[0]).isGreaterThanOrEqualTo(125);
    assertThat(parts[2]).isGreaterThan(4_000);
    assertThat(parts[1]).isGreaterThan(4_000);
  }

  @Test
  void whatCannotBeDividedGoesAround() {
    SeededCases.forAll(
        500,
        random -> {
          int count = 2 + random.nextInt(30);
          long total = 1L + random.nextInt(count - 1);
          Claim[] claims = claims(random, 100);
          Claim[] some = new Claim[count];
          Arrays.setAll(some, i -> claims[i % claims.length]);
          boolean[] had = new boolean[count];
          for (int turn = 0; turn < count; turn++) {
            long[] parts = RateSplit.split(total, some, turn);
            for (int i = 0; i < count; i++) {
              had[i] |= parts[i] > 0;
            }
          }
          for (boolean each : had) {
            assertThat(each).isTrue();
          }
        });
  }

  @Test
  void onePartTakesAllAndNoneTakesNothing() {
    assertThat(RateSplit.split(7, new Claim[] {new Claim(0, false, 1)}, 3)).containsExactly(7);
    assertThat(RateSplit.split(7, new Claim[0], 3)).isEmpty();
  }
}
