package dev.sluice.bench;

import com.sun.management.OperatingSystemMXBean;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.config.LustreConfigurationReader;
import dev.sluice.lustre.control.LustreAgent;
import dev.sluice.lustre.control.LustreLoop;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.control.RefusedException;
import dev.sluice.lustre.lctl.Lctl;
import dev.sluice.lustre.lctl.LustreServer;
import dev.sluice.lustre.lctl.ParameterFiles;
import dev.sluice.lustre.stats.JobIdForm;
import dev.sluice.lustre.stats.JobStatsDeltas;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What looking after a Lustre server costs with a thousand jobs on sixteen targets, all of them
 * active: in time of the processor, without what the server itself needs to write its texts.
 */
final class LustreBenchmark {
  private static final int JOBS = 1_000;
  private static final int TARGETS = 16;
  private static final int TEXTS = 3;
  private static final int TURNS = 9;
  private static final long SECOND = 1_000_000_000L;
  private static final long PATIENCE_NANOS = 30 * SECOND;
  private static final String VERSION = "2.17.57";

  /**
   * Files of a server have no contents: the kernel writes them while they are read, as it does with
   * this one, line by line. Ours are copied from memory, which costs far less.
   */
  private static final Path MADE_BY_THE_KERNEL = Path.of("/proc/zoneinfo");

  /** One in so many parts of it are read, because it takes so long. */
  private static final double MADE_PARTS = 10;

  /** What is counted and what is not, as 2.17 writes it behind the bytes. */
  private static final List<String> COUNTERS =
      List.of(
          "read",
          "write",
          "getattr",
          "setattr",
          "punch",
          "sync",
          "destroy",
          "create",
          "statfs",
          "get_info",
          "set_info",
          "quotactl",
          "prealloc");

  private final Path directory;
  private final int rounds;

  private LustreBenchmark(Path directory, int rounds) {
    this.directory = directory;
    this.rounds = rounds;
  }

  static void run(boolean quick) {
    Path directory = null;
    try {
      directory = Files.createTempDirectory("sluice-bench-");
      new LustreBenchmark(directory, quick ? 10 : 40).run(quick ? 5 : 30);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException | RefusedException e) {
      throw new IllegalStateException(e);
    } finally {
      remove(directory);
    }
  }

  private void run(int seconds) throws IOException, InterruptedException, RefusedException {
    for (int text = 0; text < TEXTS; text++) {
      write(text);
    }
    System.out.println("| what | figure |");
    System.out.println("|---|---:|");
    row("job_stats of 1,000 jobs on 16 targets", bytes() / 1e6, "%.1f MB");
    byFiles();
    byProgram();
    onTime(seconds);
  }

  private void byFiles() throws IOException, InterruptedException, RefusedException {
    byte[] buffer = new byte[1 << 16];
    Round reading =
        round -> {
          for (Path file : jobStats(round % TEXTS)) {
            merelyRead(file, buffer);
          }
        };
    double length = bytes();
    Round readingAsItIsMade =
        _ -> {
          for (double left = length / MADE_PARTS; left > 0; ) {
            left -= merelyRead(MADE_BY_THE_KERNEL, buffer);
          }
        };
    int[] shown = {0};
    long[] now = {0};
    Lctl lctl = (arguments, output) -> lctl(shown[0]).run(arguments, output);
    LustreServer server = new LustreServer(lctl, LustreService.OST_IO);
    JobStatsDeltas deltas = new JobStatsDeltas();
    Round parsing =
        round -> {
          shown[0] = round % TEXTS;
          server.readJobStats(form(), deltas);
          deltas.take();
        };
    LustreLoop loop =
        LustreLoop.looking(
            new LustreServer(lctl, LustreService.OST_IO),
            configuration(),
            JobDirectory.EMPTY,
            () -> now[0]);
    Round deciding =
        round -> {
          shown[0] = round % TEXTS;
          now[0] += SECOND;
          PeriodReport report = loop.step(now[0]);
          if (!report.problems().isEmpty()) {
            throw new IOException(report.problems().getFirst());
          }
        };
    double[][] costs = costs(reading, parsing, deciding, readingAsItIsMade);
    row("reading it from files", 1e3 * median(costs[0]), "%.1f ms");
    row("reading and parsing it", 1e3 * median(costs[1]), "%.1f ms");
    row("  as a multiple, of each turn", medianRatio(costs[1], costs[0]), "%.2f");
    row("a whole period, of one core", 100 * median(costs[2]), "%.1f %%");
    row("  without reading and parsing", 100 * (median(costs[2]) - median(costs[1])), "%.1f %%");
    double made = MADE_PARTS * median(costs[3]);
    row("reading as much from " + MADE_BY_THE_KERNEL, 1e3 * made, "%.1f ms");
    row(
        "  with what parsing adds, as a multiple",
        (made + median(costs[1]) - median(costs[0])) / made,
        "%.2f");
  }

  /** Reads a file to its end as it is read where it is parsed; answers how long it was. */
  private static long merelyRead(Path file, byte[] buffer) throws IOException {
    long length = 0;
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        length += count;
      }
    }
    return length;
  }

  /** The same text from a program, as from {@code lctl}; its own time does not count. */
  private void byProgram() throws IOException, InterruptedException {
    byte[] buffer = new byte[1 << 16];
    Round reading =
        round -> {
          Process cat = cat(round % TEXTS);
          try (InputStream in = cat.getInputStream()) {
            while (in.read(buffer) >= 0) {
              // Merely read.
            }
          }
          cat.waitFor();
        };
    int[] shown = {0};
    Lctl program =
        (_, output) -> {
          Process cat = cat(shown[0]);
          try (InputStream in = cat.getInputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
              output.accept(buffer, count);
            }
          }
          return new Lctl.Outcome(cat.waitFor(), "");
        };
    LustreServer server = new LustreServer(program, LustreService.OST_IO);
    JobStatsDeltas deltas = new JobStatsDeltas();
    Round parsing =
        round -> {
          shown[0] = round % TEXTS;
          server.readJobStats(form(), deltas);
          deltas.take();
        };
    double[][] costs = costs(reading, parsing);
    row("reading it from a program", 1e3 * median(costs[0]), "%.1f ms");
    row("reading and parsing it", 1e3 * median(costs[1]), "%.1f ms");
    row("  as a multiple, of each turn", medianRatio(costs[1], costs[0]), "%.2f");
  }

  private Process cat(int text) throws IOException {
    List<String> command = new ArrayList<>(List.of("cat"));
    jobStats(text).forEach(file -> command.add(file.toString()));
    return new ProcessBuilder(command).start();
  }

  /** Decisions on the clock on the wall. */
  private void onTime(int seconds) throws IOException, InterruptedException, RefusedException {
    int[] looks = {0};
    Lctl lctl = (arguments, output) -> lctl(looks[0]++ % TEXTS).run(arguments, output);
    List<Long> times = new ArrayList<>();
    try (LustreAgent agent = LustreAgent.looking(configuration(), lctl)) {
      agent.run(seconds, _ -> times.add(System.nanoTime()));
    }
    double[] apart = new double[times.size() - 1];
    for (int i = 0; i < apart.length; i++) {
      apart[i] = (times.get(i + 1) - times.get(i)) / 1e9;
    }
    Arrays.sort(apart);
    row("decisions every second: the shortest time apart", apart[0], "%.3f s");
    row("  the longest", apart[apart.length - 1], "%.3f s");
    row("  on average", Arrays.stream(apart).average().orElse(0), "%.4f s");
  }

  /** What is to be measured. */
  private interface Round {
    void run(int round) throws IOException, InterruptedException;
  }

  /**
   * Seconds of the processor for a round of each, in turns of so many rounds that its clock is fine
   * enough, after as many only for compiling: what else the machine does is shared by those that
   * are compared.
   */
  private double[][] costs(Round... measured) throws IOException, InterruptedException {
    double[][] costs = new double[measured.length][TURNS];
    for (int turn = -TURNS; turn < TURNS; turn++) {
      for (int i = 0; i < measured.length; i++) {
        long before = processorNanos();
        for (int round = 0; round < rounds; round++) {
          measured[i].run(round);
        }
        costs[i][Math.max(turn, 0)] = (processorNanos() - before) / 1e9 / rounds;
      }
    }
    return costs;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double medianRatio(double[] ones, double[] others) {
    double[] ratios = new double[ones.length];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = ones[i] / others[i];
    }
    return median(ratios);
  }

  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private LustreConfiguration configuration() {
    return LustreConfigurationReader.parse("bench.yaml", "capacity: 400 kops/s", directory);
  }

  private static JobIdForm form() {
    return JobIdForm.of(LustreVersion.parse(VERSION));
  }

  private Lctl lctl(int text) {
    Lctl program =
        (arguments, output) -> {
          byte[] version = (VERSION + "\n").getBytes(StandardCharsets.US_ASCII);
          output.accept(version, version.length);
          return new Lctl.Outcome(0, "");
        };
    return new ParameterFiles(program, directory.resolve("root" + text), PATIENCE_NANOS);
  }

  private List<Path> jobStats(int text) {
    List<Path> files = new ArrayList<>();
    for (int target = 0; target < TARGETS; target++) {
      files.add(
          directory.resolve(
              String.format(
                  Locale.ROOT,
                  "root%d/proc/fs/lustre/obdfilter/a-OST%04x/job_stats",
                  text,
                  target)));
    }
    return files;
  }

  private double bytes() throws IOException {
    double sum = 0;
    for (Path file : jobStats(0)) {
      sum += Files.size(file);
    }
    return sum;
  }

  /** Each text has counted more than the one before. */
  private void write(int text) throws IOException {
    for (Path file : jobStats(text)) {
      Files.createDirectories(file.getParent());
      try (Writer out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
        out.write("job_stats:\n");
        for (int job = 0; job < JOBS; job++) {
          entry(out, 4_711_000 + job, 1_000L * (text + 1) + job);
        }
      }
    }
    Path service = directory.resolve("root" + text + "/sys/kernel/debug/lustre/ost/OSS/ost_io");
    Files.createDirectories(service);
    Files.writeString(
        service.resolve("nrs_policies"),
        """
        regular_requests:
          - name: tbf jobid
            state: started
            fallback: no
            queued: 100
        """);
    Files.writeString(
        service.resolve("nrs_tbf_rule"), "regular_requests:\nCPT 0:\ndefault * 10000, ref 9\n");
    Files.writeString(
        service.resolve("stats"),
        "req_waittime "
            + 16_000_000L * (text + 1)
            + " samples [usecs] 1 9 "
            + (text + 1L) * SECOND);
  }

  private static void entry(Writer out, int job, long samples) throws IOException {
    out.write("- job_id:          " + job + "\n");
    out.write("  snapshot_time:   179484806" + samples % 10 + ".153941070 secs.nsecs\n");
    out.write("  start_time:      1794848000.918128710 secs.nsecs\n");
    out.write("  elapsed_time:    6" + samples % 10 + ".235812360 secs.nsecs\n");
    transfer(out, "read_bytes", samples, "64K: " + samples + ", 1M: 13");
    transfer(out, "write_bytes", 2 * samples, "4K: 7, 64K: " + samples + ", 1M: " + samples);
    for (String counter : COUNTERS) {
      line(out, counter, counter.length() < 6 ? samples : 0, "usecs");
      out.write(" }\n");
    }
  }

  private static void transfer(Writer out, String name, long samples, String histogram)
      throws IOException {
    line(out, name, samples, "bytes");
    out.write(", hist: { " + histogram + " } }\n");
  }

  private static void line(Writer out, String name, long samples, String unit) throws IOException {
    out.write(
        String.format(
            Locale.ROOT,
            "  %-16s { samples: %11d, unit: %s, min: %8d, max: %8d, sum: %16d, sumsq: %18d",
            name + ":",
            samples,
            unit,
            samples == 0 ? 0 : 65,
            samples == 0 ? 0 : 1_048_576,
            samples * 65_536,
            samples * 65_536 * 64));
  }

  private static void row(String what, double value, String format) {
    System.out.printf(Locale.ROOT, "| %s | " + format + " |%n", what, value);
  }

  private static void remove(@Nullable Path directory) {
    if (directory == null) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      // Left for the system to clean up.
    }
  }
}
