package dev.sluice.load.play;

import dev.sluice.load.client.ClientTimes;
import dev.sluice.load.client.NfsClient;
import dev.sluice.load.client.NodeConnection;
import dev.sluice.load.client.PrivilegedPorts;
import dev.sluice.nfs.rpc.Credential;
import dev.sluice.sim.scenario.Connections;
import dev.sluice.sim.scenario.JobSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The connections of all jobs. Each node that runs a process has one, or as many as the scenario
 * says, over which the calls of all jobs on it go, as with a kernel's client; a job has at most so
 * many nodes. When all together are too many, further nodes share those that there are, which the
 * server does not mind: who asks stands in every call.
 */
final class ConnectionPool implements AutoCloseable {
  static final int NODES_PER_JOB_MAX = 64;

  /** Root calls from privileged ports, of which others need some too. */
  static final int CONNECTIONS_MAX = PrivilegedPorts.USABLE ? PrivilegedPorts.COUNT - 59 : 1_024;

  private final PlaySettings settings;
  private final Connections connections;
  private final Map<String, NodeConnection> nodes = new LinkedHashMap<>();
  private int nextShared;

  ConnectionPool(PlaySettings settings, Connections connections) {
    this.settings = settings;
    this.connections = connections;
  }

  /** The clients of a job with so many processes, one on each of its nodes; at least one. */
  List<NfsClient> forJob(JobSpec job, int processes, Credential caller) throws IOException {
    long wanted = Math.max(1, Math.min(Math.min(job.nodes(), processes), NODES_PER_JOB_MAX));
    List<NfsClient> its = new ArrayList<>();
    for (int i = 0; i < wanted; i++) {
      String name = place(job) + " " + i;
      NodeConnection node = nodes.get(name);
      if (node == null && hasRoom()) {
        node =
            NodeConnection.open(
                settings.version(),
                settings.server().nfs(),
                connections.perNode(),
                ClientTimes.asLinux(settings.patience()));
        nodes.put(name, node);
      }
      if (node != null) {
        its.add(node.as(caller));
      }
    }
    if (its.isEmpty()) {
      its.add(shared().as(caller));
    }
    return its;
  }

  /** What tells a job's nodes from those of others. */
  private String place(JobSpec job) {
    boolean shares = connections.sharing() == Connections.Sharing.PER_NODE;
    return shares && !job.place().isEmpty() ? "place " + job.place() : "job " + job.id();
  }

  private boolean hasRoom() {
    return (nodes.size() + 1) * connections.perNode() <= CONNECTIONS_MAX;
  }

  private NodeConnection shared() {
    List<NodeConnection> all = List.copyOf(nodes.values());
    nextShared = (nextShared + 1) % all.size();
    return all.get(nextShared);
  }

  /** How often a connection broke and was made anew. */
  long reconnections() {
    return nodes.values().stream().mapToLong(NodeConnection::reconnections).sum();
  }

  /** How many calls the server told to come later. */
  long toldToComeLater() {
    return nodes.values().stream().mapToLong(NodeConnection::toldToComeLater).sum();
  }

  @Override
  public void close() {
    nodes.values().forEach(NodeConnection::close);
  }
}
