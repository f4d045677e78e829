package dev.sluice.app.live;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.app.Cli;
import dev.sluice.app.ControlledGateway;
import dev.sluice.app.SluiceProcess;
import dev.sluice.control.config.ControllerConfiguration;
import dev.sluice.control.controller.ControllerProcess;
import dev.sluice.control.gateways.TargetPlane;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.Gateway;
import dev.sluice.ledger.LedgerSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * GIFT in a controller that decides about the targets of several real gateways, with jobs that
 * write to targets of two of them at once and wait for the slower. The jobs are those of the
 * paper's figure 6.
 */
@Tag("untimed")
@Timeout(300)
class GiftControllerTest {
  @TempDir private Path directory;
  private ControllerConfiguration configuration;

  @BeforeEach
  void write() throws IOException {
    Files.writeString(
        directory.resolve("jobs.yaml"),
        """
        jobs:
          11: {name: alpha, user: alice, nodes: 4}
          21: {name: beta, user: bob}
          31: {name: gamma, user: carol}
        """);
    // Long enough that what follows on the loss of a gateway can be looked at.
    configuration =
        ControllerConfiguration.read(
            Files.writeString(
                directory.resolve("controller.yaml"),
                """
                listen: 127.0.0.1:0
                api: none
                state: controller
                gateways: {policy: gift, period: 2 s, threshold: 0.3}
                """));
  }

  /** A gateway with one target of 4 MB/s and its link, as {@code ./sluice serve} has them. */
  private final class Linked implements AutoCloseable {
    final Path file;
    final Gateway gateway;

    Linked(String name, int nfsPort, int controllerPort) throws IOException {
      this.file =
          ControlledGateway.write(
              directory.resolve(name),
              name,
              nfsPort,
              "127.0.0.1:" + controllerPort,
              "4 MB/s",
              "jobs: ../jobs.yaml");
      this.gateway = ControlledGateway.start(file);
    }

    SynchronousJob.Place disk() {
      return new SynchronousJob.Place(gateway, "/disk");
    }

    String ask(String... words) {
      return Cli.ask(file, words);
    }

    @Override
    public void close() {
      gateway.close();
    }
  }

  private static TargetPlane.State targets(ControllerProcess controller) {
    return Objects.requireNonNull(controller.controller().status().gateways()).plane();
  }

  private LedgerSummary.Application alpha() {
    return Owed.to("alpha@alice", configuration.store());
  }

  @Test
  void decidesForAllGatewaysTogetherAndForNoneWithoutFourFifths() throws Exception {
    int firstPort = SluiceProcess.freePort();
    int secondPort = SluiceProcess.freePort();
    try (ControllerProcess controller = new ControllerProcess(configuration);
        Linked one = new Linked("g1", firstPort, controller.controller().port())) {
      Linked two = new Linked("g2", secondPort, controller.controller().port());
      try (SynchronousJob alphaJob = new SynchronousJob("11", List.of(one.disk()));
          SynchronousJob betaJob = new SynchronousJob("21", List.of(one.disk(), two.disk()))) {
        couponsMove(one, two, alphaJob, betaJob);
        nothingChangesWithoutFourFifths(controller, one, two, alphaJob);
        two = new Linked("g2", secondPort, controller.controller().port());
        whoComesLaterIsInWithTheNextDecision(controller);
        Linked back = two;
        await("the gateway that is back is decided for", () -> back.ask("status").contains("gift"));
        long before = betaJob.bytesOnEachTarget();
        await("its jobs go on", () -> betaJob.bytesOnEachTarget() > before);
      } finally {
        two.close();
      }
    }
  }

  private void couponsMove(Linked one, Linked two, SynchronousJob alphaJob, SynchronousJob betaJob)
      throws Exception {
    await("coupons for who is slowed down", () -> alpha().couponsIssued() >= 2);
    for (Linked gateway : List.of(one, two)) {
      assertThat(gateway.ask("status"))
          .startsWith("policy gift of the controller")
          .contains("controller: connected, orders of leader 1 came");
      assertThat(gateway.ask("explain", "21"))
          .contains("gift of the controller decides, about the targets of all its gateways")
          .contains("the controller says: ")
          .contains("the controller allows it ");
    }
    assertThat(betaJob.speedBeside(alphaJob, 6))
        .as("65 of 100 beside 35; a fair share would be the same for both")
        .isGreaterThan(1.25);
    LedgerSummary.Application owed = alpha();
    assertThat(owed.issuedTokens()).isPositive();
    assertThat(owed.owedTokens()).isEqualTo(owed.issuedTokens() - owed.redeemedTokens());
  }

  private void nothingChangesWithoutFourFifths(
      ControllerProcess controller, Linked one, Linked two, SynchronousJob alphaJob)
      throws Exception {
    two.close();
    await(
        "it is said that too few report",
        () -> targets(controller).trouble().contains("more than 80 %"));
    Map<String, Shares> before = controller.controller().targetShares();
    long decisions = targets(controller).decisions();
    await(
        "the other gateway says so, too",
        () ->
            one.ask("status").contains("note: controller: ")
                && one.ask("status").contains("more than 80 %"));
    assertThat(one.ask("status")).startsWith("policy gift of the controller");
    long moved = alphaJob.bytesOnEachTarget();
    await("its jobs go on", () -> alphaJob.bytesOnEachTarget() > moved);
    if (targets(controller).decisions() == decisions) {
      // Unless so much time has passed that the one that is gone was forgotten.
      assertThat(controller.controller().targetShares()).isEqualTo(before);
    }
    await("the one that is gone is forgotten", () -> targets(controller).targets() == 1);
    await("it is decided again", () -> targets(controller).decisions() > decisions);
  }

  private void whoComesLaterIsInWithTheNextDecision(ControllerProcess controller) throws Exception {
    try (Linked late = new Linked("g3", SluiceProcess.freePort(), controller.controller().port());
        SynchronousJob _ = new SynchronousJob("31", List.of(late.disk()))) {
      await("it is connected", () -> targets(controller).gateways().contains("g3"));
      long decisions = targets(controller).decisions();
      await(
          "it is decided for",
          () -> {
            Shares shares = controller.controller().targetShares().get("g3/disk");
            return shares != null && shares.size() == 1;
          });
      // The next one, and another where its job was not seen yet when it was asked.
      assertThat(targets(controller).decisions() - decisions).isLessThanOrEqualTo(2);
      await("it obeys", () -> late.ask("explain", "31").contains("the controller allows it"));
    }
  }
}
