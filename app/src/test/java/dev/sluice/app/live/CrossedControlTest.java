package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.SluiceProcess;
import dev.sluice.command.CommandClient;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two machines and two exports, as in {@code CrossedGatewaysTest}, and a controller: each machine
 * serves one export and stands by for the other's. A job that comes through both has one rate over
 * them, before a machine dies and when the other serves both.
 */
@Timeout(300)
class CrossedControlTest {
  private static final double LIMIT_BYTES = 16e6;
  private static final long COUNTED_MILLIS = 1_000;
  private static final double TOO_MUCH = 1.1;
  private static final double TOO_LITTLE = 0.8;

  /** Two periods of the policy. */
  private static final long FREE_MILLIS = 200;

  /** What the machine is late by counts here; a job that nobody limits has many times as much. */
  private static final double TOO_MUCH_AT_FIRST = 2;

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();

  @TempDir private Path directory;

  /** An export, and the two gateways that take turns in serving it, one on each machine. */
  private final class Pair {
    private final Path home;
    private final int port = SluiceProcess.freePort();
    private final SluiceProcess[] onMachine = new SluiceProcess[2];

    Pair(String name) throws IOException {
      this.home = Files.createDirectory(directory.resolve(name));
      Path files = Files.createDirectory(home.resolve("files"));
      // Other users may make files there, each its own.
      Files.setAttribute(files, "unix:mode", 0_1777);
    }

    /** Both go by one name with the controller: whoever serves is the gateway of this export. */
    void start(int machine, String controller) throws IOException {
      Path own = Files.createDirectory(home.resolve("machine-" + machine));
      Path file =
          Files.writeString(
              own.resolve("sluice.yaml"),
              """
              nfs-port: %d
              mount-port: %d
              state: state
              dashboard: off
              history: off
              trust-claimed-jobs: true
              failover: {shared: ../shared, name: machine-%d, takeover: 2 s}
              controller: {addresses: [%s], name: %s}
              targets: {disk: {capacity: 40 MB/s, pace: false}}
              exports: {/disk: {directory: ../files, privileged-ports: false}}
              """
                  .formatted(port, port, machine, controller, home.getFileName()));
      onMachine[machine] = new SluiceProcess(own.resolve("log"), "serve", "-c", file.toString());
      parts.push(onMachine[machine]);
    }

    void awaitTurn(int machine, boolean isServing) throws Exception {
      Path socket = home.resolve("machine-" + machine).resolve("state/control.sock");
      Eventually.await(
          home.getFileName() + (isServing ? " is served by " : " is not served by ") + machine,
          () -> {
            try (CommandClient client = new CommandClient(socket)) {
              return CommandClient.read(
                          client.ask(
                              "failover", json -> json.writeStringProperty("action", "status")))
                      .openMap()
                      .required("serves")
                      .bool()
                  == isServing;
            } catch (IOException e) {
              // It has not begun, or is between standing by and serving.
              return false;
            }
          },
          () -> onMachine[machine].log());
    }

    SynchronousJob job() throws Exception {
      InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
      return new SynchronousJob("11", List.of(new SynchronousJob.Place(address, address, "/disk")));
    }

    /** Asks again and again until somebody serves, as a client does that mounts {@code hard}. */
    SynchronousJob jobAsSoonAsServed() throws Exception {
      AtomicReference<SynchronousJob> begun = new AtomicReference<>();
      Eventually.await(
          home.getFileName() + " is served",
          () -> {
            try {
              begun.set(job());
              return true;
            } catch (IOException | ExecutionException e) {
              return false;
            }
          });
      return begun.get();
    }
  }

  /** Until then a gateway holds its jobs to what its disk can do. */
  private static void awaitControl(ControllerProcess controller) throws Exception {
    Eventually.await(
        "the controller decides for both",
        () -> {
          var gateways = controller.controller().status().gateways();
          return gateways != null && gateways.plane().gateways().equals(List.of("one", "two"));
        });
  }

  @AfterEach
  void end() throws Exception {
    while (!parts.isEmpty()) {
      parts.pop().close();
    }
  }

  private static double partOfLimit(String when, SynchronousJob... jobs) throws Exception {
    long before = bytes(jobs);
    long beganNanos = System.nanoTime();
    TimePasses.forMillis(COUNTED_MILLIS);
    double bytesPerSecond = (bytes(jobs) - before) / ((System.nanoTime() - beganNanos) / 1e9);
    System.out.printf(
        Locale.ROOT, "%s a job has %.3f of its limit%n", when, bytesPerSecond / LIMIT_BYTES);
    return bytesPerSecond / LIMIT_BYTES;
  }

  private static long bytes(SynchronousJob... jobs) throws Exception {
    long all = 0;
    for (SynchronousJob job : jobs) {
      all += job.bytesOnEachTarget();
    }
    return all;
  }

  /** What a job begins with, before the first decision and from a full bucket, passes. */
  private static void holds(String when, SynchronousJob... jobs) throws Exception {
    Eventually.await(
        "the limit holds " + when,
        () -> {
          double part = partOfLimit(when, jobs);
          return part > TOO_LITTLE && part < TOO_MUCH;
        });
    assertThat(partOfLimit(when, jobs)).as("and still " + when).isBetween(TOO_LITTLE, TOO_MUCH);
  }

  @Test
  void aJobHasOneRateOverBothExportsAlsoWhereOneMachineServesBoth() throws Exception {
    ControllerConfiguration configuration =
        ControllerConfiguration.read(
            Files.writeString(
                directory.resolve("controller.yaml"),
                """
                listen: 127.0.0.1:0
                api: none
                state: controller
                gateways: {policy: sdqpro, period: 100 ms, lines: '<11, rate=16 MB/s>'}
                """));
    ControllerProcess controller = new ControllerProcess(configuration);
    parts.push(controller);
    String address = "127.0.0.1:" + controller.controller().port();
    Pair one = new Pair("one");
    Pair two = new Pair("two");
    one.start(0, address);
    two.start(1, address);
    one.awaitTurn(0, true);
    two.awaitTurn(1, true);
    two.start(0, address);
    one.start(1, address);
    awaitControl(controller);
    try (SynchronousJob onTwo = two.job()) {
      long killedNanos;
      try (SynchronousJob onOne = one.job()) {
        holds("while each machine serves one export", onOne, onTwo);
        one.awaitTurn(1, false);
        two.awaitTurn(0, false);
        killedNanos = System.nanoTime();
        one.onMachine[0].kill();
        two.onMachine[0].kill();
      }
      try (SynchronousJob onOne = one.jobAsSoonAsServed()) {
        System.out.printf(
            Locale.ROOT, "served again after %.1f s%n", (System.nanoTime() - killedNanos) / 1e9);
        TimePasses.forMillis(FREE_MILLIS);
        assertThat(partOfLimit("in the second that begins two periods after it", onOne, onTwo))
            .isLessThan(TOO_MUCH_AT_FIRST);
        holds("while one machine serves both", onOne, onTwo);
      }
    }
  }
}
