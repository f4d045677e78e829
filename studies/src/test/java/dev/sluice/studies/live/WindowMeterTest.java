package dev.sluice.studies.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WindowMeterTest {
  private static final long MILLISECOND = 1_000_000;

  @Test
  void theHighestRateOverAnyWindowIsFoundWhereverItBegins() {
    WindowMeter meter = new WindowMeter();
    long count = 0;
    for (int i = 0; i <= 40; i++) {
      meter.add(i * 100L * MILLISECOND, count, i * 100L * MILLISECOND);
      count += i >= 13 && i < 23 ? 200 : 100;
    }
    assertThat(meter.mostPerSecond(1_000 * MILLISECOND)).isEqualTo(2_000, within(1e-6));
    assertThat(meter.mostPerSecond(2_000 * MILLISECOND)).isEqualTo(1_500, within(1e-6));
    assertThat(meter.mostPerSecond(100 * MILLISECOND)).isEqualTo(2_000, within(1e-6));
  }

  /** Who was let wait while reading has counted more, over a longer time. */
  @Test
  void aLateReadingDoesNotLookLikeAHighRate() {
    WindowMeter meter = new WindowMeter();
    meter.add(0, 0, 0);
    meter.add(1_000 * MILLISECOND, 1_500, 1_500 * MILLISECOND);
    assertThat(meter.mostPerSecond(1_000 * MILLISECOND)).isEqualTo(1_000, within(1e-6));
  }

  @Test
  void withoutAWindowThereIsNoRate() {
    WindowMeter meter = new WindowMeter();
    meter.add(0, 0, 0);
    meter.add(900 * MILLISECOND, 9, 900 * MILLISECOND);
    assertThat(meter.mostPerSecond(1_000 * MILLISECOND)).isZero();
  }
}
