package dev.sluice.stage.measure;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.stage.agent.StageAgent;
import dev.sluice.stage.agent.StagedJob;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StageClock;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures how soon a new rate reaches a real program: from the change to the first call that it
 * releases, and to the last call that gets through before a pause. Reading the counters again and
 * again takes one processor, so that a figure is only worth something where there is another.
 */
public final class RateChangeMeasurement {
  private static final int CHANGES = 100;
  private static final double PROGRAM_SECONDS = 120;
  private static final long STEADY_MILLIS = 30;
  private static final long GIVE_UP_NANOS = 5_000_000_000L;

  /** A pause has come when nothing got through for so long. */
  private static final long QUIET_NANOS = 20_000_000;

  private RateChangeMeasurement() {}

  /**
   * Measures, and prints a row for each kind of change.
   *
   * @param arguments the program that makes one call again and again, a directory to be emptied by
   *     the caller, and how many threads of the program call at once
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path program = Path.of(arguments[0]);
    Path mount = Files.createDirectories(Path.of(arguments[1], "mount")).toRealPath();
    int threads = Integer.parseInt(arguments[2]);
    StageDirectory directory = new StageDirectory(Path.of(arguments[1], "agent"));
    JobId id = JobId.of("measured");
    try (StageAgent agent = new StageAgent(directory)) {
      StagedJob job = agent.add(id, StageDirectory.thisUser(), List.of(mount), limit("0/s"));
      Path file = Files.write(mount.resolve("file"), new byte[1]);
      Process running = start(program, file, threads, job);
      try {
        measure(job, threads);
      } finally {
        running.descendants().forEach(ProcessHandle::destroyForcibly);
        running.destroyForcibly().waitFor();
        agent.remove(id);
      }
    }
  }

  private static Process start(Path program, Path file, int threads, StagedJob job)
      throws IOException {
    // Nicely: with more threads than processors, whoever looks at the counters would wait its turn,
    // and that would be measured.
    ProcessBuilder builder =
        new ProcessBuilder(
            "nice",
            "-n",
            "15",
            program.toString(),
            "stat",
            file.toString(),
            "" + PROGRAM_SECONDS,
            "1",
            "" + threads);
    PreloadLibrary.enter(builder.environment(), job.directory());
    return builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
  }

  private static void measure(StagedJob job, int threads) throws IOException, InterruptedException {
    long[] released = new long[CHANGES];
    long[] quickened = new long[CHANGES];
    long[] paused = new long[CHANGES];
    for (int i = 0; i < CHANGES; i++) {
      job.change(limit("0/s"), StageClock.nowNanos());
      Thread.sleep(STEADY_MILLIS);
      released[i] = untilReleased(job, "none");
      Thread.sleep(STEADY_MILLIS);
      paused[i] = untilPaused(job);
      // One call a second, and the next one not due for long.
      job.change(limit("1/s"), StageClock.nowNanos());
      Thread.sleep(STEADY_MILLIS);
      quickened[i] = untilReleased(job, "10kops/s");
    }
    print("no limit instead of a pause", threads, released);
    print("10,000 a second instead of 1", threads, quickened);
    print("a pause instead of no limit", threads, paused);
  }

  private static long untilReleased(StagedJob job, String rate) throws IOException {
    long before = usage(job).waits();
    long changedNanos = System.nanoTime();
    job.change(limit(rate), StageClock.nowNanos());
    while (usage(job).waits() == before) {
      if (System.nanoTime() - changedNanos > GIVE_UP_NANOS) {
        throw new IllegalStateException("nobody was released within 5 s");
      }
      Thread.onSpinWait();
    }
    return System.nanoTime() - changedNanos;
  }

  private static long untilPaused(StagedJob job) throws IOException {
    long changedNanos = System.nanoTime();
    job.change(limit("0/s"), StageClock.nowNanos());
    long calls = usage(job).calls();
    long lastNanos = changedNanos;
    for (long now = changedNanos; now - lastNanos < QUIET_NANOS; now = System.nanoTime()) {
      long counted = usage(job).calls();
      if (counted != calls) {
        calls = counted;
        lastNanos = System.nanoTime();
      }
      if (now - changedNanos > GIVE_UP_NANOS) {
        throw new IllegalStateException("calls get through 5 s after a pause began");
      }
    }
    return lastNanos - changedNanos;
  }

  private static OperationUsage usage(StagedJob job) throws IOException {
    return job.usage().getOrDefault(Operation.GETATTR, OperationUsage.NOTHING);
  }

  private static List<LimitChange> limit(String rate) {
    return LimitChange.parse("getattr=" + rate);
  }

  private static void print(String what, int threads, long[] nanos) {
    Arrays.sort(nanos);
    System.out.printf(
        Locale.ROOT,
        "  %-30s %d threads: median %.2f ms, 95 in 100 within %.2f ms%n",
        what,
        threads,
        nanos[CHANGES / 2] / 1e6,
        nanos[CHANGES * 95 / 100] / 1e6);
  }
}
