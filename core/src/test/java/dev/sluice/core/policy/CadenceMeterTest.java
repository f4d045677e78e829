package dev.sluice.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.period.Inconclusive;
import dev.sluice.core.period.Period;
import dev.sluice.core.period.PeriodAnswer;
import dev.sluice.core.period.PeriodDetector;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class CadenceMeterTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLISECOND = 1_000_000L;
  private static final int BURST_REQUESTS = 50;

  /** Bursts of fifty requests, 10 ms apart. */
  private static void burst(CadenceMeter meter, long atNanos) {
    for (int i = 0; i < BURST_REQUESTS; i++) {
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
  void whatIsLeftOfAPhaseIsTakenFromTheOneBefore() {
    CadenceMeter meter = new CadenceMeter();
    for (int cycle = 0; cycle < 8; cycle++) {
      assertThat(meter.phaseRestTokens())
          .isEqualTo(meter.known() instanceof Cadence.Every ? 0 : JobDemand.NOT_KNOWN);
      burst(meter, cycle * 20L * SECOND);
      meter.cadence(cycle * 20L * SECOND + SECOND);
    }
    assertThat(meter.known()).isInstanceOf(Cadence.Every.class);
    meter.arrived(1 << 20, 160 * SECOND);
    assertThat(meter.phaseRestTokens()).isEqualTo((BURST_REQUESTS - 1L) << 20);
  }

  @Test
  void askedOnceItTellsAllThatCanBeToldByThen() {
    CadenceMeter meter = new CadenceMeter();
    for (int cycle = 0; cycle < 8; cycle++) {
      burst(meter, cycle * 20L * SECOND);
    }
    assertThat(meter.cadence(141 * SECOND)).isInstanceOf(Cadence.Every.class);
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

  /** A job that beats for an hour costs a hundred answers, not one for each of its cycles. */
  @Test
  void aRhythmThatHoldsIsAskedAboutLessAndLess() {
    CadenceMeter meter = new CadenceMeter();
    int asked = 0;
    for (long second = 0; second < 3_600; second++) {
      if (second % 2 == 0) {
        burst(meter, second * SECOND);
      }
      long now = (second + 1) * SECOND;
      if (meter.beginAsking(now)) {
        asked++;
        meter.endAsking(meter.answer(now), now);
      }
    }
    assertThat(asked).isLessThan(150);
    assertThat(meter.known()).isInstanceOf(Cadence.Every.class);
  }

  /**
   * However long a rhythm has held, the next one is known a sixteenth of that time, or half of
   * whatever period was believed in between, after a detector that is asked once a second is sure.
   */
  @Test
  void aNewRhythmIsKnownSoonAfterTheDetectorKnowsIt() {
    SeededCases.forAll(
        EnduranceScale.of(12, 40),
        random -> {
          CadenceMeter meter = new CadenceMeter();
          PeriodDetector eager = new PeriodDetector();
          long period = random.nextLong(2, 10) * SECOND;
          long held = random.nextLong(20, 200) * period;
          long next = period * random.nextLong(2, 6);
          long end = held + 40 * next;
          long sureSince = end;
          long believed = 0;
          long knownSince = end;
          long nextBurst = 0;
          for (long now = 0; now < end; now += SECOND) {
            if (now - nextBurst >= SECOND) {
              burst(meter, nextBurst);
              feed(eager, nextBurst);
              nextBurst += nextBurst < held ? period : next;
            }
            boolean isKnown =
                meter.cadence(now) instanceof Cadence.Every(long nanos, _) && isAbout(nanos, next);
            knownSince = isKnown ? Math.min(knownSince, now) : end;
            if (now >= held) {
              boolean isSure =
                  switch (eager.answer(now)) {
                    case Period(long nanos, _) -> {
                      believed = Math.max(believed, nanos);
                      yield isAbout(nanos, next);
                    }
                    case Inconclusive _ -> false;
                  };
              sureSince = isSure ? Math.min(sureSince, now) : end;
            }
          }
          assertThat(sureSince).as("when the detector was sure").isLessThan(end);
          assertThat(knownSince)
              .isLessThanOrEqualTo(sureSince + Math.max(believed / 2, sureSince / 16) + SECOND);
        });
  }

  private static boolean isAbout(long nanos, long expectedNanos) {
    return Math.abs(nanos - expectedNanos) <= expectedNanos / 20;
  }

  private static void feed(PeriodDetector detector, long atNanos) {
    for (int i = 0; i < BURST_REQUESTS; i++) {
      detector.feed(atNanos + i * 10L * MILLISECOND, 1 << 20);
    }
  }
}
