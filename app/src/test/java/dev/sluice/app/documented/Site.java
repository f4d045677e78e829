package dev.sluice.app.documented;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.SluiceProcess;
import dev.sluice.history.trace.Look;
import dev.sluice.history.trace.TraceWriter;
import dev.sluice.history.trace.TracedJob;
import dev.sluice.history.trace.TracedTarget;
import dev.sluice.ledger.CouponBooks;
import dev.sluice.ledger.LedgerLocation;
import dev.sluice.stage.library.PreloadLibrary;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A small site on which documented commands find what the documents take for granted: a gateway
 * with a job, a controller with a few documents, an agent, a trace, a ledger, a disk. Each command
 * is given as it is written, with these in place of the names in the documents.
 */
final class Site {
  private static final Set<String> ABOUT_THE_GATEWAY =
      Set.of(
          "status",
          "health",
          "top",
          "dashboard",
          "explain",
          "policy",
          "job",
          "hint",
          "observe",
          "reload",
          "record",
          "report");
  private static final Set<String> ABOUT_THE_NODE = Set.of("agent", "limit", "run");
  private static final Set<String> WITH_PROGRESS = Set.of("sim", "whatif", "load");

  private final Path directory;
  private final int nfsPort = SluiceProcess.freePort();
  private final int mountPort = SluiceProcess.freePort();
  private final int dashboardPort = SluiceProcess.freePort();
  private final int apiPort = SluiceProcess.freePort();
  private final Path gateway;
  private final Path controller;
  private final List<CompletableFuture<Cli>> servers = new ArrayList<>();

  private Site(Path directory) {
    this.directory = directory;
    this.gateway = directory.resolve("sluice.yaml");
    this.controller = directory.resolve("controller.yaml");
  }

  static boolean hasStage() {
    return PreloadLibrary.find().isPresent();
  }

  static Site open(Path directory) throws Exception {
    Site site = new Site(directory);
    site.write();
    site.start();
    return site;
  }

  private void write() throws IOException {
    Files.createDirectory(directory.resolve("scratch"));
    Files.setAttribute(directory.resolve("scratch"), "unix:mode", 0_1777);
    Files.createDirectory(directory.resolve("tmp"));
    Files.writeString(
        gateway,
        """
        nfs-port: %d
        mount-port: %d
        portmapper: off
        dashboard: 127.0.0.1:%d
        state: state
        memory: 64 MiB
        trust-claimed-jobs: true
        targets: {disk: {capacity: 1 GB/s}}
        exports: {/scratch: {directory: scratch, privileged-ports: false}}
        """
            .formatted(nfsPort, mountPort, dashboardPort));
    Files.writeString(
        controller,
        """
        listen: 127.0.0.1:0
        state: controller-state
        api: 127.0.0.1:%d
        """
            .formatted(apiPort));
    Files.copy(Cli.inTree("examples/documents/limits.yaml"), directory.resolve("limits.yaml"));
    Files.writeString(
        directory.resolve("job.yaml"),
        """
        name: job
        end: 1 s
        targets: {disk: {bandwidth: 100 MB/s}}
        jobs: {4711: {nodes: 1, processes: {window: 1, sequential: {file: 1 MB}}}}
        """);
    Files.writeString(directory.resolve("exports"), "/srv/scratch 10.1.0.0/16(rw)\n");
    try (CouponBooks _ =
        new CouponBooks(new LedgerLocation.SqliteFile(directory.resolve("coupons.db")))) {
      // Nobody is owed anything.
    }
    writeTrace(directory.resolve("monday.trace"));
  }

  private static void writeTrace(Path file) throws IOException {
    long lookNanos = 100_000_000;
    TracedTarget disk = new TracedTarget("disk", 100_000_000, 0, 1);
    try (TraceWriter trace = TraceWriter.create(file, 0, "none")) {
      List<Look> looks = new ArrayList<>();
      for (int i = 1; i <= 10; i++) {
        List<Look.Row> rows = new ArrayList<>();
        for (String job : List.of("4711", "4712")) {
          TracedJob traced = new TracedJob(job, "anna", 1);
          rows.add(new Look.Row(disk, traced, 8, 8 << 17, 0, 0, 0, 40_000_000, 0, lookNanos, 4));
        }
        looks.add(new Look(i * lookNanos, lookNanos, rows));
      }
      trace.append(looks);
    }
  }

  private void start() throws Exception {
    serve("serve", "-c", gateway.toString());
    serve("controller", "-c", controller.toString());
    if (hasStage()) {
      serve("agent", "--directory", node());
    }
    awaitZero("status", "-c", gateway.toString());
    awaitZero("controller", "status", "-c", controller.toString());
    if (hasStage()) {
      awaitZero("agent", "status", "--directory", node());
    }
    for (int kops : new int[] {100, 90, 110}) {
      Path document = directory.resolve("first.yaml");
      String text = Files.readString(directory.resolve("limits.yaml"));
      Files.writeString(document, text.replace("110 kops/s", kops + " kops/s"));
      List<String> apply = new ArrayList<>(List.of("limits", "apply", document.toString()));
      apply.addAll(ofController());
      done(apply.toArray(String[]::new));
    }
  }

  /** Something for a gateway to tell of; it forgets who was idle for a minute. */
  private void playAJob() {
    done(
        "load",
        directory.resolve("job.yaml").toString(),
        "--quiet",
        "--server",
        "127.0.0.1:" + nfsPort,
        "--mount-port",
        Integer.toString(mountPort),
        "--export",
        "/scratch");
  }

  private void serve(String... arguments) {
    servers.add(
        CompletableFuture.supplyAsync(
            () -> Cli.run(arguments), work -> Thread.ofPlatform().daemon().start(work)));
  }

  private void awaitZero(String... arguments) throws Exception {
    Eventually.await(
        String.join(" ", arguments),
        () -> Cli.run(arguments).exitCode() == 0,
        () ->
            servers.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join).toList()
                + "");
  }

  private static void done(String... arguments) {
    Cli cli = Cli.run(arguments);
    assertThat(cli.exitCode()).as(String.join(" ", arguments) + ": " + cli.err()).isZero();
  }

  private String node() {
    return directory.resolve("node").toString();
  }

  private List<String> ofController() {
    return List.of(
        "--controller",
        "http://127.0.0.1:" + apiPort,
        "--token-file",
        directory.resolve("controller-state/dashboard.token").toString());
  }

  /** Gives a command. */
  Cli run(DocumentedCommand documented) throws Exception {
    List<String> words = new ArrayList<>();
    for (String word : documented.words()) {
      words.add(translated(word, documented.words()));
    }
    prepare(words);
    complete(words);
    String input = documented.command().input();
    String[] arguments = words.toArray(String[]::new);
    Cli cli =
        input == null
            ? Cli.run(arguments)
            : Cli.runWithInput(Files.readString(Path.of(translated(input, words))), arguments);
    if (words.getFirst().equals("policy")) {
      // Other commands meet the gateway as it was.
      done("policy", "fair", "-c", gateway.toString());
    }
    return cli;
  }

  private String translated(String word, List<String> all) {
    if (word.startsWith("/tmp/")) {
      return directory + word;
    }
    String command = all.getFirst();
    boolean isRecorded = command.equals("record");
    return switch (word) {
      case "sluice.yaml" -> gateway.toString();
      case "controller.yaml", "examples/control/controller.yaml" -> controller.toString();
      case "limits.yaml" -> directory.resolve(word).toString();
      case "site.rules" -> Cli.inTree("examples/rules/site.rules").toString();
      case "observation.json" -> Cli.inTree("examples/decide/backlog.json").toString();
      case "monday.trace" -> directory.resolve(isRecorded ? "recorded.trace" : word).toString();
      case "monday.html", "alice.html" -> directory.resolve(word).toString();
      case "/var/lib/sluice/coupons.db" -> directory.resolve("coupons.db").toString();
      case "/etc/exports", "/etc/exports.d" -> directory.resolve("exports").toString();
      case "/srv/scratch" -> directory.resolve("scratch").toString();
      case "/scratch" -> command.equals("load") ? word : directory.resolve("scratch").toString();
      case "10.1.0.1:2049" -> "127.0.0.1:" + nfsPort;
      case "20048" -> Integer.toString(mountPort);
      case "http://127.0.0.1:8080" -> "http://127.0.0.1:" + dashboardPort;
      case "1001" -> thisUser();
      case "keys" -> command.equals("audit") ? directory.resolve(word).toString() : word;
      case "/var/lib/sluice" ->
          command.equals("audit") ? directory.resolve("controller-state").toString() : word;
      // Documents have time, tests have not.
      case "30" -> "1";
      case "1h" -> isRecorded ? "1s" : word;
      default -> word.startsWith("examples/") ? Cli.inTree(word).toString() : word;
    };
  }

  private String thisUser() {
    try {
      return String.valueOf(Files.getAttribute(directory, "unix:uid"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Does what a document takes for done before. */
  private void prepare(List<String> words) throws Exception {
    switch (words.getFirst()) {
      case "explain" ->
          Eventually.await(
              "the job is known",
              () -> {
                playAJob();
                return Cli.run("explain", words.get(1), "-c", gateway.toString()).exitCode() == 0;
              });
      case "limit" -> add(words.get(1));
      case "agent" -> {
        if (words.get(1).equals("remove")) {
          add(words.get(2));
        } else if (words.get(1).equals("add")) {
          Cli.run("agent", "remove", "--directory", node(), words.get(2));
        }
      }
      case "record" -> Files.deleteIfExists(directory.resolve("recorded.trace"));
      default -> {
        // Nothing.
      }
    }
  }

  /** Adds a job on this node, unless it is there. */
  private void add(String job) {
    Cli.run(
        "agent",
        "add",
        "--directory",
        node(),
        job,
        "--user",
        thisUser(),
        "--mount",
        directory.resolve("scratch").toString());
  }

  /** Says what a command finds by itself where its documents have it run. */
  private void complete(List<String> words) {
    String command = words.getFirst();
    boolean isTold = words.contains("-c") || words.contains("--url");
    boolean asksTheGateway =
        ABOUT_THE_GATEWAY.contains(command)
            || (command.equals("capacity") && words.size() == 1)
            || (command.equals("rules") && (words.size() == 1 || words.get(1).equals("load")));
    if (asksTheGateway && !isTold) {
      words.addAll(List.of("-c", gateway.toString()));
    } else if (ABOUT_THE_NODE.contains(command)) {
      words.addAll(command.equals("agent") ? 2 : 1, List.of("--directory", node()));
    } else if (WITH_PROGRESS.contains(command)) {
      words.add("--quiet");
    } else if (command.equals("limits")) {
      words.addAll(ofController());
    } else if (command.equals("keys")) {
      words.addAll(List.of("--keys", directory.resolve("keys").toString()));
    } else if (command.equals("audit") && words.size() == 1) {
      words.add(directory.resolve("state").toString());
    } else if (command.equals("coupons") && !words.contains("--ledger")) {
      words.addAll(List.of("--ledger", directory.resolve("coupons.db").toString()));
    } else if (command.equals("calibrate")) {
      words.addAll(List.of("--seconds", "1"));
    }
    int program = words.indexOf("--");
    if (program >= 0) {
      words.subList(program + 1, words.size()).clear();
      words.add("true");
    }
  }

  /** Also tries the commands that end what runs. */
  void close() throws Exception {
    done("stop", "-c", gateway.toString());
    done("controller", "stop", "-c", controller.toString());
    if (hasStage()) {
      done("agent", "stop", "--directory", node());
    }
    for (CompletableFuture<Cli> server : servers) {
      Cli ended = server.get(60, TimeUnit.SECONDS);
      assertThat(ended.exitCode()).as(ended.err()).isZero();
    }
  }
}
