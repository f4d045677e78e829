package dev.sluice.app.neighbours;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.app.endurance.RawCall;
import dev.sluice.app.load.ThisUser;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls that are sent again: answered where they were repeated, and never for somebody else. */
@Tag("untimed")
@Timeout(180)
class RepeatedCallTest {
  private static final Credential.Sys OWNER = new Credential.Sys("node", 1_001, 1_001);
  private static final Credential.Sys STRANGER = new Credential.Sys("node", 1_002, 1_002);
  private static final Credential.Sys THROTTLED = new Credential.Sys("node", 1_003, 1_003);
  private static final String HERE = "127.0.0.1";
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final byte[] NAME = "file".getBytes(StandardCharsets.US_ASCII);

  /** How many calls wait before the one that is repeated: some seconds' worth. */
  private static final int CALLS_BEFORE = 8;

  private static final String CONFIGURATION =
      """
      memory: 256 MiB
      targets: {disk: {capacity: 500 MB/s}}
      exports: {/export: {directory: export, privileged-ports: false}}
      limits:
        - {name: throttled, match: user=1003, rate: 2 ops/s}
      """;

  @TempDir private Path directory;

  private GatewayProcess gateway;
  private Handle root;

  @BeforeEach
  void start() throws Exception {
    assumeTrue(ThisUser.find().uid() == 0, "only root can serve several users");
    gateway = new GatewayProcess(directory, CONFIGURATION, List.of());
    root = gateway.mount(OWNER, "/export");
  }

  @AfterEach
  void stop() {
    if (gateway != null) {
      gateway.close();
    }
  }

  private Path path(String name) {
    return gateway.exported().resolve(name);
  }

  private void make(Credential.Sys caller, String name) throws IOException {
    try (NfsClient client = gateway.connect(caller)) {
      Answers.await(client.create(root, name, 0644));
    }
  }

  private RawClient connect() throws IOException {
    return RawClient.connect(gateway.nfsAddress(), HERE);
  }

  /** A connection with a REMOVE that has to wait behind other calls of its user. */
  private RawClient withRemoveQueued(int xid) throws IOException {
    RawClient client = connect();
    for (int i = 0; i < CALLS_BEFORE; i++) {
      client.getAttributes(1_000 + i, THROTTLED, RawCall.bytes(root));
    }
    client.remove(xid, THROTTLED, RawCall.bytes(root), NAME);
    // When this is answered, all before it was taken in.
    client.getAttributes(999, OWNER, RawCall.bytes(root));
    assertThat(client.replyTo(999, PATIENCE).status()).isZero();
    return client;
  }

  @Test
  void aCallThatIsStillQueuedIsAnsweredWhereItIsRepeated() throws Exception {
    make(THROTTLED, "file");
    try (RawClient _ = withRemoveQueued(77);
        RawClient second = connect()) {
      assertThat(path("file")).exists();
      second.remove(77, THROTTLED, RawCall.bytes(root), NAME);
      assertThat(second.replyTo(77, PATIENCE).status()).as("of the repeated REMOVE").isZero();
      assertThat(path("file")).doesNotExist();
    }
  }

  @Test
  void aCallWhoseConnectionDiedIsAnsweredOnTheNext() throws Exception {
    make(THROTTLED, "file");
    withRemoveQueued(78).reset();
    try (RawClient second = connect()) {
      second.remove(78, THROTTLED, RawCall.bytes(root), NAME);
      assertThat(second.replyTo(78, PATIENCE).status()).as("of the repeated REMOVE").isZero();
      assertThat(path("file")).doesNotExist();
    }
  }

  @Test
  void aCallThatWasAnsweredIsAnsweredAlikeWhenItIsRepeated() throws Exception {
    make(OWNER, "file");
    try (RawClient first = connect();
        RawClient second = connect()) {
      first.remove(79, OWNER, RawCall.bytes(root), NAME);
      assertThat(first.replyTo(79, PATIENCE).status()).isZero();
      second.remove(79, OWNER, RawCall.bytes(root), NAME);
      assertThat(second.replyTo(79, PATIENCE).status()).as("of the repeated REMOVE").isZero();
    }
  }

  @Test
  void anotherUserIsNotAnsweredFromMemory() throws Exception {
    make(OWNER, "file");
    try (RawClient client = connect()) {
      client.remove(80, OWNER, RawCall.bytes(root), NAME);
      assertThat(client.replyTo(80, PATIENCE).status()).isZero();
      client.remove(80, STRANGER, RawCall.bytes(root), NAME);
      assertThat(client.replyTo(80, PATIENCE).status()).as("of a stranger's REMOVE").isNotZero();
    }
  }

  @Test
  void callsThatDifferFarBehindAreNotTakenForOne() throws Exception {
    make(OWNER, "file");
    String long1 = "x".repeat(240) + "1";
    String long2 = "x".repeat(240) + "2";
    try (RawClient client = connect()) {
      link(client, 81, long1);
      assertThat(client.replyTo(81, PATIENCE).status()).isZero();
      link(client, 81, long2);
      assertThat(client.replyTo(81, PATIENCE).status()).isZero();
    }
    assertThat(path(long1)).exists();
    assertThat(path(long2)).as("what the second call asked for").exists();
  }

  private void link(RawClient client, int xid, String name) throws Exception {
    byte[] file;
    try (NfsClient asking = gateway.connect(OWNER)) {
      file = RawCall.bytes(Answers.await(asking.lookup(root, "file")));
    }
    client.call(
        xid,
        Nfs3Procedure.LINK,
        OWNER,
        out -> {
          out.writeOpaque(file).writeOpaque(RawCall.bytes(root));
          out.writeOpaque(name.getBytes(StandardCharsets.US_ASCII));
        });
  }
}
