package dev.sluice.control.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.controller.Controller;
import dev.sluice.control.controller.ControllerOptions;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.ControlLoop;
import dev.sluice.gateway.control.ControlPlan;
import dev.sluice.gateway.control.DecisionSetting;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.jobs.JobDirectory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** GIFT over several gateways, each with a connection of its own. */
@Timeout(180)
class GatewaysTest {
  private static final long CAPACITY = 100_000_000;

  private final NettyLoop loop = new NettyLoop("gateways");
  private final List<Gateway> gateways = new ArrayList<>();
  private Controller controller;

  /** A gateway, as far as it is controlled. */
  private record Gateway(FakeTarget target, ControlLoop control, ControllerLink link) {}

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
        PolicyChoice.of("gift", Map.of("period", "200 ms")),
        PolicyControls.FORGETFUL,
        Runnable::run);
  }

  @AfterEach
  void stop() {
    gateways.forEach(gateway -> gateway.link.close());
    controller.close();
    loop.close();
  }

  private Gateway gateway(String name, boolean obeys, String... jobs) {
    FakeTarget target = new FakeTarget(new Target("disk", CAPACITY, TokenUnit.BYTES), jobs);
    ControlLoop control =
        new ControlLoop(
            new ControlPlan(
                PolicyChoice.of("fair", Map.of()),
                false,
                List.of(target),
                List.of(),
                JobDirectory.EMPTY),
            new DecisionSetting(Runnable::run, () -> {}, PolicyControls.FORGETFUL, 0),
            System.nanoTime());
    GatewayRole role = new GatewayRole(name, "test", obeys, control, loop);
    ControllerLink link =
        new ControllerLink(
            ControllerLink.Addresses.local(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), controller.port())),
            role,
            loop,
            new Random(name.hashCode()));
    role.playOn(link);
    Gateway gateway = new Gateway(target, control, link);
    gateways.add(gateway);
    return gateway;
  }

  private static void await(String what, BooleanSupplier holds) throws InterruptedException {
    long began = System.nanoTime();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime() - began).as(what).isLessThan(60_000_000_000L);
      Thread.sleep(20);
    }
  }

  private long decisions() {
    TargetPlane.State state = controller.status().targets();
    return state == null ? 0 : state.decisions();
  }

  @Test
  void sharesAreDecidedTogetherAndHoldOnEveryGateway() throws Exception {
    Gateway one = gateway("g1", true, "a", "b");
    Gateway two = gateway("g2", true, "a");
    Gateway three = gateway("g3", true, "a", "c");
    await(
        "all have shares",
        () ->
            one.target.shares().size() == 2
                && two.target.shares().size() == 1
                && three.target.shares().size() == 2);
    assertThat(one.target.kind()).isEqualTo(SchedulerKind.TBF);
    assertThat(one.control.status(System.nanoTime()).policy()).isEqualTo("gift of the controller");
    Shares shares = one.target.shares();
    assertThat(perSecond(shares, "a") + perSecond(shares, "b"))
        .isBetween(0.8 * CAPACITY, 1.001 * CAPACITY);
    // Requests of one job progress alike on all its targets.
    assertThat(perSecond(two.target.shares(), "a"))
        .isBetween(0.99 * perSecond(shares, "a"), (double) CAPACITY);
    assertThat(controller.status().targets()).isNotNull();
    assertThat(controller.targetShares()).hasSize(3);
  }

  private static double perSecond(Shares shares, String job) {
    int index = shares.indexOf(JobId.of(job));
    return shares.tokens(index) * 1e9 / shares.periodNanos();
  }

  @Test
  void fewerThanFourFifthsDecideNothingUntilTheOthersAreForgotten() throws Exception {
    for (int i = 0; i < 3; i++) {
      gateway("g" + i, true, "a", "b");
    }
    await("it is decided", () -> decisions() > 2);
    gateways.getFirst().link.close();
    await(
        "two of three are too few",
        () -> {
          TargetPlane.State state = controller.status().targets();
          return state != null && state.trouble().contains("more than 80 %");
        });
    long refused = decisions();
    await("the one that is gone is forgotten", () -> decisions() > refused + 2);
    Gateway late = gateway("late", true, "a");
    await("a late one joins", () -> late.target.shares().size() == 1);
  }

  @Test
  void aGatewayWithAPolicyOfItsOwnOnlyReports() throws Exception {
    Gateway own = gateway("own", false, "a");
    await("it is decided", () -> decisions() > 2);
    assertThat(own.control.obeys()).isFalse();
    assertThat(own.control.status(System.nanoTime()).policy()).isEqualTo("fair");
  }

  @Test
  void withoutAControllerTheGatewaysOwnPolicyDecidesAgain() throws Exception {
    Gateway one = gateway("g1", true, "a");
    await("it has shares", () -> one.target.shares().size() == 1);
    controller.close();
    await("its own policy decides", () -> !one.control.obeys());
    assertThat(one.control.status(System.nanoTime()).policy()).isEqualTo("fair");
    assertThat(one.target.kind()).isNotEqualTo(SchedulerKind.TBF);
  }
}
