package dev.sluice.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.ControlledGateway;
import dev.sluice.app.SluiceProcess;
import dev.sluice.command.LinkStatus;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.gateway.Gateway;
import dev.sluice.testkit.Eventually;
import dev.sluice.testkit.TimePasses;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two gateways at work at once, each with an export of its own, and a job that comes through both:
 * what it may have is for both together.
 */
@Timeout(300)
class ActiveGatewaysTest {
  private static final double LIMIT_BYTES = 4e6;
  private static final long COUNTED_MILLIS = 2_500;
  private static final double TOO_MUCH = 1.1;
  private static final double TOO_LITTLE = 0.8;

  @TempDir private Path directory;

  /** A job of which each part goes on by itself, and what it has had. */
  private static double bytesPerSecond(List<SynchronousJob> parts) throws Exception {
    long before = bytes(parts);
    long beganNanos = System.nanoTime();
    TimePasses.forMillis(COUNTED_MILLIS);
    return (bytes(parts) - before) / ((System.nanoTime() - beganNanos) / 1e9);
  }

  private static long bytes(List<SynchronousJob> parts) throws Exception {
    long all = 0;
    for (SynchronousJob part : parts) {
      all += part.bytesOnEachTarget();
    }
    return all;
  }

  /** What a job begins with, before the first decision and from a full bucket, passes. */
  private static void holds(String what, double part, List<SynchronousJob> parts) throws Exception {
    Eventually.await(what, () -> isHeldTo(what, part, parts));
    assertThat(isHeldTo(what, part, parts)).as(what + ", and stays so").isTrue();
  }

  private static boolean isHeldTo(String what, double part, List<SynchronousJob> parts)
      throws Exception {
    double seen = bytesPerSecond(parts) / LIMIT_BYTES;
    System.out.printf(Locale.ROOT, "%s: %.3f of the limit%n", what, seen);
    return seen > TOO_LITTLE * part && seen < TOO_MUCH * part;
  }

  private Path configuration(String name, String controllers, String more) throws IOException {
    return ControlledGateway.write(
        Files.createDirectories(directory.resolve(name)),
        name,
        SluiceProcess.freePort(),
        controllers,
        "100 MB/s",
        more);
  }

  private static SynchronousJob.Place disk(Gateway gateway) {
    return new SynchronousJob.Place(gateway, "/disk");
  }

  /**
   * A job goes through both, and then through one alone, with as much under way.
   *
   * @param partOfOne what it has then
   */
  private static void goesThrough(Gateway one, Gateway two, double partOfOne) throws Exception {
    try (SynchronousJob onOne = new SynchronousJob("11", List.of(disk(one)))) {
      try (SynchronousJob onTwo = new SynchronousJob("11", List.of(disk(two)))) {
        holds("through both", 1, List.of(onOne, onTwo));
      }
      try (SynchronousJob more = new SynchronousJob("11", List.of(disk(one)))) {
        holds("through one alone", partOfOne, List.of(onOne, more));
      }
    }
  }

  private static LinkStatus link(Gateway gateway) {
    return Objects.requireNonNull(gateway.status().controller());
  }

  /** However a job's load lies on the two, it has what it may have of both together. */
  @Test
  void aControllerHoldsAJobToOneRateOverBoth() throws Exception {
    ControllerConfiguration configuration =
        ControllerConfiguration.read(
            Files.writeString(
                directory.resolve("controller.yaml"),
                """
                listen: 127.0.0.1:0
                api: none
                state: controller
                gateways: {policy: sdqpro, period: 100 ms, lines: '<11, rate=4 MB/s>'}
                """));
    try (ControllerProcess controller = new ControllerProcess(configuration)) {
      String address = "127.0.0.1:" + controller.controller().port();
      try (Gateway one = ControlledGateway.start(configuration("one", address, ""));
          Gateway two = ControlledGateway.start(configuration("two", address, ""))) {
        assertThat(List.of(one, two))
            .as("they have orders before they serve")
            .allMatch(gateway -> link(gateway).connected());
        Eventually.await(
            "the controller decides for both",
            () -> {
              var gateways = controller.controller().status().gateways();
              return gateways != null && gateways.targets().size() == 2;
            });
        goesThrough(one, two, 1);
      }
    }
  }

  /** Without one, each holds its half: never too much, and too little through one alone. */
  @Test
  void withoutAControllerEachHoldsItsPart() throws Exception {
    String limit = "limits: [{name: slow, match: job=11, rate: 4 MB/s, gateways: 2}]";
    String own = "policy: fair\n" + limit;
    try (Gateway one = ControlledGateway.start(configuration("one", "127.0.0.1:1", own));
        Gateway two = ControlledGateway.start(configuration("two", "127.0.0.1:1", own))) {
      assertThat(link(one).trouble()).as("it has tried, and goes on").contains("refused");
      goesThrough(one, two, 0.5);
    }
  }
}
