package dev.sluice.app.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.SluiceProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The keys of {@code ./sluice keys} in the hands of a controller, an aggregator, agents and
 * gateways, each a process of its own.
 */
@Tag("untimed")
@Timeout(600)
class TlsControlTest {
  @TempDir private Path directory;
  private final Deque<SluiceProcess> running = new ArrayDeque<>();
  private Path keys;
  private int controllerPort;
  private SluiceProcess controller;

  @BeforeEach
  void startController() throws Exception {
    keys = directory.resolve("keys");
    keys("init");
    controllerPort = SluiceProcess.freePort();
    Path configuration = KeyedController.configure(directory, controllerPort);
    controller = start("controller", "controller", "-c", configuration.toString());
    controller.awaitLine("control socket");
  }

  @AfterEach
  void stopAll() {
    running.forEach(SluiceProcess::close);
  }

  private SluiceProcess start(String name, String... arguments) throws IOException {
    SluiceProcess process = new SluiceProcess(directory.resolve(name + ".log"), arguments);
    running.addFirst(process);
    return process;
  }

  private String keys(String... arguments) {
    return keysIn(keys, arguments);
  }

  private static String keysIn(Path where, String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "keys";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--keys";
    all[arguments.length + 2] = where.toString();
    Cli made = Cli.run(all);
    assertThat(made.exitCode()).as(made.err()).isZero();
    return made.out().strip();
  }

  private Path tokenFile(String name, String token) throws IOException {
    Path file = directory.resolve(name + ".token");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, token + "\n");
  }

  /** What {@code keys node NAME --token} prints is the name and the token. */
  private String newToken(String name) {
    String made = keys("node", name, "--token");
    return made.substring(made.indexOf(' ') + 1).strip();
  }

  /** What a node has that shows a token: whom to trust, and nothing of its own. */
  private Path authorityAlone() throws IOException {
    Path where = Files.createDirectories(directory.resolve("authority-alone"));
    Files.copy(
        keys.resolve("authority.crt"),
        where.resolve("authority.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    return where;
  }

  /** Starts an agent with one job, of the name of its directory. */
  private SluiceProcess agent(String name, String directoryName, String... link) throws Exception {
    Path files = directory.resolve(directoryName);
    String[] all = new String[link.length + 5];
    all[0] = "agent";
    all[1] = "--directory";
    all[2] = files.toString();
    all[3] = "--name";
    all[4] = name;
    System.arraycopy(link, 0, all, 5, link.length);
    SluiceProcess agent = start(directoryName, all);
    agent.awaitLine("looking after");
    Cli added =
        Cli.run("agent", "add", directoryName, "--user", userId(), "--directory", files.toString());
    assertThat(added.exitCode()).as(added.err()).isZero();
    return agent;
  }

  private static String userId() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
  }

  private String agentStatus(String directoryName, String... more) {
    String[] all = new String[more.length + 4];
    all[0] = "agent";
    all[1] = "status";
    all[2] = "--directory";
    all[3] = directory.resolve(directoryName).toString();
    System.arraycopy(more, 0, all, 4, more.length);
    return Cli.run(all).out();
  }

  private String controllerAddress() {
    return "127.0.0.1:" + controllerPort;
  }

  /** Starts a gateway whose targets the controller is to decide about. */
  private Path gateway(String name, String credentials) throws Exception {
    Path home = Files.createDirectories(directory.resolve(name));
    Files.createDirectories(home.resolve("export"));
    Path configuration =
        Files.writeString(
            home.resolve("sluice.yaml"),
            """
            nfs-port: 0
            mount-port: 0
            state: state
            dashboard: off
            controller: {addresses: ["%s"], name: %s, %s}
            targets: {disk: {capacity: 100 MB/s}}
            exports: {/export: {directory: export, privileged-ports: false}}
            """
                .formatted(controllerAddress(), name, credentials));
    start(name, "serve", "-c", configuration.toString()).awaitLine("control socket");
    return configuration;
  }

  @Test
  void certificatesAndTokensOpenTheWayForOrders() throws Exception {
    int aggregatorPort = SluiceProcess.freePort();
    keys("node", "rack-1", "--host", "127.0.0.1", "--aggregates", "n[1-2]");
    keys("node", "n1");
    keys("node", "g1", "--gateway");
    keys("assign", "g2", "--gateway");
    Path aggregator =
        Files.writeString(
            directory.resolve("aggregator.yaml"),
            """
            name: rack-1
            listen: 127.0.0.1:%d
            controllers: ["%s"]
            keys: keys
            """
                .formatted(aggregatorPort, controllerAddress()));
    start("aggregator", "aggregator", "-c", aggregator.toString()).awaitLine("listening");

    agent("n1", "n1", "--keys", keys.toString(), "--controller", "127.0.0.1:" + aggregatorPort);
    agent(
        "n2",
        "n2",
        "--keys",
        authorityAlone().toString(),
        "--token-file",
        tokenFile("n2", newToken("n2")).toString(),
        "--controller",
        controllerAddress());
    Path byCertificate = gateway("g1", "keys: " + keys);
    Path byToken =
        gateway("g2", "keys: " + authorityAlone() + ", token: " + tokenFile("g2", newToken("g2")));

    for (String node : new String[] {"n1", "n2"}) {
      SluiceProcess.await(
          "the controller's limit on " + node,
          () -> agentStatus(node).contains("job " + node + ": metadata 123 ops/s"));
      assertThat(agentStatus(node)).startsWith("controller: connected, orders of leader ");
      assertThat(agentStatus(node, "--json"))
          .contains("\"connected\":true,\"lapsed\":false,\"epoch\":")
          .contains("\"trouble\":null");
    }
    for (Path gateway : new Path[] {byCertificate, byToken}) {
      SluiceProcess.await(
          "the controller decides for " + gateway,
          () -> Cli.ask(gateway, "status").startsWith("policy gift of the controller"));
      assertThat(Cli.ask(gateway, "status")).contains("\ncontroller: connected, orders of leader ");
      assertThat(Cli.ask(gateway, "status", "--json"))
          .contains("\"controller\":{\"connected\":true,\"lapsed\":false,");
    }
    String members =
        Cli.run("controller", "status", "-c", directory.resolve("controller.yaml").toString())
            .out();
    assertThat(members).contains("rack-1").contains("n2").contains("g1").contains("g2");

    // Who is revoked is sent away, here by the aggregator.
    keys("revoke", "n1");
    SluiceProcess.await(
        "the call of the revoked is ended",
        () -> agentStatus("n1").contains("note: controller: it refuses us: n1 was revoked"));

    // Without the controller, what it ordered lapses, and both say so.
    controller.kill();
    SluiceProcess.await("limits lapse", () -> agentStatus("n2").contains("; limits have lapsed"));
    assertThat(agentStatus("n2"))
        .startsWith("controller: not connected")
        .contains("note: controller: Connection refused")
        .contains("job n2: nothing is limited");
    SluiceProcess.await(
        "the gateway's own policy decides",
        () -> Cli.ask(byToken, "status").contains("; our own policy decides"));
    assertThat(Cli.ask(byToken, "status")).contains("controller: not connected");
    // That no orders came is what it says until it has called again.
    SluiceProcess.await(
        "the gateway says why",
        () -> Cli.ask(byToken, "status").contains("note: controller: Connection refused"));
  }

  /** Its status and the controller's log name the same trouble, and it has no orders. */
  private void assertRefused(String node, String claimed, String reason) throws Exception {
    SluiceProcess.await(
        node + " says why: " + reason,
        () -> agentStatus(node).contains("it refuses us: " + reason));
    assertThat(agentStatus(node))
        .startsWith("controller: not connected")
        .contains("job " + node + ": nothing is limited");
    assertThat(agentStatus(node, "--json")).contains("\"connected\":false");
    SluiceProcess.await(
        "the controller's log names " + node + ":\n" + controller.log(),
        () ->
            controller
                .log()
                .lines()
                .anyMatch(line ->
                    line.contains("refused: " + claimed + " at /127.0.0.1:")
                        && line.contains(reason)));
  }

  @Test
  void wrongTokensForeignCertificatesAndFalseNamesAreRefusedWithAReason() throws Exception {
    newToken("n1");
    agent(
        "n1",
        "wrong-token",
        "--keys",
        authorityAlone().toString(),
        "--token-file",
        tokenFile("wrong", "sluice_wrong").toString(),
        "--controller",
        controllerAddress());
    assertRefused("wrong-token", "n1", "nobody knows its token as that of a node");
    running.removeFirst().close();

    // Of the same name, and from an authority of the same name, but not from ours.
    Path others = directory.resolve("others");
    keysIn(others, "init");
    keysIn(others, "node", "n1");
    Files.copy(
        keys.resolve("authority.crt"),
        others.resolve("authority.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    agent("n1", "foreign", "--keys", others.toString(), "--controller", controllerAddress());
    assertRefused("foreign", "n1", "its certificate for CN=n1, signed by CN=Sluice authority");
    running.removeFirst().close();

    keys("node", "n3");
    Path stolen = Files.createDirectories(directory.resolve("stolen"));
    Files.copy(keys.resolve("authority.crt"), stolen.resolve("authority.crt"));
    Files.copy(keys.resolve("n3.crt"), stolen.resolve("n4.crt"));
    Files.copy(keys.resolve("n3.key"), stolen.resolve("n4.key"));
    agent("n4", "false-name", "--keys", stolen.toString(), "--controller", controllerAddress());
    assertRefused("false-name", "n4", "its certificate is for n3, and it says that it is n4");
    running.removeFirst().close();

    Path gateway =
        gateway("g1", "keys: " + authorityAlone() + ", token: " + tokenFile("g1", newToken("n5")));
    String reason = "its token is that of n5, and it says that it is g1";
    SluiceProcess.await(
        "the gateway says why",
        () -> Cli.ask(gateway, "status").contains("note: controller: it refuses us: " + reason));
    assertThat(Cli.ask(gateway, "status")).contains("\ncontroller: not connected\n");
    assertThat(Cli.ask(gateway, "status", "--json")).contains(reason);

    // A node's key opens no other door, until somebody says so.
    Path node =
        gateway("n6", "keys: " + authorityAlone() + ", token: " + tokenFile("n6", newToken("n6")));
    SluiceProcess.await(
        "the node is told that it is no gateway",
        () ->
            Cli.ask(node, "status")
                .contains("it refuses us: n6 may not be a gateway; ./sluice keys assign n6"));
    keys("assign", "n6", "--gateway");
    SluiceProcess.await(
        "it is one", () -> Cli.ask(node, "status").startsWith("policy gift of the controller"));

    // Whoever does not trust the controller hears nothing from it.
    Path strangers = directory.resolve("strangers");
    keysIn(strangers, "init");
    keysIn(strangers, "node", "n1");
    agent("n1", "distrustful", "--keys", strangers.toString(), "--controller", controllerAddress());
    SluiceProcess.await(
        "it says why", () -> agentStatus("distrustful").contains("note: controller: TLS failed: "));

    assertThat(controller.log()).doesNotContain("sluice_wrong");
  }
}
