package dev.sluice.studies.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class SlicedLimitTest {
  private static final long MILLI = 1_000_000;
  private static final double MEGABYTE_PER_SECOND = 1e6;

  /** A slice lets 100 kB pass at once; the next waits for the next slice, and for what it lacks. */
  @Test
  void whatASliceAllowsPassesAtOnceAndThenAllWait() {
    SlicedLimit limit = new SlicedLimit();
    assertThat(limit.pass(60_000, MEGABYTE_PER_SECOND, 0)).isZero();
    assertThat(limit.pass(40_000, MEGABYTE_PER_SECOND, MILLI)).isEqualTo(MILLI);
    assertThat(limit.pass(10_000, MEGABYTE_PER_SECOND, 2 * MILLI)).isEqualTo(110 * MILLI);
  }

  /** At exactly the limit nobody waits; a hundredth above it, all do after a while. */
  @Test
  void evenlyNobodyWaitsUntilWhatWasSavedIsSpent() {
    SlicedLimit even = new SlicedLimit();
    SlicedLimit more = new SlicedLimit();
    long waitedNanos = 0;
    for (long i = 0; i < 6_000; i++) {
      // Not where one slice ends and the next begins.
      long now = i == 0 ? 0 : (10 * i + 1) * MILLI;
      assertThat(even.pass(10_000, MEGABYTE_PER_SECOND, now)).isEqualTo(now);
      waitedNanos = Math.max(waitedNanos, more.pass(10_100, MEGABYTE_PER_SECOND, now) - now);
    }
    assertThat(waitedNanos).isGreaterThan(20 * MILLI);
  }

  @Test
  void overAnyTimeNoMorePassesThanTheLimitAndThreeSlices() {
    SeededCases.forAll(
        200,
        random -> {
          SlicedLimit limit = new SlicedLimit();
          long now = 0;
          long passedBytes = 0;
          long last = 0;
          for (int i = 0; i < 500; i++) {
            now += random.nextLong(30 * MILLI);
            long bytes = random.nextLong(1, 50_000);
            long at = limit.pass(bytes, MEGABYTE_PER_SECOND, now);
            assertThat(at).isGreaterThanOrEqualTo(Math.max(now, last));
            last = at;
            passedBytes += bytes;
            assertThat((double) passedBytes)
                .isLessThanOrEqualTo(MEGABYTE_PER_SECOND * at / 1e9 + 300_000);
          }
        });
  }
}
