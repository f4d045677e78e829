package dev.sluice.bench;

import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.runner.RunnerException;

/** Runs a set of benchmarks and prints the figures that the project promises. */
public final class Main {
  private static final String USAGE =
      """
      usage: ./sluice bench core [--quick]   schedulers and decisions, 10 to 100,000 jobs: 5 minutes
             ./sluice bench gift [--quick]   decisions over all targets: 4 minutes
             ./sluice bench growth [--quick] [PART ...]  what grows, cost against size: 5 minutes
                                             each part, or these alone: schedulers, decisions,
                                             connections, nodes, history, simulator, whatif
             ./sluice bench period [--quick] watching a job for its period: 10 seconds
             ./sluice bench sim [--quick]    the simulator and a large site: 5 minutes
             ./sluice bench history [--quick] keeping history, and what-if: 3 minutes
             ./sluice bench lustre [--quick] looking after a Lustre server: 2 minutes
        --quick  short runs, to see that all is well; the figures mean little
      """;

  private Main() {}

  public static void main(String[] args) throws RunnerException {
    boolean quick = args.length > 1 && args[1].equals("--quick");
    List<String> parts =
        Arrays.asList(args).subList(Math.min(args.length, quick ? 2 : 1), args.length);
    if (args.length == 0 || (!parts.isEmpty() && !args[0].equals("growth"))) {
      refuse();
    }
    switch (args[0]) {
      case "core" -> CoreBenchmarks.run(quick);
      case "gift" -> GiftBenchmark.run(quick);
      case "growth" -> {
        if (!GrowthBenchmark.run(quick, parts)) {
          refuse();
        }
      }
      case "period" -> PeriodBenchmark.run(quick);
      case "sim" -> SimulatorBenchmark.run(quick);
      case "history" -> HistoryBenchmark.run(quick);
      case "lustre" -> LustreBenchmark.run(quick);
      default -> refuse();
    }
  }

  private static void refuse() {
    System.err.print(USAGE);
    System.exit(2);
  }
}
