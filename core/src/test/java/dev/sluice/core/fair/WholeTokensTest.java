package dev.sluice.core.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class WholeTokensTest {
  @Test
  void theLargestRemaindersGetWhatIsLeftAndTiesGoInOrder() {
    double[] remainder = new double[4];
    long[] whole = new long[4];
    new WholeTokens(4).round(4, new double[] {2.5, 3.2, 1.7, 2.6}, remainder, null, 10, whole);
    assertThat(whole).containsExactly(2, 3, 2, 3);
    assertThat(remainder[0]).isEqualTo(0.5);

    new WholeTokens(3)
        .round(3, new double[] {1.0 / 3, 1.0 / 3, 1.0 / 3}, new double[3], null, 1, whole);
    assertThat(Arrays.copyOf(whole, 3)).containsExactly(1, 0, 0);
  }

  @Test
  void excessIsTakenFromTheSmallestRemainder() {
    double[] remainder = {0.1, 0.3, 0.2};
    long[] whole = new long[3];
    new WholeTokens(3).round(3, new double[] {2, 2, 2}, remainder, null, 5, whole);
    assertThat(whole).containsExactly(1, 2, 2);
    assertThat(remainder[0]).isEqualTo(1.1);
  }

  @Test
  void aTotalBeyondTheCapsIsRefused() {
    WholeTokens tokens = new WholeTokens(2);
    assertThatThrownBy(
            () -> tokens.round(2, new double[2], new double[2], new long[] {1, 1}, 3, new long[2]))
        .hasMessageContaining("within the caps");
  }

  /** The theorem above {@link WholeTokens#round}. */
  @Test
  void theSumIsMetWithinTheCapsAndTheRestIsCarried() {
    SeededCases.forAll(
        20_000,
        random -> {
          int n = random.nextInt(1, 40);
          double[] real = random.doubles(n, 0, Math.scalb(1.0, random.nextInt(1, 30))).toArray();
          double[] remainder = random.doubles(n, -0.99, 0.99).toArray();
          long[] caps =
              random.nextBoolean()
                  ? null
                  : random.longs(n, 0, 1L << random.nextInt(1, 30)).toArray();
          long capsSum = caps == null ? 1L << 40 : Arrays.stream(caps).sum();
          double fits = 0;
          for (int i = 0; i < n; i++) {
            fits += caps == null ? real[i] : Math.min(real[i], (double) caps[i]);
          }
          long total = Math.clamp((long) fits + random.nextInt(-n, n + 1), 0, capsSum);
          double[] due = new double[n];
          Arrays.setAll(due, i -> real[i] + remainder[i]);
          long[] whole = new long[n];
          new WholeTokens(n).round(n, real, remainder, caps, total, whole);

          assertThat(Arrays.stream(whole).sum()).isEqualTo(total);
          for (int i = 0; i < n; i++) {
            assertThat(whole[i]).isNotNegative();
            assertThat(whole[i]).isLessThanOrEqualTo(caps == null ? Long.MAX_VALUE : caps[i]);
            assertThat(remainder[i]).isEqualTo(due[i] - whole[i], within(1e-6));
          }
        });
  }

  /** The odd tokens, given or taken, go where sorting everybody would have them go. */
  @Test
  void whoGetsAnOddTokenIsWhoSortingWouldChoose() {
    SeededCases.forAll(
        5_000,
        random -> {
          int n = random.nextInt(1, 40);
          double[] real = random.doubles(n, 0.05, 5).toArray();
          boolean likeEachOther = random.nextBoolean();
          if (likeEachOther) {
            Arrays.setAll(real, i -> Math.rint(real[i] * 4) / 4);
          }
          long[] expected = new long[n];
          double[] rest = new double[n];
          List<Integer> order = new ArrayList<>();
          for (int i = 0; i < n; i++) {
            expected[i] = (long) Math.floor(real[i]);
            rest[i] = real[i] - expected[i];
            order.add(i);
          }
          long sum = Arrays.stream(expected).sum();
          boolean gives = random.nextBoolean();
          if (gives) {
            order.sort(
                Comparator.comparingDouble((Integer i) -> roundsUntilAWholeToken(real[i], rest[i]))
                    .thenComparingDouble(i -> -rest[i]));
          } else {
            order.removeIf(i -> expected[i] == 0);
            order.sort(Comparator.comparingDouble(i -> rest[i]));
          }
          int moved = random.nextInt(order.size() + 1);
          for (int k = 0; k < moved; k++) {
            expected[order.get(k)] += gives ? 1 : -1;
          }
          long[] whole = new long[n];
          long total = sum + (gives ? moved : -moved);
          new WholeTokens(n).round(n, real, new double[n], null, total, whole);
          assertThat(whole).isEqualTo(expected);
        });
  }

  private static double roundsUntilAWholeToken(double real, double rest) {
    return rest > 1e-9 && real > 0 ? Math.max(1, Math.ceil((1 - rest) / real - 1e-9)) : 1e12;
  }

  /** Over any number of rounds of constant shares, nobody is ever a whole token off. */
  @Test
  void constantSharesStayWithinATokenForever() {
    SeededCases.forAll(3_000, WholeTokensTest::checkConstantShares);
  }

  private static void checkConstantShares(RandomGenerator random) {
    int n = random.nextInt(1, 14);
    long[] weights = random.longs(n, 1, 1L << random.nextInt(1, 10)).toArray();
    double weightsSum = Arrays.stream(weights).sum();
    double perRound = random.nextInt(1, 40) + (random.nextBoolean() ? random.nextDouble() : 0);
    double[] real = new double[n];
    Arrays.setAll(real, i -> perRound * weights[i] / weightsSum);
    double[] remainder = new double[n];
    long[] whole = new long[n];
    double carried = 0;
    WholeTokens tokens = new WholeTokens(n);
    for (int round = 0; round < 200; round++) {
      carried += perRound;
      long total = (long) Math.floor(carried + 1e-9);
      carried -= total;
      tokens.round(n, real, remainder, null, total, whole);
      for (double rest : remainder) {
        assertThat(Math.abs(rest)).isLessThan(1 + 1e-9);
      }
    }
  }
}
