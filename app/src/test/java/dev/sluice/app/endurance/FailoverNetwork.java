package dev.sluice.app.endurance;

import static dev.sluice.app.NetworkCommand.must;
import static dev.sluice.app.NetworkCommand.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;

/**
 * Network name spaces that stand for two gateways' machines and that of their clients, on one
 * switch, and addresses, each of which one of the gateways has. Gone when this is closed.
 */
final class FailoverNetwork implements AutoCloseable {
  static final String FLOATING = "10.88.0.100";

  /** A second one, for other exports. */
  static final String FLOATING_TOO = "10.88.0.101";

  static final String CLIENTS = "10.88.0.0/24";

  private final String prefix = "sluice-failover-" + ProcessHandle.current().pid() + "-";
  private final List<String> made = new ArrayList<>();
  private final Map<String, Integer> holders = new HashMap<>();

  private FailoverNetwork() {}

  /** Makes them; skips the test where this is not allowed. The first gateway has the address. */
  static FailoverNetwork make() throws IOException {
    Assumptions.assumeTrue(
        "root".equals(System.getProperty("user.name")),
        "network namespaces can be made by root only");
    FailoverNetwork network = new FailoverNetwork();
    String refused = run("ip", "netns", "add", network.clients());
    Assumptions.assumeTrue(refused.isEmpty(), "network namespaces cannot be made here: " + refused);
    network.made.add(network.clients());
    String clients = network.clients();
    must("ip", "-n", clients, "link", "set", "lo", "up");
    must("ip", "-n", clients, "link", "add", "switch", "type", "bridge");
    must("ip", "-n", clients, "addr", "add", "10.88.0.1/24", "dev", "switch");
    must("ip", "-n", clients, "link", "set", "switch", "up");
    for (int gateway = 1; gateway <= 2; gateway++) {
      String space = network.gateway(gateway);
      must("ip", "netns", "add", space);
      network.made.add(space);
      String cable = cable(gateway);
      must(
          "ip", "-n", clients, "link", "add", cable, "type", "veth", "peer", "name", "eth0",
          "netns", space);
      must("ip", "-n", clients, "link", "set", cable, "master", "switch");
      must("ip", "-n", space, "addr", "add", "10.88.0.1" + gateway + "/24", "dev", "eth0");
      must("ip", "-n", space, "link", "set", "lo", "up");
      must("ip", "-n", space, "link", "set", "eth0", "up");
      network.connect(gateway);
    }
    network.moveTo(1);
    return network;
  }

  private String clients() {
    return prefix + "clients";
  }

  private String gateway(int gateway) {
    return prefix + "gateway" + gateway;
  }

  private static String cable(int gateway) {
    return "gateway" + gateway;
  }

  /** What runs a command where clients are. */
  List<String> amongClients() {
    return List.of("ip", "netns", "exec", clients());
  }

  /** What runs a command on a gateway's machine. */
  List<String> on(int gateway) {
    return List.of("ip", "netns", "exec", gateway(gateway));
  }

  /** Moves the address, and tells clients, as keepalived does by gratuitous ARP. */
  void moveTo(int gateway) throws IOException {
    move(FLOATING, gateway);
  }

  /** Gives a gateway an address, which no other has from then on, and tells clients. */
  void move(String address, int gateway) throws IOException {
    Integer before = holders.put(address, gateway);
    if (before != null && before == gateway) {
      return;
    }
    if (before != null) {
      must("ip", "-n", gateway(before), "addr", "del", address + "/32", "dev", "eth0");
    }
    must("ip", "-n", gateway(gateway), "addr", "add", address + "/32", "dev", "eth0");
    must("ip", "-n", clients(), "neigh", "flush", "dev", "switch");
  }

  /** Pulls the cable of a gateway. */
  void cut(int gateway) throws IOException {
    must("ip", "-n", clients(), "link", "set", cable(gateway), "down");
  }

  /** Plugs it in. */
  void connect(int gateway) throws IOException {
    must("ip", "-n", clients(), "link", "set", cable(gateway), "up");
  }

  @Override
  public void close() throws IOException {
    for (String space : made) {
      must("ip", "netns", "delete", space);
    }
  }
}
