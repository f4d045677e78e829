package dev.sluice.control.gateways;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.controller.Controller;
import dev.sluice.control.controller.ControllerOptions;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a controller's document promises, kept by gateways whose own policy is fair. */
@Timeout(180)
class PromisedByControllerTest {
  private final NettyLoop loop = new NettyLoop("promises");
  private final AtomicReference<ControlSettings> settings =
      new AtomicReference<>(ControlSettings.NONE);
  private Controller controller;

  @BeforeEach
  void start() throws Exception {
    controller =
        new Controller(
            ControllerOptions.of(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, 100_000_000L),
            _ -> settings.get(),
            Leadership.alone(1),
            MemberAuthenticator.TRUSTING,
            _ -> {});
    controller.decideForGateways(
        PolicyChoice.of("gift", Map.of("period", "100 ms")),
        PolicyControls.FORGETFUL,
        Runnable::run);
  }

  @AfterEach
  void stop() {
    controller.close();
    loop.close();
  }

  private void promise(String job, long bytesPerSecond) {
    Guarantee guarantee =
        new Guarantee(Guarantee.Who.JOB, job, bytesPerSecond, Quantities.Counted.BYTES);
    promise(new Promises(new Guarantees(List.of(guarantee)), Goals.NONE));
  }

  private void promise(Promises promises) {
    settings.set(
        new ControlSettings(settings.get().revision() + 1, List.of(), List.of(), promises));
  }

  /** Parts of a second's worth that are reserved for a job. */
  private static double reserved(TestGateway gateway, String job) {
    Shares shares = gateway.target().shares();
    int index = shares.indexOf(JobId.of(job));
    return index < 0
        ? 0
        : (double) shares.reservedParts(index)
            / shares.partsPerToken()
            * 1e9
            / shares.periodNanos();
  }

  private TestGateway gateway(String name, boolean obeys) {
    return TestGateway.connect(name, obeys, controller.port(), loop, "a", "b");
  }

  /** What is reserved after another decision of its own. */
  private static double reservedNow(TestGateway gateway, String job) {
    gateway.control().tick(System.nanoTime());
    return reserved(gateway, job);
  }

  @Test
  void aGuaranteeHoldsOnEveryGatewayUntilItIsTakenBack() throws Exception {
    try (TestGateway one = gateway("g1", false);
        TestGateway obeys = gateway("obeys", true)) {
      promise("a", 40_000_000);
      await("a has a reserve", () -> reservedNow(one, "a") >= 40_000_000);
      assertThat(reserved(one, "b")).isZero();
      await(
          "others are told whom they step back for",
          () -> {
            one.control().tick(System.nanoTime());
            return one.control().explain(JobId.of("b"), System.nanoTime()).stream()
                .anyMatch(why -> why.state().contains("held back for a's guarantee of 40 MB/s"));
          });
      assertThat(obeys.control().keepsPromises()).as("GIFT reserves nothing").isFalse();
      await(
          "it is told all the same",
          () -> obeys.control().promises().equals(one.control().promises()));

      promise("b", 20_000_000);
      await("it is b's now", () -> reservedNow(one, "b") >= 20_000_000 && reserved(one, "a") == 0);
      try (TestGateway late = gateway("g2", false)) {
        await("who comes later is told", () -> reservedNow(late, "b") >= 20_000_000);
      }
      promise(Promises.NONE);
      await("nobody's", () -> reservedNow(one, "b") == 0);
    }
  }

  @Test
  void itLapsesWithTheController() throws Exception {
    try (TestGateway one = gateway("g1", false)) {
      promise("a", 40_000_000);
      await("a has a reserve", () -> reservedNow(one, "a") >= 40_000_000);
      controller.close();
      await("nothing is reserved", () -> reservedNow(one, "a") == 0);
    }
  }
}
