package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PastPhasesTest {
  private final PastPhases past = new PastPhases();

  @Test
  void nothingIsExpectedOfWhoWasNeverSeen() {
    assertThat(past.expectedTokens(0)).isZero();
    assertThat(past.gapNanos()).isZero();
  }

  @Test
  void theNextPhaseIsExpectedToBeLikeTheLastOnes() {
    past.note(100, 0, 1_000, true);
    assertThat(past.expectedTokens(0)).isEqualTo(100);
    past.note(120, 0, 2_000, true);
    assertThat(past.expectedTokens(0)).isEqualTo(110);
    assertThat(past.gapNanos()).isEqualTo(1_500);
  }

  @Test
  void whatIsSmallIsPartOfThePauseBetweenTwoPhases() {
    past.goesOnPausing(7_000);
    assertThat(past.gapNanos()).as("before the first").isZero();
    past.note(100, 0, 1_000, true);
    past.goesOnPausing(500);
    past.goesOnPausing(300);
    assertThat(past.gapNanos()).isEqualTo(1_800);
    past.note(100, 0, 1_000, true);
    past.goesOnPausing(1_200);
    assertThat(past.gapNanos()).as("of 1,800 and 2,200").isEqualTo(2_000);
    assertThat(past.expectedTokens(0)).isEqualTo(100);
  }

  @Test
  void whatIsSmallIsPartOfTheCycle() {
    past.goesOnPausing(7_000);
    assertThat(past.cyclesNanos()).as("before the first").isZero();
    past.note(100, 0, 1_000, true);
    past.noteDelay(300, 2_000);
    past.goesOnPausing(500);
    assertThat(past.cyclesNanos()).isEqualTo(1_250);
    assertThat(past.delayNanos()).isEqualTo(150);
  }

  @Test
  void ofDelaysTheLastCountsMost() {
    past.noteDelay(800, 4_000);
    past.noteDelay(80, 1_000);
    assertThat(past.delayNanos()).isEqualTo(200 + 40);
    assertThat(past.cyclesNanos()).isEqualTo(1_000 + 500);
  }

  @Test
  void whoDoesNotKeepToASizeHasNoneUntilTwoAreAlikeAgain() {
    past.note(100, 0, 1, true);
    past.note(201, 0, 1, true);
    assertThat(past.expectedTokens(0)).isZero();
    past.note(101, 0, 1, true);
    assertThat(past.expectedTokens(0)).isEqualTo(151);
    past.note(50, 0, 1, true);
    assertThat(past.expectedTokens(0)).isZero();
  }

  @Test
  void nothingIsExpectedOfWhoSendsNowAndThen() {
    past.note(100, 0, 1, false);
    assertThat(past.expectedTokens(0)).isZero();
    past.note(100, 0, 1, true);
    assertThat(past.expectedTokens(0)).isEqualTo(100);
  }

  @Test
  void whatIsToldIsBelievedUntilAPhaseIsFarFromIt() {
    assertThat(past.expectedTokens(10)).isEqualTo(10);
    past.note(20, 0, 1, true);
    assertThat(past.expectedTokens(10)).isEqualTo(10);
    past.note(21, 0, 1, true);
    assertThat(past.expectedTokens(10)).as("who told less is believed no more").isEqualTo(20);
    past.note(43, 0, 1, true);
    assertThat(past.expectedTokens(10)).as("nor is anything seen").isZero();
  }

  @Test
  void whatWasSeenCountsForMoreWhereItCameCloser() {
    past.note(100, 150, 1, true);
    assertThat(past.expectedTokens(150)).as("one phase says little").isEqualTo(150);
    past.note(100, 150, 1, true);
    assertThat(past.expectedTokens(150)).isEqualTo(100);
    past.note(190, 190, 1, true);
    past.note(100, 100, 1, true);
    past.note(190, 190, 1, true);
    assertThat(past.expectedTokens(100))
        .as("who tells what comes is believed again")
        .isEqualTo(100);
  }

  @Test
  void whereBothCameAsCloseWhatIsToldCounts() {
    past.note(100, 100, 1, true);
    past.note(100, 100, 1, true);
    assertThat(past.expectedTokens(110)).isEqualTo(110);
  }

  @Test
  void whereNothingWasToldNothingWasToldWrongly() {
    past.note(100, 0, 1, true);
    past.note(100, 0, 1, true);
    assertThat(past.expectedTokens(110)).isEqualTo(110);
  }

  @Test
  void beforeTheFirstPhaseNothingWasExpectedAndSoNothingMissed() {
    past.note(100, 0, 1, true);
    past.note(100, 120, 1, true);
    assertThat(past.expectedTokens(120)).as("what was seen was right").isEqualTo(100);
  }

  /** A miss counts by half, and by half as much each time after that. */
  @Test
  void ofLateMeansTheLastFewPhases() {
    past.note(100, 100, 1, true);
    past.note(140, 99, 1, true);
    assertThat(past.expectedTokens(140)).as("40 was missed by one, 41 by the other").isEqualTo(140);
    past.note(140, 61, 1, true);
    assertThat(past.expectedTokens(140)).isEqualTo(130);
  }

  @Test
  void whoWasRightLastIsBelievedWhereBothWereWrongBefore() {
    past.note(100, 100, 1, true);
    past.note(140, 97, 1, true);
    assertThat(past.expectedTokens(140)).as("40 was missed by one, 43 by the other").isEqualTo(120);
    past.note(120, 120, 1, true);
    assertThat(past.expectedTokens(140)).as("both were right").isEqualTo(120);
    past.note(120, 120, 1, true);
    past.note(120, 120, 1, true);
    past.note(120, 120, 1, true);
    assertThat(past.expectedTokens(140)).as("that is long ago").isEqualTo(140);
  }
}
