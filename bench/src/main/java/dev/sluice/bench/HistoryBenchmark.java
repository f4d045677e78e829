package dev.sluice.bench;

import dev.sluice.app.trace.WhatIfCommand;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.alert.AlertDesk;
import dev.sluice.history.alert.AlertKind;
import dev.sluice.history.alert.AlertRules;
import dev.sluice.history.model.Sample;
import dev.sluice.history.sample.Sampler;
import dev.sluice.history.sample.Totals;
import dev.sluice.history.store.HistoryStore;
import dev.sluice.history.trace.Look;
import dev.sluice.history.trace.TraceWriter;
import dev.sluice.history.trace.TracedJob;
import dev.sluice.history.trace.TracedTarget;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * What keeping history costs, in time of the processor; and how long what-if takes for an hour of a
 * hundred jobs that are busy all the time, on the clock on the wall and in time of the processor.
 */
final class HistoryBenchmark {
  private static final int JOBS = 1_000;
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long FIRST_MILLIS = 1_800_000_000_000L;
  private static final Target DISK = new Target("disk", 10_000_000_000L, new TokenUnit(4_096, 1));

  private HistoryBenchmark() {}

  static void run(boolean quick) {
    Path directory = null;
    try {
      directory = Files.createTempDirectory("sluice-bench-");
      System.out.println("| what | figure |");
      System.out.println("|---|---:|");
      history(directory.resolve("history"), quick ? 60 : 1_200);
      whatIf(directory.resolve("hour.trace"), quick ? 60 : 3_600);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      remove(directory);
    }
  }

  /**
   * A second of a thousand jobs, again and again: sampled, kept, added up, looked at for alerts.
   */
  private static void history(Path directory, int seconds) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long[][] counters = new long[JOBS][4];
    Sampler sampler = new Sampler();
    AlertRules rules =
        new AlertRules(
            Map.of(AlertKind.TARGET_SATURATED, 300_000L, AlertKind.JOB_WAITING, 30_000L),
            60_000,
            null);
    long processorNanos = 0;
    long measured = 0;
    long bytesBefore = 0;
    try (HistoryStore store =
            HistoryStore.open(directory, HistoryStore.BYTES_DEFAULT, FIRST_MILLIS);
        AlertDesk alerts = new AlertDesk(rules, store, "bench")) {
      for (int second = 0; second < seconds; second++) {
        Totals totals = totals(counters, second, random);
        if (second == seconds / 3) {
          // What comes before is compiling.
          processorNanos = processorNanos();
          bytesBefore = store.bytes();
        }
        measured += second >= seconds / 3 ? 1 : 0;
        Sample sample = sampler.look(totals);
        if (sample != null) {
          store.record(sample);
          alerts.look(sample, Map.of(), second * SECOND_NANOS);
        }
      }
      double perSecond = (processorNanos() - processorNanos) / 1e9 / measured;
      row("keeping a second of 1,000 jobs, of one core", 100 * perSecond, "%.2f %%");
      row(
          "  on disk, for each job and second",
          (double) (store.bytes() - bytesBefore) / measured / JOBS,
          "%.1f bytes");
    }
  }

  private static Totals totals(long[][] counters, int second, SplittableRandom random) {
    List<Totals.OfJob> jobs = new ArrayList<>(JOBS);
    for (int i = 0; i < JOBS; i++) {
      long operations = random.nextInt(1, 400);
      counters[i][0] += operations;
      counters[i][1] += operations * random.nextInt(65_536);
      counters[i][2] += operations * random.nextInt(65_536);
      counters[i][3] += operations * random.nextInt(2_000_000);
      jobs.add(
          new Totals.OfJob(
              "job-" + (100_000 + i),
              "user-" + i % 50,
              1 + i % 16,
              counters[i][0],
              counters[i][1],
              counters[i][2],
              counters[i][3],
              random.nextInt(20),
              1e6 * random.nextInt(1, 100)));
    }
    return new Totals(
        second * SECOND_NANOS,
        FIRST_MILLIS + 1_000L * second,
        "adaptbf",
        false,
        List.of(new Totals.OfTarget(DISK, true, 500, jobs)));
  }

  private static void whatIf(Path file, int seconds) throws IOException {
    row(
        "a trace of 100 busy jobs, for an hour",
        writeTrace(file, seconds) * 3_600.0 / seconds / 1e6,
        "%.0f MB");
    long wallNanos = System.nanoTime();
    long processorNanos = processProcessorNanos();
    askWhatIf(file);
    String what = "what-if, " + seconds + " s of 100 jobs, all policies";
    row(what + ", on the wall", (System.nanoTime() - wallNanos) / 1e9, "%.0f s");
    row(what + ", of the processor", (processProcessorNanos() - processorNanos) / 1e9, "%.0f s");
  }

  /** Writes a trace of a hundred busy jobs; answers how many bytes it takes. */
  static long writeTrace(Path file, int seconds) throws IOException {
    SplittableRandom random = new SplittableRandom(2);
    TracedTarget disk = new TracedTarget("disk", 1_000_000_000L, 16_384, 1);
    try (TraceWriter writer = TraceWriter.create(file, FIRST_MILLIS, "fair")) {
      for (int second = 0; second < seconds; second++) {
        List<Look> looks = new ArrayList<>();
        for (int tenth = 1; tenth <= 10; tenth++) {
          List<Look.Row> rows = new ArrayList<>();
          for (int job = 0; job < 100; job++) {
            long bytes = random.nextInt(1_600_000);
            long reads = 1 + (bytes >> 17);
            rows.add(
                new Look.Row(
                    disk,
                    new TracedJob("job-" + job, "user-" + job % 9, 1 + job % 8),
                    reads,
                    bytes,
                    0,
                    0,
                    random.nextInt(5),
                    100_000_000,
                    20_000_000,
                    random.nextInt(40_000_000, 100_000_000),
                    8));
          }
          looks.add(new Look((second * 10L + tenth) * SECOND_NANOS / 10, SECOND_NANOS / 10, rows));
        }
        writer.append(looks);
      }
      return writer.size();
    }
  }

  /** Plays a trace through all policies. */
  static void askWhatIf(Path file) {
    System.out.println();
    int exitCode = new CommandLine(new WhatIfCommand()).execute(file.toString(), "--quiet");
    System.out.println();
    if (exitCode != 0) {
      throw new IllegalStateException("whatif ended with " + exitCode);
    }
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static long processProcessorNanos() {
    return ProcessHandle.current().info().totalCpuDuration().orElseThrow().toNanos();
  }

  private static void row(String what, double figure, String format) {
    System.out.println("| " + what + " | " + String.format(Locale.ROOT, format, figure) + " |");
  }

  static void remove(Path directory) {
    if (directory == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      System.err.println(directory + " stays behind: " + e.getMessage());
    }
  }
}
