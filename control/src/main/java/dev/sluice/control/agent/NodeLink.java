package dev.sluice.control.agent;

import dev.sluice.command.LinkStatus;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.stage.agent.StageAgent;
import dev.sluice.store.lease.LeaderMemory;
import java.util.Random;

/** A node's agent, connected to a controller for as long as this is open. */
public final class NodeLink implements AutoCloseable {
  /** How long limits that an agent before us left hold until a controller says something. */
  private static final long LAPSE_NANOS = 5_000_000_000L;

  private final NettyLoop loop = new NettyLoop("node-link");
  private final ControllerLink link;
  private final AgentRole role;

  /**
   * Connects, and goes on trying.
   *
   * @param name under which the controller knows this node
   * @param memory keeps whom this node has obeyed
   */
  public NodeLink(
      StageAgent agent,
      String name,
      String host,
      ControllerLink.Addresses controllers,
      LeaderMemory memory) {
    this(new StagedJobs(agent), name, host, controllers, memory);
  }

  /** Connects a node with these jobs, and goes on trying. */
  public NodeLink(
      NodeJobs jobs,
      String name,
      String host,
      ControllerLink.Addresses controllers,
      LeaderMemory memory) {
    this.role = new AgentRole(name, host, jobs, loop);
    this.link = new ControllerLink(controllers, role, loop, new Random(), memory);
    role.playOn(link, LAPSE_NANOS);
  }

  /** How the connection is. */
  public LinkStatus status() {
    return role.status();
  }

  @Override
  public void close() {
    link.close();
    loop.close();
  }
}
