package dev.sluice.store.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.access.Role;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys as they are made, and what they are good for over real connections. */
class KeyDirectoryTest {
  private static final Instant TODAY = Instant.parse("2026-11-16T08:00:00Z");
  private static final int PATIENCE_MILLIS = 30_000;

  @TempDir private static Path directory;

  private static KeyDirectory keys = new KeyDirectory(Path.of("/nowhere"));
  private static KeyDirectory strangers = keys;

  @BeforeAll
  static void make() {
    keys = new KeyDirectory(directory.resolve("keys"));
    keys.make(List.of("controller.example.org", "10.1.0.3"));
    keys.addNode("n001", List.of());
    strangers = new KeyDirectory(directory.resolve("strangers"));
    strangers.make(List.of());
    strangers.addNode("n001", List.of());
  }

  private static SSLContext of(KeyDirectory where, String name) {
    return TlsContexts.mutual(where.certificate(name), where.key(name), where.authority());
  }

  /** Connects, both sides with certificates, and answers whom the server sees. */
  private static String whoIsSeen(SSLContext server, SSLContext client) throws Exception {
    InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
    try (ExecutorService threads = Executors.newSingleThreadExecutor();
        SSLServerSocket listening =
            (SSLServerSocket) server.getServerSocketFactory().createServerSocket(0, 1, loopback)) {
      listening.setNeedClientAuth(true);
      listening.setSoTimeout(PATIENCE_MILLIS);
      Callable<String> serving =
          () -> {
            try (SSLSocket accepted = (SSLSocket) listening.accept()) {
              accepted.setSoTimeout(PATIENCE_MILLIS);
              Principal seen = accepted.getSession().getPeerPrincipal();
              accepted.getOutputStream().write('!');
              return seen.getName();
            }
          };
      Future<String> seen = threads.submit(serving);
      try (SSLSocket calling = (SSLSocket) client.getSocketFactory().createSocket()) {
        calling.setSoTimeout(PATIENCE_MILLIS);
        calling.connect(new InetSocketAddress(loopback, listening.getLocalPort()));
        SSLParameters parameters = calling.getSSLParameters();
        // As clients of HTTPS and gRPC do: the name that was called must be in the certificate.
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        calling.setSSLParameters(parameters);
        assertThat(calling.getInputStream().read()).isEqualTo('!');
      }
      return seen.get();
    }
  }

  @Test
  void aNodeAndTheControllerTrustEachOther() throws Exception {
    assertThat(whoIsSeen(of(keys, KeyDirectory.CONTROLLER), of(keys, "n001"))).isEqualTo("CN=n001");
  }

  @Test
  void whoeverElseSignedIsNobody() {
    SSLContext controller = of(keys, KeyDirectory.CONTROLLER);
    SSLContext withStrangersKey =
        TlsContexts.mutual(strangers.certificate("n001"), strangers.key("n001"), keys.authority());
    // How the one who calls learns of it depends on how far it has got.
    assertThatThrownBy(() -> whoIsSeen(controller, withStrangersKey))
        .isInstanceOf(IOException.class);
    SSLContext trustingStrangers = of(strangers, "n001");
    assertThatThrownBy(() -> whoIsSeen(controller, trustingStrangers))
        .isInstanceOf(SSLException.class);
    assertThatThrownBy(() -> whoIsSeen(controller, TlsContexts.trusting(keys.authority())))
        .isInstanceOf(IOException.class);
  }

  @Test
  void aNodeIsNoController() {
    // It can be called by its own name only, and loopback is none of them.
    assertThatThrownBy(() -> whoIsSeen(of(keys, "n001"), of(keys, KeyDirectory.CONTROLLER)))
        .isInstanceOf(SSLException.class)
        .hasMessageContaining("127.0.0.1");
  }

  @Test
  void onlyTheirOwnerCanReadSecrets() throws IOException {
    assertThat(rights(keys.directory())).isEqualTo("rwx------");
    try (Stream<Path> files = Files.list(keys.directory())) {
      for (Path file : files.toList()) {
        boolean open = String.valueOf(file.getFileName()).endsWith(".crt");
        assertThat(rights(file)).as(file.toString()).isEqualTo(open ? "rw-r--r--" : "rw-------");
      }
    }
    Path loose = Files.copy(keys.key("n001"), directory.resolve("loose.key"));
    Files.setPosixFilePermissions(loose, PosixFilePermissions.fromString("rw-r-----"));
    assertThatThrownBy(() -> TlsContexts.mutual(keys.certificate("n001"), loose, keys.authority()))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("expected chmod 600");
  }

  private static String rights(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void aCertificateSaysUnderWhichNamesOneIsCalled() {
    assertThat(keys.hostNames(KeyDirectory.CONTROLLER))
        .containsExactly("controller", "controller.example.org", "localhost");
    assertThat(keys.hostNames("n001")).containsExactly("n001");
  }

  @Test
  void anAuthorityIsNotReplaced() {
    assertThatThrownBy(() -> keys.make(List.of()))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("there is an authority already");
  }

  @Test
  void namesThatCouldBeSomethingElseAreRefused() {
    for (String name : List.of("", "../n1", "a b", "n1,CN=controller", "-n1", "a".repeat(64))) {
      assertThatThrownBy(() -> keys.addNode(name, List.of()))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> keys.addToken(name, null, null, TODAY))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> keys.addNode(KeyDirectory.CONTROLLER, List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> keys.addNode("n9", List.of("1.2.3")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected a name or an address such as 10.1.0.3");
  }

  @Test
  void aTokenStandsForItsHolderAndIsNotKept() throws IOException {
    SecretToken anna = keys.addToken("anna", "operate", null, TODAY);
    SecretToken node = keys.addToken("n002", null, null, TODAY);
    AccessFile access = new AccessFile(keys.accessFile());
    assertThat(access.caller(anna.reveal(), false))
        .hasValueSatisfying(caller -> {
          assertThat(caller.who()).isEqualTo("anna");
          assertThat(caller.role()).isEqualTo(Role.OPERATE);
        });
    assertThat(access.caller(null, true))
        .hasValueSatisfying(caller -> assertThat(caller.role()).isEqualTo(Role.READ));
    assertThat(access.caller(null, false)).isEmpty();
    assertThat(access.caller("sluice_guess", true)).isEmpty();
    assertThat(access.caller(node.reveal(), true)).as("a node is no person").isEmpty();
    String kept = Files.readString(keys.accessFile());
    assertThat(kept).doesNotContain(anna.reveal()).doesNotContain(node.reveal());
    assertThat(anna.toString()).isEqualTo("a token");
  }

  @Test
  void aNodeSpeaksForItselfAlone() {
    SecretToken token = keys.addToken("n003", null, null, TODAY);
    SecretToken person = keys.addToken("berta", "admin", null, TODAY);
    AccessFile access = new AccessFile(keys.accessFile());
    assertThat(access.node("n003", List.of(), token.reveal()))
        .isEqualTo(new AccessFile.Verdict.Node("n003", Mandate.AGENT, null));
    assertThat(access.node("n001", List.of("n001"), null))
        .isEqualTo(new AccessFile.Verdict.Node("n001", Mandate.AGENT, null));
    assertThat(access.node("n001", List.of(), token.reveal()))
        .isEqualTo(
            new AccessFile.Verdict.Refused(
                "its token is that of n003, and it says that it is n001"));
    assertThat(access.node("n003", List.of("n001"), token.reveal()))
        .isEqualTo(
            new AccessFile.Verdict.Refused(
                "its certificate is for n001, and it says that it is n003"));
    assertThat(access.node("n001", List.of(), null))
        .isEqualTo(new AccessFile.Verdict.Refused("it shows neither a certificate nor a token"));
    assertThat(access.node("berta", List.of(), person.reveal()))
        .isEqualTo(new AccessFile.Verdict.Refused("nobody knows its token as that of a node"));
  }

  @Test
  void aTokenThatEndsIsRefusedInWordsAndCanBeRenewedBefore() {
    Instant now = Instant.parse("2026-11-17T08:00:00Z");
    AtomicReference<Instant> clock = new AtomicReference<>(now);
    Duration hours = Duration.ofHours(8);
    SecretToken node = keys.addToken("n020", null, hours, now);
    SecretToken person = keys.addToken("dora", "operate", hours, now);
    AccessFile access = new AccessFile(keys.accessFile(), clock::get);
    Instant end = now.plus(hours);
    assertThat(access.node("n020", List.of(), node.reveal()))
        .isEqualTo(new AccessFile.Verdict.Node("n020", Mandate.AGENT, end));
    assertThat(access.caller(person.reveal(), false)).isPresent();
    assertThat(access.refusal(person.reveal())).isNull();

    // The old one counts beside the new one, until it ends; one before it does no more.
    SecretToken second = keys.addToken("n020", null, hours, now.plus(Duration.ofHours(6)));
    SecretToken third = keys.addToken("n020", null, hours, now.plus(Duration.ofHours(7)));
    AccessFile renewed = new AccessFile(keys.accessFile(), clock::get);
    assertThat(renewed.node("n020", List.of(), node.reveal()))
        .isInstanceOf(AccessFile.Verdict.Refused.class);
    for (SecretToken counts : List.of(second, third)) {
      assertThat(renewed.node("n020", List.of(), counts.reveal()))
          .isInstanceOf(AccessFile.Verdict.Node.class);
    }

    clock.set(end);
    assertThat(access.node("n020", List.of(), node.reveal()))
        .isEqualTo(
            new AccessFile.Verdict.Refused(
                "its token ended at 2026-11-17T16:00:00Z; ./sluice keys makes a new one"));
    assertThat(access.caller(person.reveal(), true)).isEmpty();
    assertThat(access.refusal(person.reveal()))
        .isEqualTo(
            "the token of dora ended at 2026-11-17T16:00:00Z; ./sluice keys makes a new one");
    assertThat(access.refusal("sluice_guess")).isNull();

    // One that does not end takes the place of all before it.
    SecretToken forGood = keys.addToken("n020", null, null, end);
    AccessFile last = new AccessFile(keys.accessFile(), clock::get);
    assertThat(last.node("n020", List.of(), third.reveal()))
        .isInstanceOf(AccessFile.Verdict.Refused.class);
    assertThat(last.node("n020", List.of(), forGood.reveal()))
        .isEqualTo(new AccessFile.Verdict.Node("n020", Mandate.AGENT, null));
  }

  @Test
  void anAuthorityOfTheSitesOwnIsGoneBy() throws IOException {
    KeyDirectory site = new KeyDirectory(directory.resolve("site"));
    site.makeFor(keys.authority());
    assertThat(site.list()).isEqualTo(AccessList.EMPTY);
    // Nobody here knows whom that authority has given certificates.
    site.revoke("n042");
    assertThat(site.list().revoked()).containsExactly("n042");
    assertThatThrownBy(() -> site.makeFor(keys.authority()))
        .hasMessageContaining("there is an authority already");
    Path nothing = Files.writeString(directory.resolve("nothing.crt"), "nothing");
    assertThatThrownBy(() -> new KeyDirectory(directory.resolve("other")).makeFor(nothing))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("expected the certificate of an authority in PEM");
  }

  @Test
  void whoIsMoreThanAnAgentWasSaidToBe() {
    keys.assign("gate1", new AccessList.Assignment.Gateway(null));
    keys.assign(
        "rack7", new AccessList.Assignment.Aggregator(NodeNames.parse("n[001-003,010],login1")));
    keys.assign("rack8", new AccessList.Assignment.Aggregator(NodeNames.parse("n011")));
    keys.assign("rack8", null);
    TargetNames disks = TargetNames.parse("disk=1GB/s,meta=20kops/s, old");
    keys.assign("gate2", new AccessList.Assignment.Gateway(disks));
    AccessList list = keys.list();

    assertThat(list.mandate("gate1")).isEqualTo(Mandate.GATEWAY);
    assertThat(list.mandate("rack7").nodes())
        .containsExactlyInAnyOrder("n001", "n002", "n003", "n010", "login1");
    assertThat(list.mandate("rack7").nodesMax()).isEqualTo(5);
    assertThat(list.mandate("rack8")).isEqualTo(Mandate.AGENT);
    assertThat(list.assigned().values().stream().map(AccessList.Assignment::words))
        .containsExactly(
            "gateway",
            "gateway with disk=1GB/s,meta=20kops/s, old",
            "aggregator of n[001-003,010],login1");
    assertThat(list.mandate("gate2")).isEqualTo(Mandate.gatewayWith(disks));
    assertThat(disks.capacities())
        .containsExactly(
            Map.entry("disk", 1_000_000_000L),
            Map.entry("meta", 20_000L),
            Map.entry("old", TargetNames.NOT_SAID));
    for (String bad : List.of("", "a,,b", "a b", "a=", "a=fast", "a=0", "a,a=1MB/s", "\"")) {
      assertThatThrownBy(() -> TargetNames.parse(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected");
    }
    for (String bad : List.of("", "n[3-1]", "n[1-999999999]", "n[a]", "a,,b", "n[1", "-n")) {
      assertThatThrownBy(() -> NodeNames.parse(bad))
          .as(bad)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("expected");
    }
  }

  @Test
  void whatIsRevokedCountsNoMoreWithinAShortTime() throws Exception {
    SecretToken token = keys.addToken("carl", "admin", null, TODAY);
    AccessFile access = new AccessFile(keys.accessFile());
    assertThat(access.caller(token.reveal(), false)).isPresent();
    keys.revoke("carl");
    Eventually.await("it counts no more", () -> access.caller(token.reveal(), false).isEmpty());
    assertThatThrownBy(() -> keys.addToken("carl", "read", null, TODAY))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("was revoked");
    assertThatThrownBy(() -> keys.revoke("nobody"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("expected the name of a node");
  }

  @Test
  void aListThatOthersCanReadOrThatIsSpoiltIsRefused() throws IOException {
    Path file = directory.resolve("access.yaml");
    Files.writeString(file, AccessList.EMPTY.text());
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> new AccessFile(file))
        .isInstanceOf(KeyException.class)
        .hasMessageContaining("expected chmod 600");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(
        file, "holders: [{name: a, kind: boss, since: 2026-01-01, sha256: x}]\nrevoked: []\n");
    assertThatThrownBy(() -> new AccessFile(file))
        .hasMessageContaining(
            "access.yaml:1:27: kind: \"boss\": expected one of read, operate, admin, node");
  }
}
