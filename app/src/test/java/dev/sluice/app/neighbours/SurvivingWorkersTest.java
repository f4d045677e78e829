package dev.sluice.app.neighbours;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.NfsCaller;
import dev.sluice.app.endurance.GatewayProcess;
import dev.sluice.load.client.Answers;
import dev.sluice.load.client.ClientTimes;
import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NodeConnection;
import dev.sluice.load.play.Contents;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.rpc.Credential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A gateway that runs out of memory in the middle of its work goes on working. */
@Tag("untimed")
@Timeout(300)
class SurvivingWorkersTest {
  private static final int CONNECTIONS = 8;
  private static final int CALLS = 32;
  private static final int LARGE_BYTES = 1 << 20;
  private static final Duration OVERLOAD = Duration.ofSeconds(3);

  private static final String CONFIGURATION =
      """
      memory: %s
      targets: {disk: {capacity: auto}}
      exports: {/export: {directory: export, privileged-ports: false}}
      """;

  @TempDir private Path directory;

  /** So little that buffers cannot be had while the configured memory still has room. */
  @Test
  void answersGoOnAfterBuffersCouldNotBeHad() throws Exception {
    Credential.Sys caller = NfsCaller.find();
    try (GatewayProcess gateway =
        new GatewayProcess(
            directory,
            CONFIGURATION.formatted("64 MiB"),
            List.of("-XX:MaxDirectMemorySize=20m", "-Xmx128m"))) {
      Path large = gateway.exported().resolve("large");
      Files.write(large, new byte[LARGE_BYTES]);
      Files.setAttribute(large, "unix:mode", 0_666);
      Handle root = gateway.mount(caller, "/export");
      overload(gateway, caller, root);
      try (NfsClient after = gateway.connect(caller)) {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
          answers.add(after.attributes(root));
        }
        for (CompletableFuture<?> answer : answers) {
          answer.get(30, TimeUnit.SECONDS);
        }
        Handle file = after.lookup(root, "large").get(30, TimeUnit.SECONDS);
        assertThat(after.read(file, 0, 4_096, _ -> {}).get(30, TimeUnit.SECONDS).count())
            .isEqualTo(4_096);
      }
      assertThat(gateway.isAlive()).isTrue();
    } catch (IOException e) {
      // It may well refuse to start with less than it is told to use, if it says so.
      assertThat(e).hasMessageContaining("memory");
    }
  }

  /** Many large reads and writes at once; what becomes of them does not matter here. */
  private static void overload(GatewayProcess gateway, Credential.Sys caller, Handle root)
      throws Exception {
    List<NodeConnection> nodes = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    try {
      for (int i = 0; i < CONNECTIONS; i++) {
        NodeConnection node =
            NodeConnection.open(
                gateway.nfsAddress(), 1, ClientTimes.asLinux(Duration.ofSeconds(20)));
        nodes.add(node);
        // On threads of their own: a gateway in trouble may stop to take calls in.
        threads.add(Thread.startVirtualThread(() -> callOverAndOver(node.as(caller), root)));
      }
      for (Thread thread : threads) {
        thread.join(OVERLOAD);
      }
    } finally {
      nodes.forEach(NodeConnection::close);
    }
  }

  private static void callOverAndOver(NfsClient client, Handle root) {
    try {
      Handle file = Answers.await(client.lookup(root, "large"));
      List<CompletableFuture<?>> answers = new ArrayList<>();
      for (int call = 0; call < CALLS; call++) {
        answers.add(client.read(file, 0, LARGE_BYTES, _ -> {}));
        answers.add(
            client.write(file, 0, new Contents(1).piece(0, LARGE_BYTES), StableHow.UNSTABLE));
      }
      for (CompletableFuture<?> answer : answers) {
        Answers.await(answer);
      }
    } catch (IOException e) {
      // Refused or cut off: the gateway is in the state that was wanted.
    }
  }

  @Test
  void refusesToStartWithMoreMemoryThanThereIsOrUsesLess() throws Exception {
    try (GatewayProcess gateway =
        new GatewayProcess(
            directory,
            CONFIGURATION.formatted("4 GiB"),
            List.of("-XX:MaxDirectMemorySize=64m", "-Xmx128m"))) {
      assertThat(gateway.log()).as("what it says about its memory").contains("memory");
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("memory");
    }
  }
}
