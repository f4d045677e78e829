package dev.sluice.bench;

import dev.sluice.core.model.TokenUnit;
import dev.sluice.history.api.HistoryJson;
import dev.sluice.history.model.Sample;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.history.store.HistoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** What it costs to open history that has become long, and to look at it. */
final class HistoryGrowth {
  private static final int[] DAYS = {1, 7, 30, 365};
  private static final int MONTH_DAYS = 31;
  private static final int JOBS = 1_000;
  private static final int TURNS = 3;
  private static final long FIRST_MILLIS = 1_800_000_000_000L;
  private static final long MINUTE_MILLIS = 60_000;
  private static final long HOUR_MILLIS = 60 * MINUTE_MILLIS;
  private static final long DAY_MILLIS = 24 * HOUR_MILLIS;

  private HistoryGrowth() {}

  /**
   * On the wall. A thousand jobs are busy all the time, so that a minute is what counts: of what is
   * older than minutes are kept, hours are written at once.
   */
  static void run(boolean quick) throws IOException {
    int[] sizes = quick ? Arrays.copyOf(DAYS, 2) : DAYS;
    int jobs = quick ? JOBS / 10 : JOBS;
    GrowthTable table = new GrowthTable("history of " + jobs + " jobs, ms", "days", sizes);
    List<String> spans = List.of("1h", "24h", "7d", "30d", "365d");
    double[] opening = new double[sizes.length];
    double[] megabytes = new double[sizes.length];
    double[][] asking = new double[spans.size()][sizes.length];
    for (int k = 0; k < sizes.length; k++) {
      Path directory = inMemory();
      try {
        long nowMillis = FIRST_MILLIS + sizes[k] * DAY_MILLIS;
        write(directory, sizes[k], jobs);
        double[] turns = new double[TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
          long began = System.nanoTime();
          try (HistoryStore store =
              HistoryStore.open(directory, HistoryStore.BYTES_DEFAULT, nowMillis)) {
            turns[turn] = (System.nanoTime() - began) / 1e6;
            megabytes[k] = store.bytes() / 1e6;
          }
        }
        opening[k] = GrowthTable.median(turns);
        for (int i = 0; i < asking.length; i++) {
          for (int turn = 0; turn < TURNS; turn++) {
            long began = System.nanoTime();
            HistoryJson.curves(
                new HistoryFiles(directory), Map.of("since", spans.get(i)), nowMillis);
            turns[turn] = (System.nanoTime() - began) / 1e6;
          }
          asking[i][k] = GrowthTable.median(turns);
        }
      } finally {
        HistoryBenchmark.remove(directory);
      }
    }
    table.row("on disk, MB", megabytes);
    table.row("opening", opening);
    for (int i = 0; i < asking.length; i++) {
      table.row("the curves of the last " + spans.get(i), asking[i]);
    }
  }

  /**
   * A directory in memory if there is such a thing: every sample is waited for until it is kept.
   */
  private static Path inMemory() throws IOException {
    Path memory = Path.of("/dev/shm");
    return Files.isWritable(memory)
        ? Files.createTempDirectory(memory, "sluice-bench-")
        : Files.createTempDirectory("sluice-bench-");
  }

  private static void write(Path directory, int days, int jobs) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    long endMillis = FIRST_MILLIS + days * DAY_MILLIS;
    long finelySinceMillis = endMillis - MONTH_DAYS * DAY_MILLIS;
    try (HistoryStore store =
        HistoryStore.open(directory, HistoryStore.BYTES_DEFAULT, FIRST_MILLIS)) {
      long atMillis = FIRST_MILLIS;
      while (atMillis < endMillis) {
        long spanMillis = atMillis < finelySinceMillis ? HOUR_MILLIS : MINUTE_MILLIS;
        atMillis += spanMillis;
        store.record(sample(atMillis, (int) spanMillis, jobs, random));
      }
    }
  }

  private static Sample sample(long endMillis, int spanMillis, int jobs, SplittableRandom random) {
    long day = endMillis / DAY_MILLIS;
    List<Sample.OfJob> rows = new ArrayList<>(jobs);
    for (int i = 0; i < jobs; i++) {
      long operations = random.nextInt(1, 400) * (spanMillis / 1_000L);
      rows.add(
          new Sample.OfJob(
              // Nobody's job runs for a year.
              "job-" + (day % 1_000_000 * 1_000 + i),
              "user-" + i % 50,
              1 + i % 16,
              operations,
              operations * random.nextInt(65_536),
              operations * random.nextInt(65_536),
              operations * random.nextInt(20_000),
              random.nextInt(20),
              1_000_000L * random.nextInt(1, 100),
              random.nextInt(2) * spanMillis));
    }
    return new Sample(
        endMillis,
        spanMillis,
        "adaptbf",
        false,
        List.of(
            new Sample.OfTarget(
                "disk", 10_000_000_000L, new TokenUnit(4_096, 1), 500, spanMillis / 2, rows)));
  }

  /** On the wall, all policies for each minute of a hundred busy jobs. */
  static void whatIf(boolean quick) throws IOException {
    int[] minutes = quick ? new int[] {1, 2} : new int[] {1, 5, 20, 60};
    double[] millis = new double[minutes.length];
    double[] megabytes = new double[minutes.length];
    for (int k = 0; k < minutes.length; k++) {
      Path directory = Files.createTempDirectory("sluice-bench-");
      try {
        Path file = directory.resolve("some.trace");
        megabytes[k] = HistoryBenchmark.writeTrace(file, 60 * minutes[k]) / 1e6;
        long began = System.nanoTime();
        HistoryBenchmark.askWhatIf(file);
        millis[k] = (System.nanoTime() - began) / 1e6 / minutes[k];
      } finally {
        HistoryBenchmark.remove(directory);
      }
    }
    GrowthTable table = new GrowthTable("what-if of 100 jobs", "minutes", minutes);
    table.row("the trace, MB", megabytes);
    table.row("all policies, ms for each minute", millis);
  }
}
