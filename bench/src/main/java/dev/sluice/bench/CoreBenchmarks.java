package dev.sluice.bench;

import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Schedulers and decisions, measured by JMH and printed as one table. */
final class CoreBenchmarks {
  private CoreBenchmarks() {}

  static void run(boolean quick) throws RunnerException {
    ChainedOptionsBuilder options =
        new OptionsBuilder()
            .include(SchedulerBenchmark.class.getName())
            .include(DecisionBenchmark.class.getName())
            .include(SojournBenchmark.class.getName())
            .addProfiler(GCProfiler.class)
            .jvmArgsAppend("-Xms4g", "-Xmx4g", "-XX:+UseParallelGC", "-XX:+UseTransparentHugePages")
            .shouldFailOnError(true);
    if (quick) {
      options.forks(1).warmupIterations(1).measurementIterations(2);
    }
    Collection<RunResult> results = new Runner(options.build()).run();
    print(results);
  }

  private static void print(Collection<RunResult> results) {
    System.out.println();
    System.out.println("| what | jobs | ns | rate | bytes allocated |");
    System.out.println("|---|---:|---:|---:|---:|");
    for (RunResult result : results) {
      String scheduler = result.getParams().getParam("scheduler");
      int jobs = Integer.parseInt(result.getParams().getParam("jobs"));
      double nanos = result.getPrimaryResult().getScore();
      double bytes = allocated(result);
      if (scheduler != null) {
        row(scheduler + ", dequeue + enqueue", jobs, nanos, "million pairs/s", 1e3 / nanos, bytes);
      } else {
        double perJob = nanos / jobs;
        boolean ours = result.getParams().getBenchmark().contains("SojournBenchmark");
        String policy = ours ? "sojourn" : "adaptbf";
        row(policy + " decision, per job", jobs, perJob, "decisions/s", 1e9 / nanos, bytes / jobs);
      }
    }
  }

  private static double allocated(RunResult result) {
    Result<?> perOperation = result.getSecondaryResults().get("gc.alloc.rate.norm");
    return perOperation == null ? Double.NaN : perOperation.getScore();
  }

  private static void row(
      String what, int jobs, double nanos, String unit, double rate, double bytes) {
    System.out.println(
        String.format(
            Locale.ROOT,
            "| %s | %,d | %.0f | %.1f %s | %.1f |",
            what,
            jobs,
            nanos,
            rate,
            unit,
            bytes));
  }
}
