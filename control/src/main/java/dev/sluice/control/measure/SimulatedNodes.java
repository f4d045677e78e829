package dev.sluice.control.measure;

import dev.sluice.control.agent.AgentRole;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Many nodes in one program, each with a connection of its own. */
public final class SimulatedNodes implements AutoCloseable {
  private static final int JOBS = 16;
  private static final long LAPSE_NANOS = 60_000_000_000L;

  private final NettyLoop loop = new NettyLoop("nodes");
  private final List<ControllerLink> links = new ArrayList<>();
  private volatile boolean busy;

  /**
   * Nodes that are to be connected.
   *
   * @param busy whether their jobs do something
   */
  public SimulatedNodes(boolean busy) {
    this.busy = busy;
  }

  /** Connects so many more to whoever listens there. */
  public void connect(int count, InetSocketAddress address) {
    for (int i = 0; i < count; i++) {
      int number = links.size();
      SimulatedNode node = new SimulatedNode("job-" + number % JOBS, number, () -> busy);
      AgentRole role = new AgentRole("node-" + number, "simulated", node, loop);
      ControllerLink link =
          new ControllerLink(
              ControllerLink.Addresses.local(address), role, loop, new Random(number));
      links.add(link);
      role.playOn(link, LAPSE_NANOS);
    }
  }

  public void rest(boolean resting) {
    busy = !resting;
  }

  @Override
  public void close() {
    links.forEach(ControllerLink::close);
    loop.close();
  }
}
