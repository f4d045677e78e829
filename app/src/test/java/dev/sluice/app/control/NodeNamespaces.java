package dev.sluice.app.control;

import static dev.sluice.app.NetworkCommand.must;
import static dev.sluice.app.NetworkCommand.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;

/**
 * Network namespaces that stand for machines: one for a controller, and one for each node, which a
 * cable of its own connects with the controller's. Gone when this is closed.
 */
final class NodeNamespaces implements AutoCloseable {
  private final String prefix = "sluice" + ProcessHandle.current().pid() + "-";
  private final int nodes;

  private NodeNamespaces(int nodes) {
    this.nodes = nodes;
  }

  /** Makes them; skips the test where this is not allowed. */
  static NodeNamespaces make(int nodes) throws IOException {
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")),
        "network namespaces can be made by root only");
    NodeNamespaces made = new NodeNamespaces(nodes);
    String refused = run("ip", "netns", "add", made.controller());
    Assumptions.assumeTrue(refused.isEmpty(), "network namespaces cannot be made here: " + refused);
    must("ip", "-n", made.controller(), "link", "set", "lo", "up");
    for (int node = 1; node <= nodes; node++) {
      must("ip", "netns", "add", made.node(node));
      must(
          "ip",
          "-n",
          made.controller(),
          "link",
          "add",
          "node" + node,
          "type",
          "veth",
          "peer",
          "name",
          "eth0",
          "netns",
          made.node(node));
      must(
          "ip",
          "-n",
          made.controller(),
          "addr",
          "add",
          made.controllerAddress(node) + "/24",
          "dev",
          "node" + node);
      must(
          "ip",
          "-n",
          made.node(node),
          "addr",
          "add",
          made.nodeAddress(node) + "/24",
          "dev",
          "eth0");
      must("ip", "-n", made.node(node), "link", "set", "lo", "up");
      must("ip", "-n", made.node(node), "link", "set", "eth0", "up");
      made.connect(node);
    }
    return made;
  }

  private String controller() {
    return prefix + "controller";
  }

  private String node(int node) {
    return prefix + "node" + node;
  }

  /** Under which a node finds the controller. */
  String controllerAddress(int node) {
    return "10.77." + node + ".1";
  }

  private String nodeAddress(int node) {
    return "10.77." + node + ".2";
  }

  /** What runs a command in the controller's namespace. */
  List<String> inController() {
    return List.of("ip", "netns", "exec", controller());
  }

  /** What runs a command in a node's namespace. */
  List<String> inNode(int node) {
    return List.of("ip", "netns", "exec", node(node));
  }

  /** Pulls the cable of a node. */
  void cut(int node) throws IOException {
    must("ip", "-n", controller(), "link", "set", "node" + node, "down");
  }

  /** Plugs it in. */
  void connect(int node) throws IOException {
    must("ip", "-n", controller(), "link", "set", "node" + node, "up");
  }

  @Override
  public void close() throws IOException {
    List<String> left = new ArrayList<>();
    for (int node = 1; node <= nodes; node++) {
      left.add(run("ip", "netns", "delete", node(node)));
    }
    left.add(run("ip", "netns", "delete", controller()));
    left.removeIf(String::isEmpty);
    if (!left.isEmpty()) {
      throw new IOException(left.toString());
    }
  }
}
