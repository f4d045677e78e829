package dev.sluice.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What grows as jobs and targets do, each as a curve with its exponent: the slope of the logarithm
 * of the cost over that of the size. In time of the processor; what is held against something else
 * takes turns with it.
 */
final class GrowthBenchmark {
  private static final List<String> SCHEDULERS =
      List.of("fair", "fair-limited", "tbf", "tbf-throttled", "iosets", "mlwdf", "sojourn");
  private static final List<String> POLICIES = List.of("bsip", "maxmin", "sojourn-all", "gift");

  private static final int[] JOBS = {10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final int[] TARGETS = {1, 10, 100, 1_000};
  private static final int JOBS_PER_TARGET = 10;

  private static final int PAIRS_MIN = 100_000;
  private static final int TURNS = 7;

  /** What came out last, so that no loop is left out because nobody looks. */
  private static volatile int seen;

  private GrowthBenchmark() {}

  static void run(boolean quick) {
    schedulers(quick ? Arrays.copyOf(JOBS, 4) : JOBS, quick ? 3 : TURNS);
    System.out.println();
    decisions(quick ? Arrays.copyOf(TARGETS, 3) : TARGETS, quick ? 3 : TURNS);
  }

  /** A dequeue and an enqueue, divided by what fifo takes with as many jobs. */
  private static void schedulers(int[] sizes, int turns) {
    header("a pair, as a multiple of fifo's", "jobs", sizes);
    double[][] multiples = new double[SCHEDULERS.size()][sizes.length];
    double[] fifoNanos = new double[sizes.length];
    for (int k = 0; k < sizes.length; k++) {
      SchedulerBenchmark fifo = filled("fifo", sizes[k]);
      int pairs = Math.max(PAIRS_MIN, 2 * sizes[k]);
      nanosPerPair(fifo, pairs);
      for (int i = 0; i < multiples.length; i++) {
        SchedulerBenchmark other = filled(SCHEDULERS.get(i), sizes[k]);
        nanosPerPair(other, pairs);
        double[] ratios = new double[turns];
        double[] plain = new double[turns];
        for (int turn = 0; turn < turns; turn++) {
          plain[turn] = nanosPerPair(fifo, pairs);
          ratios[turn] = nanosPerPair(other, pairs) / plain[turn];
        }
        multiples[i][k] = median(ratios);
        fifoNanos[k] = median(plain);
      }
    }
    row("fifo, ns", sizes, fifoNanos);
    for (int i = 0; i < multiples.length; i++) {
      row(SCHEDULERS.get(i), sizes, multiples[i]);
    }
  }

  private static SchedulerBenchmark filled(String scheduler, int jobs) {
    SchedulerBenchmark benchmark = new SchedulerBenchmark();
    benchmark.scheduler = scheduler;
    benchmark.jobs = jobs;
    benchmark.fill();
    return benchmark;
  }

  private static double nanosPerPair(SchedulerBenchmark benchmark, int pairs) {
    int sum = 0;
    long before = processorNanos();
    for (int i = 0; i < pairs; i++) {
      sum += (int) benchmark.pair().operations();
    }
    long nanos = processorNanos() - before;
    seen = sum;
    return (double) nanos / pairs;
  }

  /** A whole decision over all targets, for each job on each of its targets. */
  private static void decisions(int[] sizes, int turns) {
    header("a decision, ns for each job on each of its targets", "targets", sizes);
    for (String policy : POLICIES) {
      double[] nanos = new double[sizes.length];
      for (int k = 0; k < sizes.length; k++) {
        nanos[k] = GiftBenchmark.nanosPerEntry(policy, sizes[k] * JOBS_PER_TARGET, sizes[k], turns);
      }
      row(policy, sizes, nanos);
    }
  }

  private static void header(String what, String of, int[] sizes) {
    List<String> names = new ArrayList<>();
    for (int size : sizes) {
      names.add(String.format(Locale.ROOT, "%,d %s", size, of));
    }
    System.out.println("| " + what + " | " + String.join(" | ", names) + " | exponent |");
    System.out.println("|---" + "|---:".repeat(sizes.length + 1) + "|");
  }

  private static void row(String what, int[] sizes, double[] costs) {
    StringBuilder row = new StringBuilder("| ").append(what).append(" |");
    for (double cost : costs) {
      row.append(String.format(Locale.ROOT, " %.3g |", cost));
    }
    System.out.println(row + String.format(Locale.ROOT, " %.2f |", exponent(sizes, costs)));
  }

  /** The slope of a line through the logarithms, by least squares. */
  private static double exponent(int[] sizes, double[] costs) {
    double meanSize = Arrays.stream(sizes).mapToDouble(Math::log).average().orElseThrow();
    double meanCost = Arrays.stream(costs).map(Math::log).average().orElseThrow();
    double along = 0;
    double squares = 0;
    for (int k = 0; k < sizes.length; k++) {
      double distance = Math.log(sizes[k]) - meanSize;
      along += distance * (Math.log(costs[k]) - meanCost);
      squares += distance * distance;
    }
    return along / squares;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }
}
