package dev.sluice.jobs.slurm;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * From which addresses the requests of a node come: what Slurm says that the node is reached by,
 * and what other names it has on other networks. Names are looked up once and kept; a name service
 * that is slow or away costs a bounded time, and what it said before goes on to hold. Not
 * thread-safe.
 */
final class NodeAddresses {
  /** What stands for the node in the pattern of a further name. */
  static final String NODE = "{node}";

  /** How long an address is believed, and how long a name without one. */
  static final long BELIEVED_NANOS = 3_600_000_000_000L;

  static final long RETRY_NANOS = 300_000_000_000L;

  /** How long names may be looked up before the others have to wait for the next round. */
  static final long ROUND_NANOS = 5_000_000_000L;

  private final Resolver resolver;
  private final List<String> furtherNames;
  private final LongSupplier nanoClock;
  private final Map<String, Found> found = new HashMap<>();
  private Map<String, String> said = Map.of();
  private long roundEndNanos;
  private long generation;

  /** Finds the addresses of a host by its name; empty when it has none. */
  @FunctionalInterface
  interface Resolver {
    /** Asks this machine's name service. */
    Resolver OF_THIS_MACHINE = host -> List.of(InetAddress.getAllByName(host));

    List<InetAddress> addresses(String host) throws IOException;
  }

  /** What a node's names led to, and how long that is believed. */
  private record Found(List<Network> networks, long untilNanos) {}

  /**
   * Knows no node yet.
   *
   * @param furtherNames names that every node has besides, such as {@code {node}-ib}
   */
  NodeAddresses(Resolver resolver, List<String> furtherNames, LongSupplier nanoClock) {
    this.resolver = resolver;
    this.furtherNames = List.copyOf(furtherNames);
    this.nanoClock = nanoClock;
    beginRound();
  }

  /** Takes in what Slurm says each node is reached by. */
  void learn(Map<String, String> addresses) {
    if (!said.equals(addresses)) {
      said = Map.copyOf(addresses);
      // What was found holds until it is looked up again, which is due now.
      found.replaceAll((_, before) -> new Found(before.networks, nanoClock.getAsLong()));
    }
  }

  /** Whether Slurm has said anything about this node. */
  boolean isKnown(String node) {
    return said.containsKey(node);
  }

  /** From now on names may be looked up again, for a while. */
  void beginRound() {
    roundEndNanos = nanoClock.getAsLong() + ROUND_NANOS;
  }

  /** Looks up again what is no longer believed, as far as the round lasts. */
  void refresh() {
    long now = nanoClock.getAsLong();
    List<String> due = new ArrayList<>();
    found.forEach((node, entry) -> {
      if (entry.untilNanos - now <= 0) {
        due.add(node);
      }
    });
    for (String node : due) {
      if (!roundLasts()) {
        return;
      }
      lookUp(node);
    }
  }

  /** The addresses of a node; none when there is no name that leads to one. */
  List<Network> of(String node) {
    Found known = found.get(node);
    if (known == null) {
      known = roundLasts() ? lookUp(node) : keep(node, List.of(), nanoClock.getAsLong());
    }
    return known.networks;
  }

  private boolean roundLasts() {
    return roundEndNanos - nanoClock.getAsLong() > 0;
  }

  private Found lookUp(String node) {
    Set<Network> networks = new LinkedHashSet<>();
    boolean complete = true;
    for (String host : names(node)) {
      try {
        for (InetAddress address : resolver.addresses(host)) {
          networks.add(new Network(ClientAddress.of(address.getAddress()), 128));
        }
      } catch (IOException e) {
        complete = false;
      }
    }
    Found before = found.get(node);
    if (!complete && before != null) {
      networks.addAll(before.networks);
    }
    return keep(
        node,
        List.copyOf(networks),
        nanoClock.getAsLong() + (complete ? BELIEVED_NANOS : RETRY_NANOS));
  }

  private List<String> names(String node) {
    List<String> names = new ArrayList<>();
    names.add(said.getOrDefault(node, node));
    furtherNames.forEach(pattern -> names.add(pattern.replace(NODE, node)));
    return names;
  }

  private Found keep(String node, List<Network> networks, long untilNanos) {
    if (found.size() >= SlurmJob.NODES_MAX && !found.containsKey(node)) {
      found.clear();
    }
    Found entry = new Found(networks, untilNanos);
    Found before = found.put(node, entry);
    if (before != null && !before.networks.equals(networks)) {
      generation++;
    }
    return entry;
  }

  /** Grows when addresses that were given out are no longer right. */
  long generation() {
    return generation;
  }

  /** One of the nodes that have no address, for a message; null when all have some. */
  @Nullable String oneWithoutAddress() {
    for (Map.Entry<String, Found> entry : found.entrySet()) {
      if (entry.getValue().networks.isEmpty()) {
        return entry.getKey();
      }
    }
    return null;
  }

  /** How many of the nodes that were asked for have no address. */
  long withoutAddress() {
    return found.values().stream().filter(entry -> entry.networks.isEmpty()).count();
  }
}
