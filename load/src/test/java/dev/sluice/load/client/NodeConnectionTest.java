package dev.sluice.load.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.load.play.Contents;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class NodeConnectionTest {
  private static final Credential.Sys ALICE = new Credential.Sys("node", 1001, 100);
  private static final Credential.Sys BOB = new Credential.Sys("node", 1002, 100);
  private static final Duration LONG = Duration.ofSeconds(30);

  private TestNfsServer server;
  private Handle root;

  @BeforeEach
  void serve() throws IOException {
    server = new TestNfsServer();
    try (MountClient mounts = MountClient.connect(server.address(), ALICE, LONG)) {
      root = Answers.await(mounts.mount("/export"));
    }
    server.ports.clear();
    server.xids.clear();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  private NodeConnection open(int count, Duration repeatAfter, Duration comeBackAfter)
      throws IOException {
    return NodeConnection.open(
        server.address(), count, new ClientTimes(LONG, repeatAfter, comeBackAfter));
  }

  @Test
  void allUsersOfNodeShareOneConnection() throws IOException {
    try (NodeConnection node = open(1, LONG, LONG)) {
      Answers.await(node.as(ALICE).attributes(root));
      Answers.await(node.as(BOB).attributes(root));
    }
    assertThat(server.uids).containsExactlyInAnyOrder(1001, 1002);
    assertThat(server.ports).hasSize(1);
  }

  @Test
  void callsGoOverSeveralConnectionsInTurn() throws IOException {
    try (NodeConnection node = open(3, LONG, LONG)) {
      Answers.await(node.as(ALICE).attributes(root));
      Answers.await(node.as(ALICE).attributes(root));
      assertThat(server.ports).hasSize(2);
      for (int i = 0; i < 10; i++) {
        Answers.await(node.as(BOB).attributes(root));
      }
    }
    assertThat(server.ports).hasSize(3);
  }

  @Test
  void whoeverIsToldToComeLaterDoesSoWhileOthersGoOn() throws IOException {
    server.uidToComeLater = ALICE.uid();
    server.callsToComeLater.set(2);
    try (NodeConnection node = open(1, LONG, Duration.ofMillis(300))) {
      long beganNanos = System.nanoTime();
      CompletableFuture<FileAttributes> told = node.as(ALICE).attributes(root);
      Answers.await(node.as(BOB).attributes(root));
      assertThat(told).isNotDone();
      assertThat(Answers.await(told).type()).isEqualTo(FileAttributes.DIRECTORY);
      assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(600_000_000L);
      assertThat(node.toldToComeLater()).isEqualTo(2);
    }
    assertThat(new HashSet<>(server.xids)).as("a new number each time").hasSize(4);
  }

  @Test
  void whatWaitsToComeBackFailsWhenTheConnectionIsClosed() throws Exception {
    server.uidToComeLater = ALICE.uid();
    server.callsToComeLater.set(1);
    CompletableFuture<FileAttributes> told;
    try (NodeConnection node = open(1, LONG, Duration.ofHours(1))) {
      told = node.as(ALICE).attributes(root);
      Eventually.await("told to come later", () -> node.toldToComeLater() == 1);
    }
    assertThatThrownBy(() -> Answers.await(told)).hasMessageContaining("closed");
  }

  @Test
  void aCallWithoutAnswerIsSentAgainUnderItsNumber() throws IOException {
    server.callsToForget.set(2);
    try (NodeConnection node = open(1, Duration.ofMillis(100), LONG)) {
      Answers.await(node.as(ALICE).attributes(root));
      assertThat(node.repeated()).isGreaterThanOrEqualTo(2);
      assertThat(node.connections()).isEqualTo(1);
    }
    assertThat(server.xids).hasSizeGreaterThanOrEqualTo(3);
    assertThat(new HashSet<>(server.xids)).hasSize(1);
    assertThat(server.calls(Nfs3Procedure.GETATTR)).isGreaterThanOrEqualTo(3);
  }

  @Test
  void rootCallsFromPrivilegedPortsAndKeepsThem() throws Exception {
    assumeTrue(PrivilegedPorts.USABLE, "only root may call from ports below 1024");
    try (NodeConnection node = open(1, LONG, LONG)) {
      Answers.await(node.as(ALICE).attributes(root));
      server.cutAll();
      Eventually.await("a new connection", () -> node.reconnections() > 0);
      Answers.await(node.as(ALICE).attributes(root));
    }
    assertThat(server.ports)
        .hasSize(1)
        .allMatch(port -> port >= PrivilegedPorts.FIRST && port <= PrivilegedPorts.LAST);
  }

  @Test
  void saysSoWhenNoPrivilegedPortIsFree() throws IOException {
    assumeTrue(PrivilegedPorts.USABLE, "only root may call from ports below 1024");
    List<RpcConnection> all = new ArrayList<>();
    // A listener of its own that takes nothing in: the kernel's queue holds them.
    try (ServerSocket listener = new ServerSocket(0, 1_000)) {
      InetSocketAddress address =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), listener.getLocalPort());
      assertThatThrownBy(
              () -> {
                while (all.size() <= PrivilegedPorts.COUNT) {
                  all.add(
                      RpcConnection.open(
                          address, new RpcConnection.Program(1, 1), ClientTimes.asLinux(LONG)));
                }
              })
          .isInstanceOf(RpcException.class)
          .hasMessageContaining("privileged ports 665 to 1023 none is free");
      assertThat(all.size()).isGreaterThan(PrivilegedPorts.COUNT / 2);
    } finally {
      all.forEach(RpcConnection::close);
    }
  }

  @Test
  void aWriteThatComesBackWritesTheSame() throws IOException {
    server.uidToComeLater = ALICE.uid();
    try (NodeConnection node = open(1, LONG, Duration.ofMillis(50))) {
      NfsClient alice = node.as(ALICE);
      Handle file = Answers.await(alice.create(root, "file", 0644));
      server.callsToComeLater.set(3);
      Answers.await(alice.write(file, 0, new Contents(7).piece(0, 5), StableHow.FILE_SYNC));
      ByteBuffer read = ByteBuffer.allocate(5);
      Answers.await(alice.read(file, 0, 5, read::put));
      assertThat(new Contents(7).firstDifference(read.flip(), 0)).isEqualTo(Contents.NO_DIFFERENCE);
    }
  }
}
