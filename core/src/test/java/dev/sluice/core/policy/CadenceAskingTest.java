package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.period.Inconclusive;
import dev.sluice.core.period.Period;
import dev.sluice.core.period.PeriodAnswer;
import org.junit.jupiter.api.Test;

/** When a {@link CadenceMeter} asks its detector, and where phases begin and end for it. */
class CadenceAskingTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLISECOND = 1_000_000L;
  private static final PeriodAnswer NONE = new Inconclusive(Inconclusive.Reason.IRREGULAR);

  @Test
  void itIsAskedNoMoreOftenThanTheAnswerCanHaveChanged() {
    CadenceMeter meter = new CadenceMeter();
    assertThat(meter.beginAsking(SECOND)).as("nothing came").isFalse();
    meter.arrived(1, 0);
    asksFirst(meter, SECOND, NONE);
    asksFirst(meter, 2 * SECOND, NONE);
    asks(meter, 64 * SECOND, NONE);
    asksFirst(meter, 66 * SECOND, new Period(10 * SECOND, 0.9));
    assertThat(meter.known()).isEqualTo(new Cadence.Every(10 * SECOND, 0.9));
    // The same rhythm, since the 66th second.
    asksFirst(meter, 71 * SECOND, new Period(11 * SECOND, 0.9));
    asksFirst(meter, 71 * SECOND + 5_500 * MILLISECOND, new Period(11 * SECOND, 0.9));
    asks(meter, (66 + 160) * SECOND, new Period(11 * SECOND, 0.9));
    asksFirst(meter, 236 * SECOND, new Period(13 * SECOND, 0.9));
    // Another one, which is held for no time yet; and what is too short is no rhythm of phases.
    long tooShort = 236 * SECOND + 6_500 * MILLISECOND;
    asksFirst(meter, tooShort, new Period(SECOND - 1, 0.9));
    assertThat(meter.known()).isEqualTo(new Cadence.Every(13 * SECOND, 0.9));
    long shortest = tooShort + tooShort / 32;
    asksFirst(meter, shortest, new Period(SECOND, 0.8));
    assertThat(meter.known()).isEqualTo(new Cadence.Every(SECOND, 0.8));
    asksFirst(meter, shortest + SECOND, new Period(200 * SECOND, 0.8));
    asksFirst(meter, shortest + 61 * SECOND, NONE);
  }

  /** How long there was nothing to find counts from the job's first request on. */
  @Test
  void whatWasBeforeTheFirstRequestDoesNotCount() {
    CadenceMeter meter = new CadenceMeter();
    long start = 1_000 * SECOND;
    meter.arrived(1, start);
    asksFirst(meter, start + SECOND, NONE);
    asks(meter, start + 64 * SECOND, NONE);
    asksFirst(meter, start + 66 * SECOND, NONE);
  }

  @Test
  void ofAPhaseAfterOneThatCostNothingNothingIsLeft() {
    CadenceMeter meter = new CadenceMeter();
    meter.arrived(0, 0);
    meter.completed(0);
    asks(meter, 20 * SECOND, new Period(20 * SECOND, 0.9));
    assertThat(meter.phaseRestTokens()).isZero();
  }

  /** This is the first instant at which it asks; something came just before. */
  private static void asksFirst(CadenceMeter meter, long nowNanos, PeriodAnswer answer) {
    meter.arrived(1, nowNanos - 1);
    assertThat(meter.beginAsking(nowNanos - 1)).as("before %d ns", nowNanos).isFalse();
    asks(meter, nowNanos, answer);
    assertThat(meter.beginAsking(nowNanos + 3_600 * SECOND)).as("nothing came since").isFalse();
  }

  private static void asks(CadenceMeter meter, long nowNanos, PeriodAnswer answer) {
    meter.arrived(1, nowNanos);
    assertThat(meter.beginAsking(nowNanos)).as("at %d ns", nowNanos).isTrue();
    meter.endAsking(answer, nowNanos);
  }

  @Test
  void thereIsABoundOnWhatIsKeptApartWhileItIsAsked() {
    CadenceMeter meter = new CadenceMeter();
    meter.arrived(1, 0);
    assertThat(meter.beginAsking(SECOND)).isTrue();
    for (int i = 0; i < 1_000; i++) {
      meter.arrived(1 << 20, SECOND + i);
    }
    meter.endAsking(NONE, SECOND + 1_000);
    meter.checkInvariants();
    assertThat(meter.answer(2 * SECOND)).isInstanceOf(Inconclusive.class);
  }

  @Test
  void aTenthOfASecondIsPartOfAPhaseAndMoreIsNot() {
    assertThat(afterTwoSecondsWithPausesOf(100 * MILLISECOND))
        .isEqualTo(new Cadence.AtLeast(2 * SECOND));
    assertThat(afterTwoSecondsWithPausesOf(100 * MILLISECOND + 1)).isEqualTo(Cadence.UNKNOWN);
  }

  private static Cadence afterTwoSecondsWithPausesOf(long pauseNanos) {
    CadenceMeter meter = new CadenceMeter();
    for (int i = 0; i <= 20; i++) {
      meter.arrived(1, i * pauseNanos);
      meter.completed(i * pauseNanos);
    }
    return meter.known();
  }

  @Test
  void aPhaseOfTenSecondsIsComparedWithTheNext() {
    for (long shorter : new long[] {0, 1}) {
      CadenceMeter meter = new CadenceMeter();
      long start = 1_000 * SECOND;
      meter.arrived(1, start);
      long lasted = 10 * SECOND - shorter;
      meter.completed(start + lasted);
      assertThat(meter.known()).isEqualTo(new Cadence.AtLeast(lasted));
      meter.arrived(1, start + 50 * SECOND);
      assertThat(meter.known()).isEqualTo(new Cadence.AtLeast(shorter == 0 ? 50 * SECOND : lasted));
    }
  }

  @Test
  void aPhaseOfASecondSaysSomething() {
    CadenceMeter meter = new CadenceMeter();
    meter.arrived(1, 0);
    meter.arrived(1, 0);
    meter.completed(SECOND - 1);
    assertThat(meter.known()).isEqualTo(Cadence.UNKNOWN);
    meter.completed(SECOND);
    assertThat(meter.known()).isEqualTo(new Cadence.AtLeast(SECOND));
  }
}
