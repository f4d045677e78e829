package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Two Linux kernels on one export by version 4: what one locks, the other finds locked. */
@Timeout(900)
@TestInstance(Lifecycle.PER_CLASS)
class LinuxLocksTest {
  private static final int TRANSACTIONS = EnduranceScale.of(60, 10_000);
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private GuestNetwork network;
  private GuestGateway gateway;
  private Path directory;
  private Path export;
  private LinuxGuest one;
  private LinuxGuest two;

  @BeforeAll
  void start(@TempDir Path temporary) throws Exception {
    directory = temporary;
    export = Files.createDirectory(directory.resolve("export"));
    String configuration =
        """
        nfs4: true
        targets: {disk: {capacity: measure}}
        exports: {/export: {directory: %s, squash: none, clients: [%s]}}
        """
            .formatted(export, GuestNetwork.everybody());
    network = GuestNetwork.make(3);
    parts.push(network);
    gateway = GuestGateway.start(network, directory.resolve("gateway"), configuration);
    parts.push(gateway);
    one = boot(1);
    two = boot(2);
  }

  private LinuxGuest boot(int number) throws Exception {
    Path own = directory.resolve("guest-" + number);
    LinuxGuest guest =
        LinuxGuest.boot(network, number, own, export, "384M")
            .mountingWith(LinuxGuest.MOUNT_OPTIONS_4);
    parts.push(guest);
    guest.run("mount_export /export /mnt/export", PATIENCE).orFail();
    return guest;
  }

  @AfterAll
  void end() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  @Test
  void whatOneHasLockedTheOtherFindsLockedAndSoDoesTheServer() throws Exception {
    for (String kind : new String[] {"flock", "fcntl"}) {
      LinuxGuest.Script holder =
          one.begin(
              """
              python3 - <<'PYTHON'
              import fcntl, os, time
              f = open('/mnt/export/%1$s', 'a+')
              if '%1$s' == 'flock':
                  fcntl.flock(f, fcntl.LOCK_EX)
              else:
                  fcntl.lockf(f, fcntl.LOCK_EX, 10, 5)
              open('/mnt/export/%1$s.held', 'w').close()
              while not os.path.exists('/run/server/%1$s.enough'):
                  time.sleep(0.1)
              PYTHON
              """
                  .formatted(kind));
      Eventually.await("it is locked", () -> Files.exists(export.resolve(kind + ".held")));
      String tryIt =
          """
          python3 - <<'PYTHON'
          import fcntl, sys
          f = open('%2$s/%1$s', 'a+')
          try:
              if '%1$s' == 'flock' and '%2$s' == '/mnt/export':
                  fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
              else:
                  fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, 7)
              print('free')
          except OSError as e:
              print('locked')
          PYTHON
          """;
      assertThat(two.run(tryIt.formatted(kind, "/mnt/export"), PATIENCE).orFail())
          .as(kind)
          .contains("locked");
      assertThat(onTheServer(tryIt.formatted(kind, export))).as(kind).contains("locked");
      Files.createFile(export.resolve(kind + ".enough"));
      holder.await(PATIENCE).orFail();
      assertThat(two.run(tryIt.formatted(kind, "/mnt/export"), PATIENCE).orFail())
          .as(kind)
          .contains("free");
    }
  }

  private static String onTheServer(String script) throws Exception {
    Process process = new ProcessBuilder("bash", "-c", script).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  @Test
  void twoClientsShareADatabase() throws Exception {
    one.run("sqlite3 /mnt/export/db 'create table t(client int, i int);'", PATIENCE).orFail();
    String insert =
        """
        set -e
        for i in $(seq %d); do
          sqlite3 -cmd '.timeout 60000' /mnt/export/db \
            "begin immediate; insert into t values(%d, $i); commit;"
        done
        """;
    LinuxGuest.Script first = one.begin(insert.formatted(TRANSACTIONS, 1));
    LinuxGuest.Script second = two.begin(insert.formatted(TRANSACTIONS, 2));
    first.await(Duration.ofHours(2)).orFail();
    second.await(Duration.ofHours(2)).orFail();
    String check =
        one.run(
                """
                sqlite3 /mnt/export/db 'pragma integrity_check; select count(*) from t;'
                """,
                PATIENCE)
            .orFail();
    assertThat(check).contains("ok").contains(Integer.toString(2 * TRANSACTIONS));
  }

  @Test
  void locksAreKeptOverTheDeathOfTheGateway() throws Exception {
    LinuxGuest.Script holder =
        one.begin(
            """
            python3 - <<'PYTHON'
            import fcntl, os, time
            f = open('/mnt/export/kept', 'a+')
            fcntl.lockf(f, fcntl.LOCK_EX)
            open('/mnt/export/kept.held', 'w').close()
            while not os.path.exists('/run/server/kept.enough'):
                f.write('x'); f.flush(); os.fsync(f.fileno())
                time.sleep(0.2)
            PYTHON
            """);
    Eventually.await("it is locked", () -> Files.exists(export.resolve("kept.held")));
    gateway.killAndRestart();
    String tryIt =
        """
        python3 - <<'PYTHON'
        import fcntl
        f = open('/mnt/export/kept', 'a+')
        try:
            fcntl.lockf(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
            print('free')
        except OSError:
            print('locked')
        PYTHON
        """;
    assertThat(two.run(tryIt, PATIENCE).orFail()).contains("locked");
    Files.createFile(export.resolve("kept.enough"));
    holder.await(PATIENCE).orFail();
    assertThat(two.run(tryIt, PATIENCE).orFail()).contains("free");
  }

  @Test
  void theLocksOfAClientThatDiedAreFreeAfterItsLease() throws Exception {
    LinuxGuest dying = boot(3);
    dying.begin(
        """
        python3 - <<'PYTHON'
        import fcntl, time
        f = open('/mnt/export/orphan', 'a+')
        fcntl.lockf(f, fcntl.LOCK_EX)
        open('/mnt/export/orphan.held', 'w').close()
        time.sleep(3600)
        PYTHON
        """);
    Eventually.await("it is locked", () -> Files.exists(export.resolve("orphan.held")));
    dying.close();
    // It waits: the client asks again and again.
    two.run(
            """
            timeout 120 python3 -c "
            import fcntl
            f = open('/mnt/export/orphan', 'a+')
            fcntl.lockf(f, fcntl.LOCK_EX)
            "
            """,
            PATIENCE)
        .orFail();
  }
}
