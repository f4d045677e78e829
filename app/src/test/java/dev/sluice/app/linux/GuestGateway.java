package dev.sluice.app.linux;

import dev.sluice.app.SluiceProcess;
import dev.sluice.command.CommandClient;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A gateway in a process and a network of its own, for guests. */
final class GuestGateway implements AutoCloseable {
  private static final String READY = "control socket";

  /** The virtual machine as a site runs it: {@code SluiceProcess} is thrifty otherwise. */
  private static final List<String> JAVA_OPTIONS =
      List.of("-XX:TieredStopAtLevel=4", "-Xmx512m", "-XX:MaxDirectMemorySize=512m");

  private final Path directory;
  private final SluiceProcess process;
  private int starts = 1;

  private GuestGateway(Path directory, SluiceProcess process) {
    this.directory = directory;
    this.process = process;
  }

  /**
   * Starts a gateway and waits until it listens.
   *
   * @param directory for its configuration, state and log; is made
   * @param configuration with targets and exports, but without what is the same for all
   */
  static GuestGateway start(GuestNetwork network, Path directory, String configuration)
      throws Exception {
    Files.createDirectory(directory);
    Path file =
        Files.writeString(
            directory.resolve("sluice.yaml"),
            """
            listen: 0.0.0.0
            state: state
            memory: 256 MiB
            history: off
            dashboard: off
            """
                + configuration);
    SluiceProcess process =
        new SluiceProcess(
            network.within(),
            JAVA_OPTIONS,
            directory.resolve("log"),
            "serve",
            "-c",
            file.toString());
    GuestGateway gateway = new GuestGateway(directory, process);
    try {
      gateway.awaitReady();
    } catch (Throwable e) {
      gateway.close();
      throw e;
    }
    return gateway;
  }

  private void awaitReady() throws Exception {
    Eventually.await(
        "the gateway listens",
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("the gateway has ended:\n" + process.log());
          }
          return process.log().lines().filter(line -> line.startsWith(READY)).count() == starts;
        },
        process::log);
  }

  /** Ends it as a crash would, and starts it again. */
  void killAndRestart() throws Exception {
    process.restart();
    starts++;
    awaitReady();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /**
   * What jobs were served by a target so far.
   *
   * @param nowNanos by the gateway's clock
   */
  record Served(
      long nowNanos,
      Map<String, Long> writtenBytes,
      Map<String, Long> operations,
      Map<String, Long> waitedNanos) {

    /** What a job wrote a second since an earlier look. */
    double writtenMegabytesPerSecond(String job, Served earlier) {
      long bytes = writtenBytes.getOrDefault(job, 0L) - earlier.writtenBytes.getOrDefault(job, 0L);
      return bytes * 1e3 / (nowNanos - earlier.nowNanos);
    }

    /** How long an operation of a job waited for its turn since an earlier look, on average. */
    double meanWaitMillis(String job, Served earlier) {
      long nanos = waitedNanos.getOrDefault(job, 0L) - earlier.waitedNanos.getOrDefault(job, 0L);
      long count = operations.getOrDefault(job, 0L) - earlier.operations.getOrDefault(job, 0L);
      return nanos / 1e6 / count;
    }

    /** How many operations of a job were served a second since an earlier look. */
    double operationsPerSecond(String job, Served earlier) {
      long count = operations.getOrDefault(job, 0L) - earlier.operations.getOrDefault(job, 0L);
      return count * 1e9 / (nowNanos - earlier.nowNanos);
    }
  }

  /**
   * What jobs were served by a target so far. Of one alone: a target forgets jobs that have been
   * away, and a sum over targets would shrink.
   */
  Served served(String target) throws Exception {
    try (CommandClient client = command()) {
      String answer = client.ask("demand", json -> json.writeNumberProperty("since_ns", 0));
      return served(CommandClient.read(answer), target);
    }
  }

  /** How it is. */
  DocumentMap status() throws Exception {
    try (CommandClient client = command()) {
      return CommandClient.read(client.ask("status", _ -> {})).openMap();
    }
  }

  private CommandClient command() throws IOException {
    return new CommandClient(directory.resolve("state").resolve("control.sock"));
  }

  private static Served served(DocumentNode answer, String name) {
    Map<String, Long> written = new HashMap<>();
    Map<String, Long> operations = new HashMap<>();
    Map<String, Long> waited = new HashMap<>();
    for (DocumentNode target : answer.openMap().required("targets").list()) {
      if (!target.openMap().required("name").text().equals(name)) {
        continue;
      }
      for (DocumentNode job : target.openMap().required("jobs").list()) {
        List<DocumentNode> fields = job.list();
        String id = fields.get(0).text();
        operations.put(id, fields.get(3).whole(0, Long.MAX_VALUE));
        written.put(id, fields.get(7).whole(0, Long.MAX_VALUE));
        waited.put(id, fields.get(8).whole(0, Long.MAX_VALUE));
      }
    }
    long nowNanos = answer.openMap().required("now_ns").whole(Long.MIN_VALUE, Long.MAX_VALUE);
    return new Served(nowNanos, written, operations, waited);
  }

  /** All that it has said. */
  String log() throws IOException {
    return process.log();
  }

  @Override
  public void close() {
    process.close();
  }
}
