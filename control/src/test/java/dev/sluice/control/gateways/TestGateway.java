package dev.sluice.control.gateways;

import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.ControlLoop;
import dev.sluice.gateway.control.ControlPlan;
import dev.sluice.gateway.control.DecisionSetting;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.jobs.JobDirectory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A gateway, as far as it is controlled, with a connection of its own. */
public record TestGateway(FakeTarget target, ControlLoop control, ControllerLink link)
    implements AutoCloseable {
  /** What each gateway's disk can do. */
  static final long CAPACITY = 100_000_000;

  /**
   * Connects a gateway.
   *
   * @param obeys whether the controller decides for it
   * @param port where the controller listens
   * @param jobs those that do I/O on its disk
   */
  public static TestGateway connect(
      String name, boolean obeys, int port, NettyLoop loop, String... jobs) {
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
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
            role,
            loop,
            new Random(name.hashCode()));
    role.playOn(link);
    return new TestGateway(target, control, link);
  }

  @Override
  public void close() {
    link.close();
  }
}
