package dev.sluice.bench;

import org.openjdk.jmh.runner.RunnerException;

/** Runs a set of benchmarks and prints the figures that the project promises. */
public final class Main {
  private static final String USAGE =
      """
      usage: ./sluice bench core [--quick]   schedulers and decisions, 10 to 100,000 jobs: 5 minutes
             ./sluice bench gift [--quick]   decisions over all targets: 4 minutes
             ./sluice bench growth [--quick] what grows with jobs and targets: 5 minutes
             ./sluice bench period [--quick] watching a job for its period: 10 seconds
             ./sluice bench sim [--quick]    the simulator and a large site: 5 minutes
             ./sluice bench history [--quick] keeping history, and what-if: 3 minutes
             ./sluice bench lustre [--quick] looking after a Lustre server: 2 minutes
        --quick  short runs, to see that all is well; the figures mean little
      """;

  private Main() {}

  public static void main(String[] args) throws RunnerException {
    boolean quick = args.length == 2 && args[1].equals("--quick");
    if (args.length == 0 || args.length > (quick ? 2 : 1)) {
      refuse();
    }
    switch (args[0]) {
      case "core" -> CoreBenchmarks.run(quick);
      case "gift" -> GiftBenchmark.run(quick);
      case "growth" -> GrowthBenchmark.run(quick);
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
