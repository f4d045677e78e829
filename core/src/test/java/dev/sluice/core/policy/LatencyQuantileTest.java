package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LatencyQuantileTest {
  /** The theorem, against all times sorted. */
  @Test
  void isAtLeastTheQuantileAndAtMostAQuarterMore() {
    SeededCases.forAll(
        2_000,
        random -> {
          LatencyQuantile quantile = new LatencyQuantile();
          for (int period = 0; period < 2; period++) {
            quantile.clear();
            long[] nanos = new long[random.nextInt(1, 500)];
            for (int i = 0; i < nanos.length; i++) {
              nanos[i] = (long) Math.pow(2, random.nextDouble(10, 41.9));
              quantile.add(nanos[i]);
            }
            Arrays.sort(nanos);
            long expected = nanos[(int) Math.ceil(nanos.length * 0.99) - 1];
            assertThat(quantile.nanos())
                .isGreaterThanOrEqualTo(expected)
                .isLessThan(expected + expected / 4 + 2);
          }
        });
  }

  @Test
  void nothingIsKnownBeforeAnythingWasServedAndExtremesAreKept() {
    LatencyQuantile quantile = new LatencyQuantile();
    assertThat(quantile.nanos()).isEqualTo(JobService.NOT_KNOWN);
    quantile.add(0);
    assertThat(quantile.nanos()).isBetween(0L, 1L << 11);
    quantile.clear();
    assertThat(quantile.nanos()).isEqualTo(JobService.NOT_KNOWN);
    for (long nanos : new long[] {3L << 41, Long.MAX_VALUE}) {
      quantile.add(nanos);
      assertThat(quantile.nanos()).isGreaterThan(3_600_000_000_000L);
    }
  }

  @Test
  void theLastNanosecondOfAClassStandsForAllOfIt() {
    LatencyQuantile quantile = new LatencyQuantile();
    quantile.add(1_024);
    assertThat(quantile.nanos()).isEqualTo(1_279);
    quantile.add(1_280);
    assertThat(quantile.nanos()).isEqualTo(1_535);
  }
}
