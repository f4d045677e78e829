package dev.sluice.bench;

import dev.sluice.control.measure.CycleBenchmark;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What grows as jobs, targets, connections, nodes and days do, each as a curve with its exponent:
 * the slope of the logarithm of the cost over that of the size. In time of the processor unless it
 * says otherwise; what is held against something else takes turns with it.
 */
final class GrowthBenchmark {
  private static final List<String> SCHEDULERS =
      List.of("fair", "fair-limited", "tbf", "tbf-throttled", "iosets", "mlwdf", "sojourn");
  private static final List<String> POLICIES = List.of("bsip", "maxmin", "sojourn-all", "gift");

  private static final int[] JOBS = {10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final int[] TARGETS = {1, 10, 100, 1_000};
  private static final int JOBS_PER_TARGET = 10;

  private static final int[] NODES = {1_000, 10_000, 100_000};
  private static final int NODES_PER_AGGREGATOR = 500;

  private static final int PAIRS_MIN = 100_000;
  private static final int TURNS = 5;

  /** What came out last, so that no loop is left out because nobody looks. */
  private static volatile int seen;

  private GrowthBenchmark() {}

  /** One thing that is measured. */
  private interface Part {
    void measure(boolean quick) throws Exception;
  }

  private static Map<String, Part> parts() {
    Map<String, Part> parts = new LinkedHashMap<>();
    parts.put("schedulers", GrowthBenchmark::schedulers);
    parts.put("decisions", GrowthBenchmark::decisions);
    parts.put("connections", ConnectionGrowth::run);
    parts.put("nodes", GrowthBenchmark::nodes);
    parts.put("history", HistoryGrowth::run);
    parts.put("simulator", SimulatorGrowth::run);
    parts.put("whatif", HistoryGrowth::whatIf);
    return parts;
  }

  /**
   * Measures these parts, or all.
   *
   * @return whether there are parts of these names
   */
  static boolean run(boolean quick, List<String> names) {
    Map<String, Part> parts = parts();
    if (!parts.keySet().containsAll(names)) {
      return false;
    }
    parts.forEach((name, part) -> {
      if (names.isEmpty() || names.contains(name)) {
        try {
          part.measure(quick);
        } catch (Exception e) {
          throw new IllegalStateException(name + " could not be measured", e);
        }
        System.out.println();
      }
    });
    return true;
  }

  /** A dequeue and an enqueue, divided by what fifo takes with as many jobs. */
  private static void schedulers(boolean quick) {
    int[] sizes = quick ? Arrays.copyOf(JOBS, 4) : JOBS;
    int turns = quick ? 3 : TURNS;
    GrowthTable table = new GrowthTable("a pair, as a multiple of fifo's", "jobs", sizes);
    double[][] multiples = new double[SCHEDULERS.size()][sizes.length];
    double[] fifoNanos = new double[sizes.length];
    for (int k = 0; k < sizes.length; k++) {
      SchedulerBenchmark fifo = filled("fifo", sizes[k]);
      int pairs = Math.max(PAIRS_MIN, sizes[k]);
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
        multiples[i][k] = GrowthTable.median(ratios);
        fifoNanos[k] = GrowthTable.median(plain);
      }
    }
    table.row("fifo, ns", fifoNanos);
    for (int i = 0; i < multiples.length; i++) {
      table.row(SCHEDULERS.get(i), multiples[i]);
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
    long before = GrowthTable.processorNanos();
    for (int i = 0; i < pairs; i++) {
      sum += (int) benchmark.pair().operations();
    }
    long nanos = GrowthTable.processorNanos() - before;
    seen = sum;
    return (double) nanos / pairs;
  }

  /** A whole decision over all targets, for each job on each of its targets. */
  private static void decisions(boolean quick) {
    int[] sizes = quick ? Arrays.copyOf(TARGETS, 3) : TARGETS;
    GrowthTable table =
        new GrowthTable("a decision, ns for each job on each of its targets", "targets", sizes);
    for (String policy : POLICIES) {
      double[] nanos = new double[sizes.length];
      for (int k = 0; k < sizes.length; k++) {
        nanos[k] =
            GiftBenchmark.nanosPerEntry(
                policy, sizes[k] * JOBS_PER_TARGET, sizes[k], quick ? 3 : TURNS);
      }
      table.row(policy, nanos);
    }
  }

  /**
   * The controller's part of a cycle, over loopback, behind aggregators that are simulated: each
   * reports what five hundred nodes would have made it report.
   */
  private static void nodes(boolean quick) throws Exception {
    GrowthTable table = new GrowthTable("a cycle of the controller", "nodes", NODES);
    double[] cpuMicros = new double[NODES.length];
    double[] wallMillis = new double[NODES.length];
    double[] megabytes = new double[NODES.length];
    for (int k = 0; k < NODES.length; k++) {
      Map<String, Double> figures =
          CycleBenchmark.behindSimulatedAggregators(
              NODES[k], NODES[k] / NODES_PER_AGGREGATOR, quick ? 3 : 20);
      cpuMicros[k] = figures.getOrDefault("cpu", Double.NaN) / NODES[k];
      wallMillis[k] = figures.getOrDefault("median", Double.NaN) / 1e3;
      megabytes[k] = figures.getOrDefault("memory", Double.NaN) / 1e6;
    }
    table.row("processor, µs for each node", cpuMicros);
    table.row("on the wall, median, ms", wallMillis);
    table.row("memory, MB", megabytes);
  }
}
