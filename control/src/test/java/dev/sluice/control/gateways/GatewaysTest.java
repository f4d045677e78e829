package dev.sluice.control.gateways;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.controller.Controller;
import dev.sluice.control.controller.ControllerCommands;
import dev.sluice.control.controller.ControllerOptions;
import dev.sluice.control.controller.ControllerStatus.Gateways;
import dev.sluice.control.controller.ControllerStatus.Member;
import dev.sluice.control.controller.ControllerStatus.MemberKind;
import dev.sluice.control.controller.ControllerStatus.TargetJob;
import dev.sluice.control.controller.ControllerStatus.TargetState;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** GIFT over several gateways, each with a connection of its own. */
@Timeout(180)
class GatewaysTest {
  private final NettyLoop loop = new NettyLoop("gateways");
  private final List<TestGateway> gateways = new ArrayList<>();
  private Controller controller;

  @BeforeEach
  void start() throws Exception {
    controller =
        new Controller(
            ControllerOptions.of(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), null, 100_000_000L),
            _ -> ControlSettings.NONE,
            Leadership.alone(1),
            MemberAuthenticator.TRUSTING,
            _ -> {});
    controller.decideForGateways(
        PolicyChoice.of("gift", Map.of("period", "200 ms", "lending", "20 ms")),
        PolicyControls.FORGETFUL,
        Runnable::run);
  }

  @AfterEach
  void stop() {
    gateways.forEach(gateway -> gateway.close());
    controller.close();
    loop.close();
  }

  private TestGateway gateway(String name, boolean obeys, String... jobs) {
    TestGateway gateway = TestGateway.connect(name, obeys, controller.port(), loop, jobs);
    gateways.add(gateway);
    return gateway;
  }

  private long decisions() {
    Gateways known = controller.status().gateways();
    return known == null ? 0 : known.plane().decisions();
  }

  @Test
  void sharesAreDecidedTogetherAndHoldOnEveryGateway() throws Exception {
    TestGateway one = gateway("g1", true, "a", "b");
    TestGateway two = gateway("g2", true, "a");
    TestGateway three = gateway("g3", true, "a", "c");
    await(
        "all have shares",
        () ->
            one.target().shares().size() == 2
                && two.target().shares().size() == 1
                && three.target().shares().size() == 2);
    assertThat(one.target().kind()).isEqualTo(SchedulerKind.TBF);
    assertThat(one.control().status(System.nanoTime()).policy())
        .isEqualTo("gift of the controller");
    Shares shares = one.target().shares();
    assertThat(perSecond(shares, "a") + perSecond(shares, "b"))
        .isBetween(0.8 * TestGateway.CAPACITY, 1.001 * TestGateway.CAPACITY);
    // Requests of one job progress alike on all its targets.
    assertThat(perSecond(two.target().shares(), "a"))
        .isBetween(0.99 * perSecond(shares, "a"), (double) TestGateway.CAPACITY);
    assertThat(controller.targetShares()).hasSize(3);
  }

  @Test
  void whatATargetCanServeNowIsInEveryReport() throws Exception {
    TestGateway one = gateway("g1", true, "a", "b");
    await("it has shares", () -> one.target().shares().size() == 2);
    Target half = new Target("disk", TestGateway.CAPACITY / 2, TokenUnit.BYTES);
    one.target().resize(half, System.nanoTime());
    await(
        "shares are of what it can serve now",
        () -> {
          Shares shares = one.target().shares();
          return perSecond(shares, "a") + perSecond(shares, "b") < 0.51 * TestGateway.CAPACITY;
        });
    assertThat(targets().getFirst().target().tokensPerSecond()).isEqualTo(half.tokensPerSecond());
  }

  /** The controller decides five times a second, and the gateway looks fifty times. */
  @Test
  void aGatewayLooksAtItsTargetsBetweenDecisionsAsThePolicyIsSet() throws Exception {
    TestGateway one = gateway("g1", true, "a");
    await("it has shares", () -> one.target().shares().size() == 1);
    one.target().lookSees(JobDemand.of("late", 1, TestGateway.CAPACITY));
    await(
        "who came since has a share",
        () -> {
          one.control().tick(System.nanoTime());
          return one.target().shares().indexOf(JobId.of("late")) >= 0;
        });
    assertThat(perSecond(one.target().shares(), "a"))
        .as("what it was given")
        .isGreaterThanOrEqualTo(0.98 * TestGateway.CAPACITY);
  }

  private static double perSecond(Shares shares, String job) {
    int index = shares.indexOf(JobId.of(job));
    return shares.tokensPerSecond(index);
  }

  @Test
  void fewerThanFourFifthsDecideNothingUntilTheOthersAreForgotten() throws Exception {
    for (int i = 0; i < 3; i++) {
      gateway("g" + i, true, "a", "b");
    }
    await("it is decided", () -> decisions() > 2);
    gateways.getFirst().close();
    await(
        "two of three are too few",
        () -> {
          Gateways known = controller.status().gateways();
          return known != null && known.plane().trouble().contains("more than 80 %");
        });
    long refused = decisions();
    await("the one that is gone is forgotten", () -> decisions() > refused + 2);
    TestGateway late = gateway("late", true, "a");
    await("a late one joins", () -> late.target().shares().size() == 1);
  }

  @Test
  void aGatewayWithAPolicyOfItsOwnOnlyReports() throws Exception {
    TestGateway own = gateway("own", false, "a");
    await("it is decided", () -> decisions() > 2);
    assertThat(own.control().obeys()).isFalse();
    assertThat(own.control().status(System.nanoTime()).policy()).isEqualTo("fair");
  }

  @Test
  void theControllerKnowsWhatHappensOnTheTargets() throws Exception {
    gateway("g1", true, "a", "b");
    gateway("g2", false, "a");
    await(
        "both have told what they did",
        () -> targets().size() == 2 && targets().stream().noneMatch(one -> one.jobs().isEmpty()));
    TargetState disk = targets().getFirst();
    assertThat(disk.target().name()).isEqualTo("g1/disk");
    assertThat(disk.queued()).isEqualTo(2 * FakeTarget.QUEUED);
    assertThat(disk.inService()).isEqualTo(1);
    assertThat(disk.jobs()).extracting(job -> job.seen().job()).containsExactly("a", "b");
    TargetJob job = disk.jobs().getFirst();
    assertThat(job.seen().user()).isEqualTo("anna");
    assertThat(job.seen().operationsPerSecond()).isCloseTo(100, withinPercentage(20));
    assertThat(job.seen().readBytesPerSecond())
        .isCloseTo(100.0 * FakeTarget.REQUEST_BYTES, withinPercentage(20));
    assertThat(job.seen().waitedMillis()).isCloseTo(FakeTarget.WAIT_MILLIS, withinPercentage(1));
    assertThat(job.seen().queued()).isEqualTo(FakeTarget.QUEUED);
    await(
        "what was decided is known with it",
        () -> targets().getFirst().jobs().getFirst().allowedTokensPerSecond() < 1e9);
    assertThat(disk.usedTokensPerSecond())
        .isCloseTo(200.0 * FakeTarget.REQUEST_BYTES, withinPercentage(20));
    assertThat(ControllerCommands.status(controller.status()))
        .contains("\"name\":\"g1/disk\",\"counted\":\"bytes\",\"algorithm\":\"gift\"");
    assertThat(controller.status().members())
        .extracting(Member::kind)
        .containsOnly(MemberKind.GATEWAY);
    assertThat(controller.status().members()).extracting(Member::jobs).containsExactly(2, 1);
  }

  private List<TargetState> targets() {
    Gateways known = controller.status().gateways();
    return known == null ? List.of() : known.targets();
  }

  @Test
  void whoStandsByReachesAControllerWithoutAWord() throws Exception {
    ControllerLink.Addresses there =
        ControllerLink.Addresses.local(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), controller.port()));
    assertThat(ControllerLink.reaches(there, loop, Duration.ofMinutes(1))).isTrue();
    assertThat(controller.status().members()).isEmpty();
    controller.close();
    assertThat(ControllerLink.reaches(there, loop, Duration.ofMinutes(1))).isFalse();
  }

  @Test
  void withoutAControllerTheGatewaysOwnPolicyDecidesAgain() throws Exception {
    TestGateway one = gateway("g1", true, "a");
    await("it has shares", () -> one.target().shares().size() == 1);
    controller.close();
    await("its own policy decides", () -> !one.control().obeys());
    assertThat(one.control().status(System.nanoTime()).policy()).isEqualTo("fair");
    assertThat(one.target().kind()).isNotEqualTo(SchedulerKind.TBF);
  }
}
