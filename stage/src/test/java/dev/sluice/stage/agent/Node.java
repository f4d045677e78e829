package dev.sluice.stage.agent;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.stage.NativeBuild;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.stage.library.LibraryFile;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.stage.limit.LimitChange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An agent with one job whose programs are limited below one directory, for tests. */
final class Node implements AutoCloseable {
  static final JobId JOB = JobId.of("4711");

  final Path mount;
  final StageDirectory directory;
  private final StageAgent agent;
  private final StagedJob job;

  Node(Path temporary, String limits) throws IOException {
    LibraryFile.path();
    this.mount = Files.createDirectories(temporary.resolve("mount")).toRealPath();
    this.directory = new StageDirectory(temporary.resolve("sluice"));
    this.agent = new StageAgent(directory);
    this.job =
        agent.add(
            JOB,
            StageDirectory.thisUser(),
            List.of(mount),
            limits.isEmpty() ? List.of() : LimitChange.parse(limits));
  }

  void limit(String limits) {
    job.change(LimitChange.parse(limits), System.nanoTime());
  }

  /** What programs of the job have in their environment. */
  Map<String, String> environment() throws IOException {
    Map<String, String> environment = new HashMap<>();
    PreloadLibrary.enter(environment, job.directory());
    return environment;
  }

  NativeBuild.Ended run(List<String> command) throws IOException, InterruptedException {
    return NativeBuild.run(environment(), mount, command);
  }

  Process start(List<String> command) throws IOException {
    return NativeBuild.start(environment(), mount, command);
  }

  /** The program that makes one call again and again. */
  List<String> consume(
      String call, Path file, double seconds, int processes, int threads, int bytes) {
    return List.of(
        NativeBuild.program("consume").toString(),
        call,
        file.toString(),
        String.valueOf(seconds),
        String.valueOf(processes),
        String.valueOf(threads),
        String.valueOf(bytes));
  }

  OperationUsage usage(Operation operation) throws IOException {
    return job.usage().getOrDefault(operation, OperationUsage.NOTHING);
  }

  long calls() throws IOException {
    return job.usage().values().stream().mapToLong(OperationUsage::calls).sum();
  }

  StagedJob job() {
    return job;
  }

  StageAgent agent() {
    return agent;
  }

  @Override
  public void close() throws IOException {
    agent.remove(JOB);
    agent.close();
  }
}
