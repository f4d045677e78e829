package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.period.PeriodAnswer;
import org.junit.jupiter.api.Test;

class CadenceMeterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLISECOND = 1_000_000L;

  /** Bursts of fifty requests, 10 ms apart. */
  private static void burst(CadenceMeter meter, long atNanos) {
    for (int i = 0; i < 50; i++) {
      long now = atNanos + i * 10L * MILLISECOND;
      meter.arrived(1 << 20, now);
      meter.completed(now + 5 * MILLISECOND);
    }
  }

  @Test
  void findsThePeriodOfBurstsAndKeepsIt() {
    CadenceMeter meter = new CadenceMeter();
    for (int cycle = 0; cycle < 8; cycle++) {
      burst(meter, cycle * 20L * SECOND);
      meter.cadence(cycle * 20L * SECOND + SECOND);
    }
    assertThat(meter.cadence(141 * SECOND))
        .isInstanceOfSatisfying(
            Cadence.Every.class, every -> assertThat(every.nanos() / 1e9).isBetween(19.0, 21.0));
    assertThat(meter.cadence(10_000 * SECOND)).isInstanceOf(Cadence.Every.class);
    meter.checkInvariants();
  }

  @Test
  void nothingIsKnownOfAJobThatDidLittle() {
    CadenceMeter meter = new CadenceMeter();
    assertThat(meter.cadence(SECOND)).isEqualTo(Cadence.UNKNOWN);
    burst(meter, SECOND);
    assertThat(meter.cadence(3 * SECOND)).isEqualTo(Cadence.UNKNOWN);
  }

  @Test
  void aPhaseThatGoesOnSaysThatThePeriodIsNotShorter() {
    CadenceMeter meter = new CadenceMeter();
    meter.arrived(1, 0);
    for (int second = 1; second <= 40; second++) {
      meter.arrived(1, second * SECOND);
      meter.completed(second * SECOND);
    }
    assertThat(meter.known()).isEqualTo(new Cadence.AtLeast(40 * SECOND));
    meter.completed(41 * SECOND);
    meter.arrived(1, 400 * SECOND);
    assertThat(meter.known())
        .as("from the start of a long phase to that of the next")
        .isEqualTo(new Cadence.AtLeast(400 * SECOND));
  }

  @Test
  void pausesAreNoPartOfAPhase() {
    CadenceMeter meter = new CadenceMeter();
    for (int second = 0; second < 100; second++) {
      meter.arrived(1, second * SECOND);
      meter.completed(second * SECOND + 100 * MILLISECOND);
    }
    assertThat(meter.known()).isEqualTo(Cadence.UNKNOWN);
  }

  /** What comes while the detector is asked is not lost, and nobody asks twice at once. */
  @Test
  void requestsMayComeWhileItIsAsked() {
    CadenceMeter meter = new CadenceMeter();
    for (int cycle = 0; cycle < 8; cycle++) {
      long at = cycle * 20L * SECOND;
      boolean asks = meter.beginAsking(at);
      assertThat(meter.beginAsking(at)).isFalse();
      PeriodAnswer answer = meter.answer(at);
      burst(meter, at);
      if (asks) {
        meter.endAsking(answer, at);
      }
    }
    assertThat(meter.cadence(141 * SECOND))
        .as("all bursts came while it was asked")
        .isInstanceOfSatisfying(
            Cadence.Every.class, every -> assertThat(every.nanos() / 1e9).isBetween(19.8, 20.2));
  }
}
