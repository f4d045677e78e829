package dev.sluice.app.endurance;

import dev.sluice.app.Cli;
import dev.sluice.app.ControlledGateway;
import dev.sluice.app.SluiceProcess;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.stage.files.StageDirectory;
import dev.sluice.store.documents.DocumentHistory;
import dev.sluice.testkit.ThrowAwayPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Two controllers on one PostgreSQL, an aggregator, two agents with a job each, two gateways with a
 * target each; each a process of its own.
 */
final class ControlPlane implements AutoCloseable {
  static final String DATABASE = "database";

  /** All that can be killed. */
  static final List<String> PARTS =
      List.of(
          "controller-1",
          "database",
          "gateway-1",
          "agent-1",
          "controller-2",
          "aggregator",
          "gateway-2",
          "agent-2");

  static final List<String> AGENTS = List.of("agent-1", "agent-2");
  static final List<String> GATEWAYS = List.of("gateway-1", "gateway-2");
  private static final List<String> CONTROLLERS = List.of("controller-1", "controller-2");

  private final Path directory;
  private final LedgerLocation store;
  private final Map<String, SluiceProcess> parts = new LinkedHashMap<>();
  private final Map<String, Integer> ports = new LinkedHashMap<>();
  private final PlaneWatch watch;

  ControlPlane(Path directory, ThrowAwayPostgres postgres) throws Exception {
    this.directory = directory;
    System.setProperty("org.postgresql.pgpassfile", postgres.passFile().toString());
    this.store = LedgerLocation.parse(postgres.address("postgres"), Path.of("/"));
    for (String name : PARTS) {
      ports.put(name, SluiceProcess.freePort());
    }
    applyDocument();
    for (String name : CONTROLLERS) {
      Path configuration =
          Files.writeString(
              directory.resolve(name + ".yaml"),
              """
              listen: 127.0.0.1:%d
              api: none
              state: %s
              store: %s
              period: 500 ms
              lapse: 5 s
              gateways: {policy: gift, period: 1 s, threshold: 0.3}
              """
                  .formatted(ports.get(name), name, postgres.address("postgres")));
      start(
          name,
          List.of("-Dorg.postgresql.pgpassfile=" + postgres.passFile()),
          "controller",
          "-c",
          configuration.toString());
    }
    Path aggregator =
        Files.writeString(
            directory.resolve("aggregator.yaml"),
            """
            name: aggregator
            listen: 127.0.0.1:%d
            controllers: [%s]
            """
                .formatted(ports.get("aggregator"), controllers()));
    start("aggregator", List.of(), "aggregator", "-c", aggregator.toString());
    // One calls the aggregator and, without it, the controllers; the other only these.
    agent("agent-1", "127.0.0.1:" + ports.get("aggregator") + "," + controllers());
    agent("agent-2", controllers());
    for (String name : GATEWAYS) {
      gateway(name);
    }
    for (String name : AGENTS) {
      addJob(name);
    }
    watch = new PlaneWatch(this);
  }

  private String controllers() {
    return "127.0.0.1:" + ports.get("controller-1") + ",127.0.0.1:" + ports.get("controller-2");
  }

  private void applyDocument() {
    try (DocumentHistory history = new DocumentHistory(store)) {
      history.apply(
          new DocumentHistory.Wish(
              """
              resources: [{operations: metadata, max: 500 ops/s, policy: psfa}]
              """,
              "test",
              "",
              null,
              false),
          System.currentTimeMillis() * 1_000_000);
    }
  }

  private void start(String name, List<String> javaOptions, String... arguments)
      throws IOException {
    parts.put(
        name,
        new SluiceProcess(List.of(), javaOptions, directory.resolve(name + ".log"), arguments));
  }

  private void agent(String name, String controllers) throws IOException {
    start(
        name,
        List.of(),
        "agent",
        "--directory",
        stage(name).path().toString(),
        "--name",
        name,
        "--controller",
        controllers);
  }

  private void addJob(String name) throws Exception {
    parts.get(name).awaitLine("looking after");
    Path mount = Files.createDirectories(mount(name));
    Cli added =
        Cli.run(
            "agent",
            "add",
            "job",
            "--user",
            Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString(),
            "--mount",
            mount.toString(),
            "--directory",
            stage(name).path().toString());
    if (added.exitCode() != 0) {
      throw new AssertionError(added.err());
    }
  }

  private void gateway(String name) throws IOException {
    Path configuration =
        ControlledGateway.write(
            directory.resolve(name),
            name,
            ports.get(name),
            controllers(),
            "2 MB/s",
            "memory: 64 MiB");
    start(name, List.of(), "serve", "-c", configuration.toString());
  }

  /** The stage directory of an agent. */
  StageDirectory stage(String agent) {
    return new StageDirectory(directory.resolve(agent + "-stage"));
  }

  /** What the programs of an agent work on. */
  Path mount(String agent) {
    return directory.resolve(agent + "-mount");
  }

  InetSocketAddress nfsAddress(String gateway) {
    return new InetSocketAddress(
        InetAddress.getLoopbackAddress(), Objects.requireNonNull(ports.get(gateway)));
  }

  SluiceProcess part(String name) {
    return Objects.requireNonNull(parts.get(name));
  }

  LedgerLocation store() {
    return store;
  }

  PlaneWatch watch() {
    return watch;
  }

  /** Where a part takes commands. */
  Path socket(String name) {
    if (name.startsWith("agent")) {
      return stage(name).agentSocket();
    }
    return name.startsWith("gateway")
        ? directory.resolve(name).resolve("state").resolve("control.sock")
        : directory.resolve(name).resolve("controller.socket");
  }

  /** The controller that leads; empty where none does. */
  String leader() {
    return CONTROLLERS.stream().filter(watch::leads).findFirst().orElse("");
  }

  /** Waits until every node has orders and limits, and every gateway obeys. */
  void awaitAllWell() throws Exception {
    try {
      SluiceProcess.await("all is well", watch::allIsWell);
    } catch (AssertionError e) {
      StringBuilder logs = new StringBuilder(watch.toString());
      for (Map.Entry<String, SluiceProcess> part : parts.entrySet()) {
        List<String> lines = part.getValue().log().lines().toList();
        logs.append("\n== ").append(part.getKey()).append('\n');
        lines
            .subList(Math.max(0, lines.size() - 20), lines.size())
            .forEach(line -> logs.append(line).append('\n'));
      }
      throw new AssertionError(logs.toString(), e);
    }
  }

  @Override
  public void close() {
    watch.close();
    parts.values().forEach(SluiceProcess::close);
    System.clearProperty("org.postgresql.pgpassfile");
  }
}
