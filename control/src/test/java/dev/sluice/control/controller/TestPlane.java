package dev.sluice.control.controller;

import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.agent.AgentRole;
import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.aggregator.AggregatorOptions;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.measure.SimulatedNode;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.Limit;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.store.lease.LeaderMemory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/** Controllers, aggregators and simulated nodes in one process, over real connections. */
final class TestPlane implements AutoCloseable {
  static final LimitKey METADATA = new LimitKey("metadata", Counted.OPERATIONS);
  static final long MAXIMUM = 100_000;
  static final long PERIOD_NANOS = 50_000_000L;
  static final long LAPSE_NANOS = 1_000_000_000L;

  final NettyLoop loop = new NettyLoop("nodes");
  final AtomicReference<ControlSettings> settings =
      new AtomicReference<>(settings(1, MAXIMUM, List.of()));
  private final List<Runnable> ends = new ArrayList<>();

  /** A node that is connected. */
  record Node(SimulatedNode jobs, AgentRole role, ControllerLink link) {
    long allowed() {
      return jobs.limits().getOrDefault(METADATA, -1L);
    }
  }

  static ControlSettings settings(long revision, long maximum, List<Limit> limits) {
    return new ControlSettings(
        revision,
        List.of(new SharedResource(METADATA, maximum, "psfa", Map.of(), Map.of())),
        limits);
  }

  static InetSocketAddress loopback(int port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  Controller controller(int port, Leadership leadership) throws IOException {
    Controller controller =
        new Controller(
            new ControllerOptions(
                loopback(port), null, PERIOD_NANOS, 4 * PERIOD_NANOS, LAPSE_NANOS, 100),
            _ -> settings.get(),
            leadership,
            MemberAuthenticator.TRUSTING,
            _ -> {});
    ends.add(controller::close);
    return controller;
  }

  Aggregator aggregator(String name, int... controllers) throws IOException {
    Aggregator aggregator =
        new Aggregator(
            new AggregatorOptions(name, "test", loopback(0), null, 2 * PERIOD_NANOS, 100),
            addresses(controllers),
            KeyFiles.ofAggregator(null, name),
            new Random(1),
            LeaderMemory.NONE);
    ends.add(aggregator::close);
    return aggregator;
  }

  Node node(String name, String job, int... controllers) {
    SimulatedNode jobs = new SimulatedNode(job, name.hashCode() & 0xff, () -> true);
    AgentRole role = new AgentRole(name, "test", jobs, loop);
    ControllerLink link =
        new ControllerLink(addresses(controllers), role, loop, new Random(name.hashCode()));
    role.playOn(link, LAPSE_NANOS);
    ends.add(link::close);
    return new Node(jobs, role, link);
  }

  private static ControllerLink.Addresses addresses(int... ports) {
    InetSocketAddress[] all = new InetSocketAddress[ports.length];
    for (int i = 0; i < ports.length; i++) {
      all[i] = loopback(ports[i]);
    }
    return ControllerLink.Addresses.local(all);
  }

  @Override
  public void close() {
    ends.reversed().forEach(Runnable::run);
    loop.close();
  }
}
