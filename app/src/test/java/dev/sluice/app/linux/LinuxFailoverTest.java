package dev.sluice.app.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.SluiceProcess;
import dev.sluice.command.CommandClient;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two gateways for one export under the Linux kernel's client, with a hard mount: it goes on when
 * one hands over to the other, and when the one that serves is killed or stopped, with new files
 * and locks too, and nothing that it asks for is done twice.
 */
@Timeout(7_200)
@Tag("untimed")
class LinuxFailoverTest {
  private static final int ROUNDS = EnduranceScale.of(1, 20);
  private static final int PROCESSES = 2;
  private static final long STEPS = 10;

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final SluiceProcess[] gateways = new SluiceProcess[3];
  private Path directory;
  private LinuxGuest guest;
  private LinuxGuest.Script load;

  @AfterEach
  void end() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {LinuxGuest.MOUNT_OPTIONS, LinuxGuest.MOUNT_OPTIONS_4})
  void aHardMountGoesOnWhicheverServes(String mountOptions, @TempDir Path temporary)
      throws Exception {
    directory = temporary;
    Path export = Files.createDirectory(directory.resolve("export"));
    GuestNetwork network = GuestNetwork.make(1);
    parts.push(network);
    start(network, 1);
    Eventually.await("the first serves", () -> serves(1), () -> gateways[1].log());
    start(network, 2);
    guest =
        LinuxGuest.boot(network, 1, directory.resolve("guest"), export, "512M")
            .mountingWith(mountOptions);
    parts.push(guest);
    load =
        guest.begin(
            """
            mount_export /export /mnt/export || exit
            python3 /run/guest/verified_load.py /mnt/export %d
            """
                .formatted(PROCESSES));
    awaitProgress();
    SplittableRandom random = new SplittableRandom(24);
    int serving = 1;
    for (int round = 0; round < ROUNDS; round++) {
      for (String event : new String[] {"hand-over", "KILL", "STOP"}) {
        TimePasses.forMillis(random.nextInt(500));
        int other = 3 - serving;
        long beganNanos = System.nanoTime();
        if (event.equals("hand-over")) {
          ask(serving, "hand-over");
        } else {
          gateways[serving].signal(event);
        }
        Eventually.await("the other serves after " + event, () -> serves(other));
        awaitProgress();
        System.out.printf(
            "%s of the gateway, mounted with %s: the client goes on after %d ms%n",
            event, mountOptions, (System.nanoTime() - beganNanos) / 1_000_000);
        int gone = serving;
        if (!event.equals("hand-over")) {
          Eventually.await("it is dead", () -> !gateways[gone].isAlive());
          gateways[gone].restart();
        }
        Eventually.await("it stands by", () -> standsBy(gone), () -> gateways[gone].log());
        serving = other;
      }
    }
    Files.createFile(guest.shared("stop"));
    String said = load.await(Duration.ofMinutes(4)).orFail();
    assertThat(said).contains("ok nothing_was_lost", "\n0 done twice").doesNotContain("not ok");
  }

  private void start(GuestNetwork network, int number) throws IOException {
    Path own = Files.createDirectory(directory.resolve("gateway-" + number));
    Path file =
        Files.writeString(
            own.resolve("sluice.yaml"),
            """
            listen: 0.0.0.0
            state: state
            memory: 128 MiB
            history: off
            dashboard: off
            nfs4: {lease: 15 s}
            failover: {shared: ../shared, name: gateway-%d, takeover: 3 s}
            targets: {disk: {capacity: auto}}
            exports: {/export: {directory: ../export, squash: none, clients: [%s]}}
            """
                .formatted(number, GuestNetwork.everybody()));
    gateways[number] =
        new SluiceProcess(
            network.within(), List.of(), own.resolve("log"), "serve", "-c", file.toString());
    parts.push(gateways[number]);
  }

  /** Waits until every process has done something with the gateway that there is now. */
  private void awaitProgress() throws Exception {
    long[] goals = steps();
    Eventually.await(
        "the load goes on",
        () -> {
          if (load.hasEnded()) {
            throw new AssertionError(load.await(Duration.ZERO).output());
          }
          long[] now = steps();
          return LongStream.range(0, PROCESSES)
              .allMatch(i -> now[(int) i] >= goals[(int) i] + STEPS);
        },
        () -> gateways[1].log() + "\n---\n" + gateways[2].log());
  }

  private long[] steps() throws IOException {
    long[] steps = new long[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
      Path file = guest.shared("steps-" + i);
      steps[i] = Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
    }
    return steps;
  }

  private boolean ask(int gateway, String action) throws Exception {
    Path socket = directory.resolve("gateway-" + gateway).resolve("state").resolve("control.sock");
    try (CommandClient client = new CommandClient(socket)) {
      return CommandClient.read(
              client.ask("failover", json -> json.writeStringProperty("action", action)))
          .openMap()
          .required("serves")
          .bool();
    }
  }

  private boolean serves(int gateway) {
    try {
      return ask(gateway, "status");
    } catch (Exception e) {
      // It is dead, or between two of its lives.
      return false;
    }
  }

  private boolean standsBy(int gateway) {
    try {
      return !ask(gateway, "status");
    } catch (Exception e) {
      return false;
    }
  }
}
