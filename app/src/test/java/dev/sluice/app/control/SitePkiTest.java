package dev.sluice.app.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.Cli;
import dev.sluice.app.SluiceProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The certificates of an authority that the site has made with openssl, a root and one between it
 * and the members, in the hands of a controller, an aggregator, agents and a gateway, each a
 * process of its own.
 */
@Tag("untimed")
@Timeout(600)
class SitePkiTest {
  @TempDir private Path directory;
  private final Deque<SluiceProcess> running = new ArrayDeque<>();
  private Path authority;
  private Path keys;
  private int controllerPort;
  private SluiceProcess controller;

  @BeforeEach
  void makeAuthority() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/openssl")), "there is no openssl");
    authority = Files.createDirectories(directory.resolve("site-authority"));
    keys = directory.resolve("keys");
    openssl(
        "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 30"
            + " -subj /O=Site/CN=Root -keyout root.key -out root.crt"
            + " -addext basicConstraints=critical,CA:TRUE");
    openssl(
        "req -newkey rsa:2048 -nodes -subj /O=Site/CN=Members -keyout members.key"
            + " -out members.csr");
    Files.writeString(
        authority.resolve("members.ext"),
        "basicConstraints=critical,CA:TRUE,pathlen:0\nkeyUsage=critical,keyCertSign,cRLSign\n");
    openssl(
        "x509 -req -in members.csr -CA root.crt -CAkey root.key -CAcreateserial -days 30"
            + " -extfile members.ext -out members.crt");

    cli("keys", "init", "--authority", authority.resolve("root.crt").toString(), "--keys", dir());
    issue("controller", keys, "DNS:controller,DNS:localhost,IP:127.0.0.1", 30);
    controllerPort = SluiceProcess.freePort();
    Path configuration = KeyedController.configure(directory, controllerPort);
    controller = start("controller", "controller", "-c", configuration.toString());
    controller.awaitLine("control socket");
  }

  @AfterEach
  void stopAll() {
    running.forEach(SluiceProcess::close);
  }

  private String dir() {
    return keys.toString();
  }

  private void openssl(String arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(arguments.split(" ", -1)));
    Process process =
        new ProcessBuilder(command).directory(authority.toFile()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
  }

  /** Puts a new certificate and its key, with the one between behind it, where they belong. */
  private void issue(String name, Path where, String alternatives, int days) throws Exception {
    openssl(
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /O=Site/CN="
            + name
            + " -keyout new.key -out new.csr");
    Files.writeString(
        authority.resolve("new.ext"),
        "subjectAltName=" + alternatives + "\nextendedKeyUsage=serverAuth,clientAuth\n");
    openssl(
        "x509 -req -in new.csr -CA members.crt -CAkey members.key -CAcreateserial -days "
            + days
            + " -extfile new.ext -out new.crt");
    Files.createDirectories(where);
    Path certificate = authority.resolve("chain.crt");
    Files.writeString(
        certificate,
        Files.readString(authority.resolve("new.crt"))
            + Files.readString(authority.resolve("members.crt")));
    Files.setPosixFilePermissions(
        authority.resolve("new.key"), PosixFilePermissions.fromString("rw-------"));
    Files.move(
        authority.resolve("new.key"),
        where.resolve(name + ".key"),
        StandardCopyOption.REPLACE_EXISTING);
    Files.move(certificate, where.resolve(name + ".crt"), StandardCopyOption.REPLACE_EXISTING);
  }

  /** What a member of the site has: its own keys, and whom to trust. No list of anything. */
  private Path member(String name) throws Exception {
    Path where = directory.resolve("of-" + name);
    issue(name, where, "DNS:" + name + ",IP:127.0.0.1", 30);
    Files.copy(authority.resolve("root.crt"), where.resolve("authority.crt"));
    return where;
  }

  private SluiceProcess start(String name, String... arguments) throws IOException {
    SluiceProcess process = new SluiceProcess(directory.resolve(name + ".log"), arguments);
    running.addFirst(process);
    return process;
  }

  private static String cli(String... arguments) {
    Cli done = Cli.run(arguments);
    assertThat(done.exitCode()).as(done.err()).isZero();
    return done.out();
  }

  private void agent(String name, int port, String... credentials) throws Exception {
    Path files = directory.resolve(name);
    String[] all = new String[credentials.length + 7];
    System.arraycopy(credentials, 0, all, 7, credentials.length);
    all[0] = "agent";
    all[1] = "--directory";
    all[2] = files.toString();
    all[3] = "--name";
    all[4] = name;
    all[5] = "--controller";
    all[6] = "127.0.0.1:" + port;
    start(name, all).awaitLine("looking after");
    String user = Files.getAttribute(Path.of("/proc/self"), "unix:uid").toString();
    cli("agent", "add", name, "--user", user, "--directory", files.toString());
  }

  private String agentStatus(String name) {
    return Cli.run("agent", "status", "--directory", directory.resolve(name).toString()).out();
  }

  private String controllerStatus() {
    return cli("controller", "status", "-c", directory.resolve("controller.yaml").toString());
  }

  private void awaitLimit(String name) throws Exception {
    SluiceProcess.await(
        "the controller's limit on " + name + ": " + agentStatus(name),
        () -> agentStatus(name).contains("job " + name + ": metadata 123 ops/s"));
  }

  private void awaitRefusal(String name, String reason) throws Exception {
    SluiceProcess.await(
        name + " is told: " + reason + "\n" + agentStatus(name),
        () -> agentStatus(name).contains("note: controller: it refuses us: " + reason));
  }

  @Test
  void membersHaveOrdersAreRenewedAndRevoked() throws Exception {
    agent("n1", controllerPort, "--keys", member("n1").toString());
    agent("n2", controllerPort, "--keys", member("n2").toString());
    awaitLimit("n1");
    awaitLimit("n2");

    Path home = Files.createDirectories(directory.resolve("g1"));
    Files.createDirectories(home.resolve("export"));
    Path gateway =
        Files.writeString(
            home.resolve("sluice.yaml"),
            """
            nfs-port: 0
            mount-port: 0
            state: state
            dashboard: off
            controller: {addresses: ["127.0.0.1:%d"], name: g1, keys: %s}
            targets: {disk: {capacity: 100 MB/s}}
            exports: {/export: {directory: export, privileged-ports: false}}
            """
                .formatted(controllerPort, member("g1")));
    start("gateway", "serve", "-c", gateway.toString()).awaitLine("control socket");
    SluiceProcess.await(
        "a certificate by itself is no gateway's",
        () -> Cli.ask(gateway, "status").contains("it refuses us: g1 may not be a gateway"));
    cli("keys", "assign", "g1", "--gateway", "--keys", dir());
    SluiceProcess.await(
        "the controller decides for the gateway",
        () -> Cli.ask(gateway, "status").startsWith("policy gift of the controller"));

    // Revoked, its open call ends.
    cli("keys", "revoke", "n2", "--keys", dir());
    awaitRefusal("n2", "n2 was revoked");
    assertThat(controllerStatus())
        .contains("note: refused in the last 5 min: ")
        .contains("n2 was revoked");
    assertThat(cli("audit", dir()))
        .contains("goes by the authority in ")
        .contains("g1 is gateway")
        .contains("revoked n2")
        .contains("and all fit");
    assertThat(cli("audit", directory.resolve("controller").toString()))
        .contains("was started")
        .contains("leads, in epoch ");
    Cli.ask(gateway, "job", "set", "4711", "weight=3");
    assertThat(cli("audit", home.resolve("state").toString()))
        .contains(": started with ")
        .contains("the command line: job 4711: weight 3")
        .contains("and all fit");
  }

  /** What is renewed is by another authority, so that nothing old could pass for it. */
  @Test
  void certificatesAndAuthoritiesAreRenewedWithoutARestart() throws Exception {
    agent("n1", controllerPort, "--keys", member("n1").toString());
    agent("n2", controllerPort, "--keys", member("n2").toString());
    awaitLimit("n1");
    awaitLimit("n2");
    openssl(
        "req -x509 -newkey rsa:2048 -nodes -days 30 -subj /O=Site/CN=Next -keyout next.key"
            + " -out next.crt -addext basicConstraints=critical,CA:TRUE");
    Path members = authority.resolve("members.crt");
    Files.move(authority.resolve("next.crt"), members, StandardCopyOption.REPLACE_EXISTING);
    Files.move(
        authority.resolve("next.key"),
        authority.resolve("members.key"),
        StandardCopyOption.REPLACE_EXISTING);
    issue("n1", directory.resolve("of-n1"), "DNS:n1", 29);
    assertThat(agentStatus("n1")).startsWith("controller: connected");

    // Where the old authority counts no more, n1 calls again with what it has now, and n2 cannot.
    Path next = Files.copy(members, keys.resolve("next.crt"));
    Files.move(next, keys.resolve("authority.crt"), StandardCopyOption.REPLACE_EXISTING);
    awaitRefusal("n2", "its certificate for CN=n2,O=Site, signed by CN=Members,O=Site, does not");
    SluiceProcess.await(
        "the renewed one has orders",
        () ->
            agentStatus("n1").startsWith("controller: connected")
                && !controllerStatus().contains("n2  "));
    // The controller's own certificate is renewed, too: n1 does not trust the new authority yet.
    issue("controller", keys, "DNS:controller,DNS:localhost,IP:127.0.0.1", 29);
    cli("keys", "assign", "n1", "--gateway", "--keys", dir());
    SluiceProcess.await(
        "it sees another certificate",
        () -> agentStatus("n1").contains("note: controller: TLS failed: "));
    Files.copy(
        members,
        directory.resolve("of-n1").resolve("authority.crt"),
        StandardCopyOption.REPLACE_EXISTING);
    awaitRefusal("n1", "n1 may not be an agent");
    cli("keys", "assign", "n1", "--agent", "--keys", dir());
    SluiceProcess.await(
        "it has orders again", () -> agentStatus("n1").startsWith("controller: connected"));
  }

  /** It has no list of its own, and hears of everything from its controller. */
  @Test
  void anAggregatorHearsOfItsNodesFromItsController() throws Exception {
    cli("keys", "assign", "rack", "--aggregates", "n[1-3]", "--keys", dir());
    Path token = newToken("n3", "1h");
    // It is over before anybody shows it.
    Path brief = newToken("n2", "1s");
    int port = SluiceProcess.freePort();
    Path configuration =
        Files.writeString(
            directory.resolve("aggregator.yaml"),
            """
            name: rack
            listen: 127.0.0.1:%d
            controllers: ["127.0.0.1:%d"]
            keys: %s
            """
                .formatted(port, controllerPort, member("rack")));
    start("aggregator", "aggregator", "-c", configuration.toString()).awaitLine("listening");
    agent("n1", port, "--keys", member("n1").toString());
    agent("n4", port, "--keys", member("n4").toString());
    Path onlyRoot = Files.createDirectories(directory.resolve("root-alone"));
    Files.copy(authority.resolve("root.crt"), onlyRoot.resolve("authority.crt"));
    agent("n2", port, "--keys", onlyRoot.toString(), "--token-file", brief.toString());
    agent("n3", port, "--keys", onlyRoot.toString(), "--token-file", token.toString());
    awaitLimit("n1");
    awaitLimit("n3");
    awaitRefusal("n4", "n4 is not one of the nodes of rack");
    SluiceProcess.await(
        "the controller shows whom its aggregator refuses",
        () -> controllerStatus().contains("n4 behind rack: n4 is not one of the nodes of rack"));

    awaitRefusal("n2", "its token ended at ");
    // The next one is read without a restart.
    newToken("n2", "1h");
    awaitLimit("n2");

    cli("keys", "revoke", "n1", "--keys", dir());
    awaitRefusal("n1", "n1 was revoked");
    cli("keys", "assign", "rack", "--aggregates", "n[3-4]", "--keys", dir());
    awaitLimit("n4");
    awaitRefusal("n2", "n2 is not one of the nodes of rack");
    SluiceProcess.await(
        "the others have orders", () -> agentStatus("n3").startsWith("controller: connected"));
  }

  /** Makes a token that ends after this time, and puts it where the node looks. */
  private Path newToken(String node, String time) throws IOException {
    String made = cli("keys", "node", node, "--token", "--for", time, "--keys", dir()).strip();
    Path file = directory.resolve(node + ".token");
    if (!Files.exists(file)) {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return Files.writeString(file, made.substring(made.indexOf(' ') + 1));
  }
}
