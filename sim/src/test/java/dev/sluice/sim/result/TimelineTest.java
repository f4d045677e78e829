package dev.sluice.sim.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class TimelineTest {
  /**
   * However often samples were merged, nothing of an amount is lost, and their number is bounded.
   */
  @Test
  void amountsAreKept() {
    SeededCases.forAll(
        500,
        random -> {
          Timeline timeline = new Timeline(1 + random.nextInt(100), Timeline.Merge.SUM);
          long end = 1 + random.nextLong(10_000_000);
          double sum = 0;
          for (int i = 0; i < 300; i++) {
            double amount = random.nextInt(1_000);
            timeline.add(random.nextLong(end), amount);
            sum += amount;
          }
          double kept = 0;
          for (int i = 0; i < timeline.size(); i++) {
            kept += timeline.value(i);
          }
          assertThat(kept).isCloseTo(sum, within(1e-6));
          assertThat(timeline.size()).isBetween(1, Timeline.SAMPLES_MAX);
        });
  }

  /** A level holds until the next one is set, also across a merge of samples. */
  @Test
  void levelsHoldUntilTheNext() {
    SeededCases.forAll(
        500,
        random -> {
          Timeline timeline = new Timeline(1, Timeline.Merge.LAST);
          long at = 0;
          double level = 0;
          for (int i = 1; i < 40; i++) {
            timeline.set(at, i);
            level = i;
            at += 1 + random.nextInt(1 << random.nextInt(1, 12));
          }
          timeline.set(at, 99);
          long lastLevelFrom = at / timeline.widthNanos() - 1;
          assertThat(timeline.value((int) (at / timeline.widthNanos()))).isEqualTo(99);
          if (lastLevelFrom > 0) {
            assertThat(timeline.value((int) lastLevelFrom)).isBetween(1.0, level);
          }
          for (int i = 1; i < timeline.size(); i++) {
            assertThat(timeline.value(i)).isGreaterThanOrEqualTo(timeline.value(i - 1));
          }
        });
  }

  /** Equal runs have equal results: what was set tells them apart, not the room that was made. */
  @Test
  void areEqualWhereAllSamplesAre() {
    SeededCases.forAll(
        500,
        random -> {
          Timeline one = new Timeline(1, Timeline.Merge.SUM);
          Timeline other = new Timeline(1, Timeline.Merge.SUM);
          for (int i = random.nextInt(1, 40); i > 0; i--) {
            long at = random.nextInt(1 << random.nextInt(1, 14));
            one.add(at, i);
            other.add(at, i);
          }
          assertThat(one).isEqualTo(other).hasSameHashCodeAs(other);
          other.add(random.nextInt(100), 1);
          assertThat(one).isNotEqualTo(other);
          assertThat(new Timeline(1, Timeline.Merge.SUM))
              .isNotEqualTo(new Timeline(1, Timeline.Merge.LAST))
              .isNotEqualTo(new Timeline(2, Timeline.Merge.SUM));
        });
  }
}
