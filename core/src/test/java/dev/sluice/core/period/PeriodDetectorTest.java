package dev.sluice.core.period;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import dev.sluice.testkit.SeededCases;
import java.lang.management.ManagementFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class PeriodDetectorTest {
  private static final long SECOND = 1_000_000_000;

  /** Sixteen requests every twenty seconds. */
  private static PeriodDetector everyTwentySeconds(int bursts) {
    PeriodDetector detector = new PeriodDetector();
    for (int burst = 0; burst < bursts; burst++) {
      for (int request = 0; request < 16; request++) {
        detector.feed(burst * 20L * SECOND + request * SECOND / 16, 1 << 20);
      }
    }
    return detector;
  }

  private static double seconds(PeriodAnswer answer) {
    assertThat(answer).isInstanceOf(Period.class);
    return ((Period) answer).nanos() / 1e9;
  }

  @Test
  void nothingIsConcludedFromNothing() {
    assertThat(new PeriodDetector().answer(0))
        .isEqualTo(new Inconclusive(Inconclusive.Reason.TOO_FEW_BURSTS));
    assertThat(everyTwentySeconds(1).answer(30 * SECOND))
        .isEqualTo(new Inconclusive(Inconclusive.Reason.TOO_FEW_BURSTS));
  }

  @Test
  void fourBurstsAreEnough() {
    PeriodFinding finding = everyTwentySeconds(4).find(61 * SECOND);
    assertThat(seconds(finding.answer())).isCloseTo(20, within(0.3));
    assertThat(finding.bursts()).hasSize(4);
    assertThat(finding.bursts().get(1).beginNanos() / 1e9).isCloseTo(20, within(0.5));
  }

  @Test
  void threeBurstsAreEnoughWhenThreeCyclesHavePassed() {
    assertThat(everyTwentySeconds(3).answer(42 * SECOND)).isInstanceOf(Inconclusive.class);
    assertThat(seconds(everyTwentySeconds(3).answer(62 * SECOND))).isCloseTo(20, within(0.3));
  }

  @Test
  void aRhythmThatStopsIsOverAfterFourCycles() {
    PeriodDetector detector = everyTwentySeconds(10);
    Period punctual = (Period) detector.answer(190 * SECOND);
    Period late = (Period) detector.answer(230 * SECOND);
    assertThat(late.confidence()).isLessThan(punctual.confidence());
    assertThat(detector.answer(270 * SECOND))
        .isEqualTo(new Inconclusive(Inconclusive.Reason.SILENT));
    assertThat(detector.answer(100_000 * SECOND)).isInstanceOf(Inconclusive.class);
  }

  @Test
  void whatMakesNoSenseIsRefused() {
    PeriodDetector detector = new PeriodDetector();
    assertThatThrownBy(() -> detector.feed(0, -1)).hasMessageContaining("-1 bytes");
    assertThatThrownBy(() -> detector.feed(5, 5, 1)).hasMessageContaining("expected it to take");
    assertThatThrownBy(() -> detector.feed(5, 6, -1)).hasMessageContaining("-1 bytes");
    assertThatThrownBy(() -> new Period(0, 0.5)).hasMessageContaining("period 0 ns");
    assertThatThrownBy(() -> new Period(1, Double.NaN)).hasMessageContaining("confidence NaN");
  }

  @Test
  void neitherTheClocksOriginNorTheUnitOfVolumeMatters() {
    SeededCases.forAll(
        60,
        random -> {
          GeneratedTrace.Kind kind = GeneratedTrace.Kind.REQUESTS;
          List<GeneratedTrace.Flow> flows = GeneratedTrace.of(kind, random).flows();
          // A multiple of the coarsest bin, so that all bins are cut at the same moments.
          long origin = random.nextLong(-1 << 20, 1 << 20) << 36;
          int factor = 1 << random.nextInt(10);
          PeriodDetector plain = new PeriodDetector();
          PeriodDetector shifted = new PeriodDetector();
          long now = 0;
          for (GeneratedTrace.Flow flow : flows) {
            now = Math.round(flow.fromSeconds() * SECOND);
            plain.feed(now, 4096);
            shifted.feed(now + origin, 4096L * factor);
          }
          assertThat(shifted.answer(now + origin)).isEqualTo(plain.answer(now));
        });
  }

  @Test
  void askingChangesNothing() {
    SeededCases.forAll(
        40,
        random -> {
          GeneratedTrace trace = GeneratedTrace.of(GeneratedTrace.Kind.NOISY, random);
          PeriodDetector asked = new PeriodDetector();
          PeriodDetector quiet = new PeriodDetector();
          for (GeneratedTrace.Flow flow : trace.flows()) {
            long at = Math.round(flow.fromSeconds() * SECOND);
            asked.feed(at, 1000);
            quiet.feed(at, 1000);
            if (random.nextInt(10) == 0) {
              assertThat(asked.answer(at)).isEqualTo(quiet.answer(at));
            }
          }
        });
  }

  @Test
  void feedingAllocatesNothingAndADetectorIsSmall() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    PeriodDetector warm = new PeriodDetector();
    feedMany(warm);
    long before = threads.getCurrentThreadAllocatedBytes();
    PeriodDetector detector = new PeriodDetector();
    long made = threads.getCurrentThreadAllocatedBytes();
    assertThat(made - before).isLessThan(64 * 1024);
    feedMany(detector);
    // The measurement itself may allocate a little; a single byte for each request would be more.
    assertThat(threads.getCurrentThreadAllocatedBytes() - made).isLessThan(10_000);
  }

  private static void feedMany(PeriodDetector detector) {
    long now = 0;
    for (int request = 0; request < 100_000; request++) {
      now += request % 1000 == 0 ? 10 * SECOND : 100_000;
      detector.feed(now, 4096);
    }
  }
}
