package dev.sluice.app.stage;

import dev.sluice.app.BadInputException;
import dev.sluice.app.FailedException;
import dev.sluice.app.LiveScreen;
import dev.sluice.app.StopGuard;
import dev.sluice.command.CommandServer;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities;
import dev.sluice.stage.agent.AgentCommands;
import dev.sluice.stage.agent.StageAgent;
import dev.sluice.stage.agent.StagedJob;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs a program under limits, with an agent of its own. */
@Command(
    name = "run",
    description = {
      "Run a program under limits on its file calls; no daemon is needed.",
      "",
      "The program and all that it starts share the limits. At the end a summary goes to",
      "standard error, and the exit code is the program's.",
      ""
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A limit is SCOPE=RATE. SCOPE is an operation (read, write, open, getattr, ...), a class",
      "(data, metadata, directory, extended-attribute) or all; RATE is 50/s, 20 kops/s or",
      "200 MB/s; 0/s pauses. ./sluice limit JOB SCOPE=RATE changes them while it runs.",
      "",
      "Example: ./sluice run --mount /scratch --limit read=100MB/s,open=50/s -- tar cf a.tar dir"
    })
public final class RunCommand implements Callable<Integer> {
  private static final long WATCH_MILLIS = 1_000;
  private static final int EXIT_NOT_FOUND = 127;

  private volatile @Nullable Process running;

  @Spec @Nullable CommandSpec spec;

  @Mixin StageOptions options = new StageOptions();

  @Option(
      names = "--job",
      paramLabel = "ID",
      description = "What ./sluice limit calls it (default: run-PID).")
  String id = "run-" + ProcessHandle.current().pid();

  @Mixin JobOptions jobOptions = new JobOptions();

  @Option(names = "--watch", description = "Show what it does every second.")
  boolean watch;

  @Parameters(
      arity = "1..*",
      paramLabel = "PROGRAM",
      description = "The program and its arguments, after --.")
  List<String> program = new ArrayList<>();

  @Override
  public Integer call() {
    PrintWriter errors = Objects.requireNonNull(spec).commandLine().getErr();
    JobId job = StageOptions.job(id);
    List<LimitChange> changes = jobOptions.limits();
    List<Path> paths = jobOptions.mounts();
    StageDirectory directory = options.directory();
    // Closed last of all: whoever interrupts us waits until the job's files are gone.
    try (StopGuard _ = new StopGuard(this::stopProgram, errors);
        StageAgent agent = new StageAgent(directory)) {
      Path library = PreloadLibrary.install(directory);
      StagedJob staged = agent.add(job, StageDirectory.thisUser(), paths, changes);
      try (CommandServer _ =
          new CommandServer(
              directory.socketOf(job), new AgentCommands(agent, () -> null, () -> {}))) {
        return run(staged, library, errors);
      } finally {
        agent.remove(job);
      }
    } catch (IllegalStateException e) {
      throw new BadInputException(String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw new FailedException(String.valueOf(e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new FailedException("interrupted", e);
    }
  }

  private int run(StagedJob job, Path library, PrintWriter errors)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(program).inheritIO();
    PreloadLibrary.enter(builder.environment(), library, job.directory());
    long startedNanos = System.nanoTime();
    Process process;
    try {
      process = builder.start();
    } catch (IOException e) {
      errors.println(e.getMessage());
      return EXIT_NOT_FOUND;
    }
    running = process;
    if (watch) {
      watch(process, job, errors);
    }
    int code = process.waitFor();
    summarize(job, System.nanoTime() - startedNanos, errors);
    return code;
  }

  /** A signal to us is meant for the program; its end ends us. */
  private void stopProgram() {
    Process process = running;
    if (process != null) {
      process.destroy();
    }
  }

  private static void watch(Process process, StagedJob job, PrintWriter errors)
      throws IOException, InterruptedException {
    LiveScreen screen = LiveScreen.onConsole(errors);
    Map<Operation, OperationUsage> before = job.usage();
    long beforeNanos = System.nanoTime();
    while (!process.waitFor(WATCH_MILLIS, TimeUnit.MILLISECONDS)) {
      Map<Operation, OperationUsage> now = job.usage();
      long nowNanos = System.nanoTime();
      screen.show(
          new RatePicture(
              job.limits(),
              UsageTable.difference(now, before),
              (double) (nowNanos - beforeNanos) / 1e9));
      before = now;
      beforeNanos = nowNanos;
    }
    screen.clear();
  }

  private static void summarize(StagedJob job, long nanos, PrintWriter errors) throws IOException {
    errors.println(
        "job "
            + job.id()
            + ": "
            + Quantities.formatDuration(nanos)
            + ", "
            + UsageTable.limits(job.limits()));
    UsageTable.totals(job.usage()).forEach(line -> errors.println("  " + line));
    errors.flush();
  }
}
