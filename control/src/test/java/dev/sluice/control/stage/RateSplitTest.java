package dev.sluice.control.stage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.stage.RateSplit.NodeClaim;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RateSplitTest {
  private static NodeClaim[] claims(RandomGenerator random, long total) {
    NodeClaim[] claims = new NodeClaim[1 + random.nextInt(random.nextInt(4) == 0 ? 200 : 8)];
    for (int i = 0; i < claims.length; i++) {
      long usage = random.nextInt(3) == 0 ? 0 : random.nextLong(2 * total + 1);
      long nodes = random.nextInt(4) == 0 ? 1 + random.nextInt(1_000) : 1;
      claims[i] = new NodeClaim(usage, random.nextInt(3) == 0, nodes);
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
          NodeClaim[] claims = claims(random, total);
          long[] parts = RateSplit.split(total, claims, random.nextLong());
          assertThat(Arrays.stream(parts).sum()).isEqualTo(total);
          assertThat(Arrays.stream(parts).min().orElseThrow()).isNotNegative();
          if (total >= claims.length) {
            double nodes = Arrays.stream(claims).mapToLong(NodeClaim::nodes).sum();
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
          NodeClaim[] claims = new NodeClaim[count];
          Arrays.fill(claims, new NodeClaim(0, false, 1));
          int busy = random.nextInt(count);
          claims[busy] = new NodeClaim(random.nextLong(total), true, 1);
          long[] parts = RateSplit.split(total, claims, random.nextLong());
          assertThat(16 * parts[busy]).isGreaterThanOrEqualTo(15 * (total - count));
        });
  }

  @Test
  void whoWantsLittleHasItAndWhoWakesUpHasAnEvenShareAtOnce() {
    NodeClaim[] claims = {
      new NodeClaim(100, false, 1), new NodeClaim(9_000, true, 1), new NodeClaim(10, true, 1)
    };
    long[] parts = RateSplit.split(10_000, claims, 0);
    assertThat(parts[0]).isGreaterThanOrEqualTo(125);
    assertThat(parts[2]).isGreaterThan(4_000);
    assertThat(parts[1]).isGreaterThan(4_000);
  }

  @Test
  void whereNobodyIsPressedNobodyGrowsByWhatAnotherUsed() {
    NodeClaim[] claims = {new NodeClaim(20_057, false, 1), new NodeClaim(10_126, false, 1)};
    long[] parts = RateSplit.split(31_367, claims, 0);
    assertThat(parts[0]).isGreaterThanOrEqualTo(20_057);
    assertThat(parts[1]).isGreaterThanOrEqualTo(10_126);

    SeededCases.forAll(
        5_000,
        random -> {
          NodeClaim[] some = claims(random, 1_000_000);
          long used = 0;
          for (int i = 0; i < some.length; i++) {
            some[i] = new NodeClaim(some[i].usagePerSecond(), false, some[i].nodes());
            used += some[i].usagePerSecond();
          }
          // Enough for all floors, too: a sixteenth, and one for each.
          long total = 2L * some.length + used + used / 15 + random.nextLong(used + 1);
          long[] split = RateSplit.split(total, some, random.nextLong());
          assertThat(Arrays.stream(split).sum()).isEqualTo(total);
          for (int i = 0; i < split.length; i++) {
            assertThat(split[i]).isGreaterThanOrEqualTo(some[i].usagePerSecond());
          }
        });
  }

  @Test
  void whatCannotBeDividedGoesAround() {
    SeededCases.forAll(
        500,
        random -> {
          int count = 2 + random.nextInt(30);
          long total = 1L + random.nextInt(count - 1);
          NodeClaim[] claims = claims(random, 100);
          NodeClaim[] some = new NodeClaim[count];
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
    assertThat(RateSplit.split(7, new NodeClaim[] {new NodeClaim(0, false, 1)}, 3))
        .containsExactly(7);
    assertThat(RateSplit.split(7, new NodeClaim[0], 3)).isEmpty();
  }
}
