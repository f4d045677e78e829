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
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two Linux kernels on one export, one by version 4.2 and one by 4.1: what one locks, the other
 * finds locked.
 */
@Timeout(7_200)
@TestInstance(Lifecycle.PER_CLASS)
@Tag("untimed")
class LinuxLocksTest {
  private static final int TRANSACTIONS = EnduranceScale.of(60, 10_000);
  private static final int KILLS = EnduranceScale.of(2, 50);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration TRANSACTIONS_PATIENCE =
      Duration.ofMinutes(EnduranceScale.of(5, 100));

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
        nfs4: {lease: 15 s}
        targets: {disk: {capacity: auto}}
        exports: {/export: {directory: %s, squash: none, clients: [%s]}}
        """
            .formatted(export, GuestNetwork.everybody());
    network = GuestNetwork.make(3);
    parts.push(network);
    gateway = GuestGateway.start(network, directory.resolve("gateway"), configuration);
    parts.push(gateway);
    one = boot(1, LinuxGuest.MOUNT_OPTIONS_4);
    two = boot(2, LinuxGuest.MOUNT_OPTIONS_41);
  }

  private LinuxGuest boot(int number, String mountOptions) throws Exception {
    Path own = directory.resolve("guest-" + number);
    LinuxGuest guest =
        LinuxGuest.boot(network, number, own, export, "384M").mountingWith(mountOptions);
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

  /**
   * Two clients make transactions on one database while the gateway is killed again and again: none
   * is lost, none made twice, and the database is whole.
   */
  @Test
  void twoClientsShareADatabaseWhileTheGatewayIsKilled() throws Exception {
    one.run(
            """
            sqlite3 /mnt/export/db 'create table made(client int, number int);
              create table shared(count int); insert into shared values(0);'
            """,
            PATIENCE)
        .orFail();
    String transact = "python3 /run/guest/transactions.py /mnt/export/db %d %d";
    LinuxGuest.Script first = one.begin(transact.formatted(1, TRANSACTIONS));
    LinuxGuest.Script second = two.begin(transact.formatted(2, TRANSACTIONS));
    for (int kill = 1; kill <= KILLS; kill++) {
      long due = 2L * TRANSACTIONS * kill / (KILLS + 1);
      Eventually.await(
          TRANSACTIONS_PATIENCE,
          "transactions are made, " + due + " of them",
          () -> {
            if ((first.hasEnded() && first.await(PATIENCE).code() != 0)
                || (second.hasEnded() && second.await(PATIENCE).code() != 0)) {
              throw new AssertionError(first.await(PATIENCE) + "\n" + second.await(PATIENCE));
            }
            return made(one, 1) + made(two, 2) >= due;
          },
          gateway::log);
      gateway.killAndRestart();
    }
    System.out.println(first.await(TRANSACTIONS_PATIENCE).orFail());
    System.out.println(second.await(TRANSACTIONS_PATIENCE).orFail());
    for (LinuxGuest client : List.of(one, two)) {
      String check =
          client
              .run(
                  """
                  echo 3 >/proc/sys/vm/drop_caches
                  sqlite3 /mnt/export/db 'pragma integrity_check; select count from shared;
                    select client, count(*), count(distinct number), max(number) from made
                      group by client order by client;'
                  """,
                  PATIENCE)
              .orFail();
      assertThat(check.lines())
          .containsExactly(
              "ok",
              Integer.toString(2 * TRANSACTIONS),
              "1|%1$d|%1$d|%1$d".formatted(TRANSACTIONS),
              "2|%1$d|%1$d|%1$d".formatted(TRANSACTIONS));
    }
  }

  private static long made(LinuxGuest guest, int client) throws Exception {
    Path file = guest.shared("transactions-" + client);
    return Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
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
    LinuxGuest dying = boot(3, LinuxGuest.MOUNT_OPTIONS_4);
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
