package dev.sluice.bench;

import com.sun.management.ThreadMXBean;
import dev.sluice.core.period.PeriodAnswer;
import dev.sluice.core.period.PeriodDetector;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntConsumer;

/**
 * What it costs to watch a job for its period, in time of the processor: to tell of a request, to
 * ask, and to remember.
 */
final class PeriodBenchmark {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final long PERIOD_NANOS = 20_000_000_000L;
  private static final int CYCLES = 200;
  private static final int REQUESTS_PER_PHASE = 1_000;
  private static final long REQUEST_NANOS = 2_000_000;
  private static final int NOISE_PER_CYCLE = 30;

  private PeriodBenchmark() {}

  static void run(boolean quick) {
    int rounds = quick ? 5 : 30;
    System.out.println("| what | median ns | slowest tenth ns | bytes allocated |");
    System.out.println("|---|---:|---:|---:|");
    for (long spacingNanos : new long[] {100_000, 50_000_000, PERIOD_NANOS}) {
      PeriodDetector detector = new PeriodDetector();
      long[] now = {0};
      measure(
          String.format(Locale.ROOT, "a request, every %,d µs", spacingNanos / 1_000),
          rounds,
          200_000,
          i -> {
            now[0] += spacingNanos;
            detector.feed(now[0], 1 << 20);
          });
    }
    answers("an answer, even phases", watched(0), rounds);
    answers("an answer, with noise between", watched(NOISE_PER_CYCLE), rounds);
    answers("an answer, nothing but noise", noise(), rounds);
    PeriodDetector[] kept = new PeriodDetector[1];
    measure("a detector", rounds, 1_000, i -> kept[0] = new PeriodDetector());
  }

  private static void answers(String what, PeriodDetector detector, int rounds) {
    PeriodAnswer[] kept = new PeriodAnswer[1];
    measure(what, rounds, 50, i -> kept[0] = detector.answer(CYCLES * PERIOD_NANOS));
  }

  /** Has seen a phase of requests in each cycle, and small ones at random between them. */
  private static PeriodDetector watched(int noisePerCycle) {
    SplittableRandom random = new SplittableRandom(1);
    PeriodDetector detector = new PeriodDetector();
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      long begin = cycle * PERIOD_NANOS;
      for (int request = 0; request < REQUESTS_PER_PHASE; request++) {
        detector.feed(begin + request * REQUEST_NANOS, 1 << 20);
      }
      for (int request = 0; request < noisePerCycle; request++) {
        detector.feed(begin + random.nextLong(PERIOD_NANOS), 1 << 16);
      }
    }
    return detector;
  }

  /** Has seen requests of all sizes at random. */
  private static PeriodDetector noise() {
    SplittableRandom random = new SplittableRandom(2);
    PeriodDetector detector = new PeriodDetector();
    long now = 0;
    while (now < CYCLES * PERIOD_NANOS) {
      now += random.nextLong(1, 1L << random.nextInt(10, 36));
      detector.feed(now, random.nextLong(1 << 20));
    }
    return detector;
  }

  private static void measure(String what, int rounds, int count, IntConsumer action) {
    double[] nanos = new double[rounds];
    double bytes = 0;
    // As many again before it counts, so that all is compiled.
    for (int round = -rounds; round < rounds; round++) {
      long allocatedBefore = THREADS.getCurrentThreadAllocatedBytes();
      long before = THREADS.getCurrentThreadCpuTime();
      for (int i = 0; i < count; i++) {
        action.accept(i);
      }
      long spent = THREADS.getCurrentThreadCpuTime() - before;
      bytes = (double) (THREADS.getCurrentThreadAllocatedBytes() - allocatedBefore) / count;
      if (round >= 0) {
        nanos[round] = (double) spent / count;
      }
    }
    Arrays.sort(nanos);
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %,.0f | %,.0f | %,.0f |",
            what,
            nanos[rounds / 2],
            nanos[rounds * 9 / 10],
            bytes));
  }
}
