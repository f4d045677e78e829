package dev.sluice.core.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RhythmTest {
  private static Rhythm of(double... intervals) {
    double[] begins = new double[intervals.length + 1];
    for (int i = 0; i < intervals.length; i++) {
      begins[i + 1] = begins[i] + intervals[i];
    }
    return Rhythm.of(begins, begins.length, 1);
  }

  @Test
  void evenIntervalsAreTheirMean() {
    Rhythm rhythm = of(40, 41, 39, 40, 40);
    assertThat(rhythm.mean()).isCloseTo(40, within(0.01));
    assertThat(rhythm.intervals()).isEqualTo(5);
    assertThat(rhythm.logChance()).isLessThan(-10);
  }

  @Test
  void oneIntervalIsNoRhythm() {
    assertThat(of(40)).isEqualTo(Rhythm.NONE);
  }

  @Test
  void whatWasBeforeAChangeIsForgottenAfterThreeCycles() {
    double[] old = {20, 21, 20, 19, 20, 20, 21, 20};
    assertThat(of(with(old, 60, 61)).logChance()).isGreaterThan(-3);
    Rhythm rhythm = of(with(old, 60, 61, 60));
    assertThat(rhythm.first()).isEqualTo(8);
    assertThat(rhythm.mean()).isCloseTo(60.3, within(0.1));
  }

  @Test
  void aSmallStepMovesTheMeanToItsNewSide() {
    Rhythm rhythm = of(40, 40, 41, 40, 39, 40, 40, 46, 46, 47, 46);
    assertThat(rhythm.mean()).isCloseTo(46.25, within(0.1));
  }

  @Test
  void aLateStartIsNoPartOfTheRhythm() {
    assertThat(of(150, 40, 40, 41, 40).mean()).isCloseTo(40.25, within(0.01));
  }

  @Test
  void aMissingBurstLeavesTheCycleAsItIs() {
    Rhythm rhythm = of(40, 41, 40, 80, 39, 40, 40, 41, 120, 40);
    assertThat(rhythm.mean()).isCloseTo(40.1, within(0.2));
    assertThat(rhythm.intervals()).isEqualTo(10);
  }

  @Test
  void severalLongIntervalsInARowAreASlowerRhythm() {
    assertThat(of(40, 40, 41, 40, 40, 80, 81, 80, 80).mean()).isCloseTo(80.25, within(0.1));
  }

  @Test
  void theMeanIsThatOfSomeIntervalsHoweverTheyAreChosen() {
    SeededCases.forAll(
        2_000,
        random -> {
          double[] intervals = random.doubles(random.nextInt(2, 40), 1, 100).toArray();
          Rhythm rhythm = of(intervals);
          assertThat(rhythm.logChance()).isLessThanOrEqualTo(0);
          if (rhythm.intervals() > 0) {
            assertThat(rhythm.first() + rhythm.intervals()).isEqualTo(intervals.length);
            assertThat(rhythm.mean())
                .isBetween(
                    Arrays.stream(intervals).min().orElseThrow() / 3,
                    Arrays.stream(intervals).max().orElseThrow());
          }
        });
  }

  private static double[] with(double[] old, double... more) {
    double[] all = Arrays.copyOf(old, old.length + more.length);
    System.arraycopy(more, 0, all, old.length, more.length);
    return all;
  }
}
