package dev.sluice.bench;

import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.sim.Simulator;
import dev.sluice.sim.result.RunResult;
import dev.sluice.sim.run.StandardSimulator;
import dev.sluice.sim.scenario.BuiltInScenarios;
import dev.sluice.sim.scenario.Scenario;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The simulator's own speed, in time of the processor and not of the clock on the wall, so that
 * other programs disturb it less.
 */
final class SimulatorBenchmark {
  private static final List<String> POLICIES = List.of("none", "static", "fair", "adaptbf");
  private static final List<String> PAPER =
      List.of("allocation", "redistribution", "recompensation");
  private static final int RUNS = 30;

  private SimulatorBenchmark() {}

  static void run(boolean quick) {
    System.out.println("| what | figure |");
    System.out.println("|---|---:|");
    paper();
    events(quick ? 2 : RUNS);
    if (!quick) {
      largeSite();
    }
  }

  /** Before anything is compiled: this is what somebody who repeats the paper waits for. */
  private static void paper() {
    long before = processorNanos();
    for (String name : PAPER) {
      for (String policy : POLICIES) {
        simulate(BuiltInScenarios.read(name, 1), policy, 1);
      }
    }
    row("experiments D, E, F under four policies, from a cold start", seconds(before), "%.1f s");
  }

  private static void events(int runs) {
    Scenario scenario = BuiltInScenarios.read("allocation", 1);
    for (String policy : POLICIES) {
      for (int i = 0; i < runs; i++) {
        simulate(scenario, policy, i);
      }
      double events = 0;
      long before = processorNanos();
      for (int i = 0; i < runs; i++) {
        events += simulate(scenario, policy, i).events();
      }
      row(
          "experiment D under " + policy + ", million events a second",
          events / seconds(before) / 1e6,
          "%.1f");
    }
  }

  private static void largeSite() {
    Scenario scenario = BuiltInScenarios.read("large-site", 1);
    long before = processorNanos();
    RunResult result = simulate(scenario, "adaptbf", 1);
    double seconds = seconds(before);
    double io =
        result.jobs().stream()
            .mapToDouble(job -> (double) job.ioNanos() / result.endNanos())
            .average()
            .orElse(0);
    row("an hour of 1,000 targets and 10,000 jobs under adaptbf", seconds, "%.0f s");
    row("  decisions, million", result.decisions() / 1e6, "%.1f");
    row("  time that jobs spend in I/O", 100 * io, "%.0f %%");
    row("  highest use of the heap", heapBytesMax() / 1e9, "%.2f GB");
  }

  private static RunResult simulate(Scenario scenario, String name, long seed) {
    PolicyFactory policy = PolicyRegistry.named(name);
    Settings settings = new Settings(policy.info(), Map.of());
    return new StandardSimulator().run(scenario, policy, settings, seed, Simulator.Progress.NONE);
  }

  private static double heapBytesMax() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .map(MemoryPoolMXBean::getPeakUsage)
        .mapToDouble(usage -> (double) usage.getUsed())
        .sum();
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static double seconds(long sinceProcessorNanos) {
    return (processorNanos() - sinceProcessorNanos) / 1e9;
  }

  private static void row(String what, double figure, String format) {
    System.out.println("| " + what + " | " + String.format(Locale.ROOT, format, figure) + " |");
  }
}
