package dev.sluice.studies.live;

import dev.sluice.core.model.OperationClass;
import dev.sluice.papers.padll.LoadCurve;
import dev.sluice.stage.agent.StagedJob;
import dev.sluice.stage.library.PreloadLibrary;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A job of several processes that replays its part of a load: shells that are told through a pipe,
 * as time goes on, how often to look at a file. What they cannot do at once waits in the pipe, and
 * when no more will come and all is done they end by themselves.
 */
final class LiveJob implements AutoCloseable {
  private static final int PROCESSES = 3;

  /** Looks at its file so often for each number that it reads; a shell does so by itself. */
  private static final String SCRIPT =
      "while read n; do i=0; while [ $i -lt $n ]; do [ -e \"$0\" ]; i=$((i+1)); done; done";

  private final StagedJob staged;
  private final LoadCurve curve;
  private final double load;
  private final LivePace pace;
  private final long enteredNanos;
  private final List<Process> processes = new ArrayList<>();
  private final List<BufferedWriter> pipes = new ArrayList<>();
  private final List<CompletableFuture<Long>> endNanos = new ArrayList<>();
  private int secondsFed;
  private long paperOperations;
  private long told;
  private long callsBefore;
  private long calls;
  private boolean over;

  /** A job whose processes begin now. */
  LiveJob(StagedJob staged, Path file, LoadCurve curve, double load, LivePace pace, long nowNanos)
      throws IOException {
    this.staged = staged;
    this.curve = curve;
    this.load = load;
    this.pace = pace;
    this.enteredNanos = nowNanos;
    for (int i = 0; i < PROCESSES; i++) {
      ProcessBuilder builder =
          new ProcessBuilder("sh", "-c", SCRIPT, file.toString())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      PreloadLibrary.enter(builder.environment(), staged.directory());
      Process process = builder.start();
      processes.add(process);
      pipes.add(process.outputWriter());
      endNanos.add(process.onExit().thenApply(_ -> System.nanoTime()));
    }
  }

  StagedJob staged() {
    return staged;
  }

  /** Tells the processes what has come due; when all has, they are told that no more will come. */
  void feed(long nowNanos) throws IOException {
    if (pipes.isEmpty()) {
      return;
    }
    int due = Math.min(LoadCurve.SECONDS, pace.second(nowNanos - enteredNanos));
    for (; secondsFed < due; secondsFed++) {
      paperOperations += curve.operations(load, secondsFed);
    }
    long operations = pace.operations(paperOperations) - told;
    for (int i = 0; i < PROCESSES; i++) {
      // The odd ones go to each in turn.
      long part = (told + operations + i) / PROCESSES - (told + i) / PROCESSES;
      if (part > 0) {
        tell(pipes.get(i), part);
      }
    }
    told += operations;
    if (secondsFed == LoadCurve.SECONDS) {
      for (BufferedWriter pipe : pipes) {
        pipe.close();
      }
      pipes.clear();
    }
  }

  private void tell(BufferedWriter pipe, long operations) throws IOException {
    try {
      pipe.write(operations + "\n");
      pipe.flush();
    } catch (IOException e) {
      throw new IOException("a process of " + staged.id() + " ended before its time", e);
    }
  }

  /** Looks how much was done so far. */
  void look() throws IOException {
    if (!over) {
      calls =
          staged.usage().entrySet().stream()
              .filter(entry -> entry.getKey().operationClass() == OperationClass.METADATA)
              .mapToLong(entry -> entry.getValue().calls())
              .sum();
    }
  }

  /** How much was done when last looked at. */
  long calls() {
    return calls;
  }

  /** How much was done between the last two times that this was asked. */
  long takeUsage() {
    long usage = calls - callsBefore;
    callsBefore = calls;
    return usage;
  }

  /** How many operations the processes were told to do. */
  long told() {
    return told;
  }

  boolean isRunning() {
    return !endNanos.stream().allMatch(CompletableFuture::isDone);
  }

  /** Its files are about to go: what was done is what was done. */
  void end() throws IOException {
    look();
    over = true;
  }

  boolean isOver() {
    return over;
  }

  /** When the last of its processes ended; it waits for that. */
  long endNanos() {
    return endNanos.stream().mapToLong(CompletableFuture::join).max().orElseThrow();
  }

  /** Ends processes that still run, and waits until they have ended. */
  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    endNanos.forEach(CompletableFuture::join);
  }
}
