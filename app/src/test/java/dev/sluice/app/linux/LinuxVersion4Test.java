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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
            transfer-max: 4 MiB
            targets: {disk: {capacity: auto}, other: {capacity: auto}}
            exports:
              /export: {directory: %s, target: disk, squash: none, clients: [%s]}
              /large: {directory: %s, target: other, squash: none, clients: [%s]}
            """
                .formatted(
                    export,
                    GuestNetwork.everybody(),
                    Files.createDirectory(directory.resolve("large")),
                    GuestNetwork.everybody()));
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

  /**
   * Linux takes as much at a time as it can itself, which was 1 MiB for long, where it is told that
   * so much is moved; what is in a file is the same.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        LinuxGuest.MOUNT_OPTIONS + ",wsize=4194304,rsize=4194304",
        LinuxGuest.MOUNT_OPTIONS_4 + ",wsize=4194304,rsize=4194304",
        LinuxGuest.MOUNT_OPTIONS_4
      })
  void whoAsksMovesAsMuchAsBothCan(String options) throws Exception {
    LinuxGuest.Result result =
        guest
            .mountingWith(options)
            .run(
                """
                set -e
                mount_export /large /mnt/large nosharecache
                cd /mnt/large
                head -c 12582925 /dev/urandom > /tmp/source
                dd if=/tmp/source of=piece bs=4M conv=fsync
                echo 3 > /proc/sys/vm/drop_caches
                cmp /tmp/source piece
                dd if=/dev/urandom of=/tmp/whole bs=4M count=2 iflag=fullblock
                dd if=/tmp/whole of=direct bs=4M oflag=direct
                dd if=direct of=/tmp/read bs=4M iflag=direct
                cmp /tmp/whole /tmp/read
                rm piece direct
                grep ' /mnt/large ' /proc/mounts
                cd /
                umount /mnt/large
                """,
                PATIENCE);
    guest.mountingWith(LinuxGuest.MOUNT_OPTIONS_4);
    String output = result.orFail();
    System.out.println(output.lines().toList().getLast());
    assertThat(output).containsPattern("rsize=(1048576|4194304),wsize=(1048576|4194304)");
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
