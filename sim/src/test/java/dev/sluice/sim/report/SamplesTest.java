package dev.sluice.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.sim.result.Timeline;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class SamplesTest {
  /** Laying a timeline on any grid loses and adds nothing. */
  @Test
  void amountsAreKeptOnAnyGrid() {
    SeededCases.forAll(
        1_000,
        random -> {
          long width = 1 + random.nextLong(50);
          long end = 1 + random.nextLong(10_000);
          Timeline timeline = new Timeline(width, Timeline.Merge.SUM);
          double sum = 0;
          for (int i = 0; i < 100; i++) {
            timeline.add(random.nextLong(end), i);
            sum += i;
          }
          Samples samples = Samples.until(end, 1 + random.nextLong(70), 1 + random.nextInt(100));
          double[] rates = samples.rates(timeline);
          double kept = 0;
          for (int i = 0; i < rates.length; i++) {
            long from = samples.startNanos(i);
            kept += rates[i] * Math.min(samples.widthNanos(), end - from) / 1e9;
          }
          assertThat(kept).isCloseTo(sum, within(1e-6));
        });
  }

  @Test
  void aGridHasNoMoreCellsThanAllowedAndCoversAll() {
    SeededCases.forAll(
        2_000,
        random -> {
          long end = 1 + random.nextLong(1L << 50);
          int cellsMax = 1 + random.nextInt(600);
          Samples samples = Samples.until(end, 1 + random.nextLong(1L << 40), cellsMax);
          assertThat(samples.count()).isBetween(1, cellsMax);
          assertThat(samples.count() * samples.widthNanos()).isGreaterThanOrEqualTo(end);
          assertThat((samples.count() - 1) * samples.widthNanos()).isLessThan(end);
        });
  }

  @Test
  void aLevelIsItsMeanAndEndsWithItsTimeline() {
    Timeline timeline = new Timeline(10, Timeline.Merge.LAST);
    timeline.set(0, 4);
    timeline.set(10, 8);
    double[] levels = Samples.until(40, 20, 10).levels(timeline);
    assertThat(levels[0]).isEqualTo(6);
    assertThat(levels[1]).isNaN();
  }

  @Test
  void aLastCellThatIsCutShortHasTheSameRate() {
    Timeline timeline = new Timeline(10, Timeline.Merge.SUM);
    timeline.add(0, 10);
    timeline.add(10, 5);
    double[] rates = Samples.until(15, 10, 10).rates(timeline);
    assertThat(rates[0]).isEqualTo(1e9);
    assertThat(rates[1]).isEqualTo(1e9);
  }
}
