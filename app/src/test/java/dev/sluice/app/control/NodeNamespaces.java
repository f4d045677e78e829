package dev.sluice.app.control;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    String refused = made.run("ip", "netns", "add", made.controller());
    Assumptions.assumeTrue(refused.isEmpty(), "network namespaces cannot be made here: " + refused);
    made.must("ip", "-n", made.controller(), "link", "set", "lo", "up");
    for (int node = 1; node <= nodes; node++) {
      made.must("ip", "netns", "add", made.node(node));
      made.must(
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
      made.must(
          "ip",
          "-n",
          made.controller(),
          "addr",
          "add",
          made.controllerAddress(node) + "/24",
          "dev",
          "node" + node);
      made.must(
          "ip",
          "-n",
          made.node(node),
          "addr",
          "add",
          made.nodeAddress(node) + "/24",
          "dev",
          "eth0");
      made.must("ip", "-n", made.node(node), "link", "set", "lo", "up");
      made.must("ip", "-n", made.node(node), "link", "set", "eth0", "up");
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

  private void must(String... command) throws IOException {
    String refused = run(command);
    if (!refused.isEmpty()) {
      throw new IOException(String.join(" ", command) + ": " + refused);
    }
  }

  /** Runs a command; answers why it failed, or nothing. */
  private String run(String... command) throws IOException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    try {
      int code = process.waitFor();
      return code == 0 ? "" : "exit code " + code + ": " + said.strip();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
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
