package dev.sluice.core.period;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.period.GeneratedTrace.Kind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds the promises about how often answers are right, on more than a thousand traces. */
class DetectionQualityTest {
  private static final int TRACES_PER_KIND = 60;
  private static final double NANOS = 1e9;

  /** An answer at the end of a trace, or at a moment before. */
  private record Asked(GeneratedTrace trace, boolean atEnd, PeriodAnswer answer) {
    boolean isRight() {
      return answer instanceof Period period && trace.isRight(period.nanos() / NANOS);
    }

    boolean isConclusive() {
      return answer instanceof Period;
    }
  }

  private static final Map<Kind, List<Asked>> ASKED = new EnumMap<>(Kind.class);

  @BeforeAll
  static void ask() {
    long seed = 1;
    for (Kind kind : Kind.values()) {
      List<Asked> asked = new ArrayList<>();
      for (int i = 0; i < TRACES_PER_KIND; i++) {
        SplittableRandom random = new SplittableRandom(seed++);
        GeneratedTrace trace = GeneratedTrace.of(kind, random);
        asked.add(new Asked(trace, true, trace.answerAt(trace.endSeconds())));
        // Before its end, a trace that changes has another period than the one it is labelled with.
        if (kind != Kind.CHANGED && kind != Kind.DRIFTING) {
          double moment = trace.endSeconds() * random.nextDouble(0.2, 1);
          asked.add(new Asked(trace, false, trace.answerAt(moment)));
        }
      }
      ASKED.put(kind, asked);
    }
  }

  private static double share(List<Asked> asked, Predicate<Asked> which) {
    return (double) asked.stream().filter(which).count() / asked.size();
  }

  private static List<Asked> atEnd(Kind kind) {
    return ASKED.getOrDefault(kind, List.of()).stream().filter(Asked::atEnd).toList();
  }

  @Test
  void periodsAreFoundInEveryKindOfPeriodicTrace() {
    for (Kind kind : Kind.values()) {
      if (kind.periodic) {
        assertThat(share(atEnd(kind), Asked::isRight)).as(kind.name()).isGreaterThan(0.85);
      }
    }
    List<Asked> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (kind.periodic) {
        all.addAll(atEnd(kind));
      }
    }
    assertThat(share(all, Asked::isRight)).isGreaterThan(0.95);
  }

  @Test
  void whatIsNotPeriodicGetsNoAnswer() {
    List<Asked> all = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (!kind.periodic) {
        // Of 120 answers at a rate of 5 %, more than 12 come by chance once in a hundred times.
        assertThat(share(ASKED.getOrDefault(kind, List.of()), DetectionQualityTest::isFalse))
            .as(kind.name())
            .isLessThanOrEqualTo(0.1);
        all.addAll(ASKED.getOrDefault(kind, List.of()));
      }
    }
    assertThat(share(all, DetectionQualityTest::isFalse)).isLessThanOrEqualTo(0.05);
  }

  private static boolean isFalse(Asked asked) {
    return asked.isConclusive() && !asked.isRight();
  }

  @Test
  void confidenceIsHowOftenAnAnswerIsRight() {
    int[] answers = new int[10];
    int[] right = new int[10];
    double[] confidences = new double[10];
    int all = 0;
    for (List<Asked> asked : ASKED.values()) {
      for (Asked one : asked) {
        if (one.answer instanceof Period period) {
          int decile = Math.min(9, (int) (period.confidence() * 10));
          answers[decile]++;
          confidences[decile] += period.confidence();
          right[decile] += one.isRight() ? 1 : 0;
          all++;
        }
      }
    }
    assertThat(all).isGreaterThan(1_000);
    for (int decile = 0; decile < 10; decile++) {
      if (answers[decile] >= 50) {
        assertThat((double) right[decile] / answers[decile])
            .as("%d answers with confidence from %d0 %%", answers[decile], decile)
            .isBetween(
                confidences[decile] / answers[decile] - 0.1,
                confidences[decile] / answers[decile] + 0.1);
      }
    }
  }

  @Test
  void fourCyclesAreEnoughForAnAnswer() {
    int right = 0;
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(50_000 + seed);
      double period = Math.exp(random.nextDouble(0, 6));
      PeriodDetector detector = new PeriodDetector();
      double at = 0;
      for (int burst = 0; burst < 5; burst++) {
        feed(detector, at, at + period * 0.1);
        at += burst < 4 ? period * (1 + 0.05 * random.nextGaussian()) : 0;
      }
      right += isNear(detector, at + period * 0.1, period) ? 1 : 0;
    }
    assertThat(right).isGreaterThanOrEqualTo(196);
  }

  @Test
  void aChangeIsNoticedWithinFourNewCycles() {
    int right = 0;
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(60_000 + seed);
      double period = Math.exp(random.nextDouble(0, 6));
      double factor = Math.exp(random.nextDouble(Math.log(1.5), Math.log(10)));
      double old = random.nextBoolean() ? period * factor : period / factor;
      double length = 0.1 * Math.min(old, period);
      PeriodDetector detector = new PeriodDetector();
      double at = 0;
      int before = random.nextInt(4, 20);
      for (int burst = 0; burst < before + 5; burst++) {
        feed(detector, at, at + length);
        double cycle = burst < before ? old : period;
        at += burst < before + 4 ? cycle * (1 + 0.03 * random.nextGaussian()) : 0;
      }
      right += isNear(detector, at + length, period) ? 1 : 0;
    }
    assertThat(right).isGreaterThanOrEqualTo(190);
  }

  private static void feed(PeriodDetector detector, double fromSeconds, double toSeconds) {
    detector.feed(
        Math.round(fromSeconds * NANOS),
        Math.round(toSeconds * NANOS),
        Math.round((toSeconds - fromSeconds) * 1e9));
  }

  private static boolean isNear(PeriodDetector detector, double nowSeconds, double period) {
    return detector.answer(Math.round(nowSeconds * NANOS)) instanceof Period found
        && Math.abs(found.nanos() / NANOS / period - 1) <= 0.15;
  }
}
