package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.document.DocumentMap;
import dev.sluice.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who is charged by version 4, and what the gateway tells of its clients. */
@Timeout(300)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("untimed")
class LinuxVersion4Test {
  private static final int UID = 1_005;
  private static final long MEBIBYTE = 1 << 20;
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private Path export;
  private GuestGateway gateway;
  private LinuxGuest guest;

  @BeforeAll
  void start(@TempDir Path directory) throws Exception {
    export = Files.createDirectory(directory.resolve("export"));
    Files.writeString(
        directory.resolve("jobs.yaml"),
        """
        jobs:
          4711: {user: somebody, uid: %d, nodes: 1, addresses: [%s]}
          4712: {user: somebody, uid: %d, nodes: 1, addresses: [%s]}
        """
            .formatted(UID, GuestNetwork.guestAddress(1), UID, GuestNetwork.guestAddress(1)));
    GuestNetwork network = GuestNetwork.make(1);
    parts.push(network);
    gateway =
        GuestGateway.start(
            network,
            directory.resolve("gateway"),
            """
            jobs: ../jobs.yaml
            targets: {disk: {capacity: auto}}
            exports: {/export: {directory: %s, squash: none, clients: [%s]}}
            """
                .formatted(export, GuestNetwork.everybody()));
    parts.push(gateway);
    guest =
        LinuxGuest.boot(network, 1, directory.resolve("guest"), export, "384M")
            .mountingWith(LinuxGuest.MOUNT_OPTIONS_4);
    parts.push(guest);
  }

  @AfterAll
  void end() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  /** Two jobs of one user on one node cannot be told apart but by the path that they mount. */
  @Test
  void theJobInTheMountPathIsCharged() throws Exception {
    for (String job : new String[] {"4711", "4712"}) {
      guest
          .run(
              """
              set -e
              mount_export /@%1$s/export /mnt/%1$s nosharecache
              install -d -o %2$d /mnt/%1$s/of-%1$s
              as %2$d dd if=/dev/zero of=/mnt/%1$s/of-%1$s/f bs=1M count=4 conv=fsync
              """
                  .formatted(job, UID),
              PATIENCE)
          .orFail();
      assertThat(gateway.served("disk").writtenBytes()).containsEntry(job, 4 * MEBIBYTE);
    }
    assertThat(gateway.served("disk").writtenBytes())
        .as("nobody else wrote")
        .allSatisfy((job, bytes) -> assertThat(bytes).isIn(0L, 4 * MEBIBYTE));
  }

  @Test
  void theStatusTellsWhatClientsHave() throws Exception {
    LinuxGuest.Script holder =
        guest.begin(
            """
            set -e
            mount_export /export /mnt/held nosharecache
            python3 - <<'PYTHON'
            import fcntl, os, time
            f = open('/mnt/held/locked', 'a+')
            fcntl.lockf(f, fcntl.LOCK_EX)
            while not os.path.exists('/run/guest/enough'):
                time.sleep(0.05)
            PYTHON
            """);
    Eventually.await("a lock is there", () -> figure("locks") == 1, gateway::log);
    assertThat(figure("clients")).isEqualTo(1);
    assertThat(figure("open_files")).isEqualTo(1);
    assertThat(figure("sessions")).isPositive();
    assertThat(figure("slots")).as("what Linux asks for").isEqualTo(64 * figure("sessions"));
    Files.createFile(guest.shared("enough"));
    holder.await(PATIENCE).orFail();
    Eventually.await(
        "nothing is open", () -> figure("locks") == 0 && figure("open_files") == 0, gateway::log);
  }

  private long figure(String name) throws Exception {
    DocumentMap nfs4 = gateway.status().required("nfs4").openMap();
    return nfs4.required(name).whole(0, Long.MAX_VALUE);
  }
}
