package dev.sluice.store.keys;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What somebody with a key may be to a controller, and for how many nodes he may speak. A key by
 * itself is that of a node's agent; whoever is more was said to be by an administrator.
 *
 * @param kinds what he may be
 * @param nodes those that he stands for as an aggregator; nobody looks at their names on loopback
 * @param nodesMax for how many nodes he may speak
 * @param targets those that he has as a gateway; null where nobody said
 */
public record Mandate(
    Set<Kind> kinds, Set<String> nodes, long nodesMax, @Nullable TargetNames targets) {
  /** What a member can be. */
  public enum Kind {
    AGENT,
    AGGREGATOR,
    GATEWAY;

    /** As people write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** More than any site has. */
  private static final long NODES_MAX = 10_000_000;

  /** The agent of one node. */
  public static final Mandate AGENT = new Mandate(Set.of(Kind.AGENT), Set.of(), 1, null);

  /** Serves files, and speaks for no node. */
  public static final Mandate GATEWAY = new Mandate(Set.of(Kind.GATEWAY), Set.of(), 0, null);

  /** Anything: for loopback, where whoever can connect is on this machine. */
  public static final Mandate ANYTHING =
      new Mandate(Set.of(Kind.values()), Set.of(), NODES_MAX, null);

  public Mandate {
    kinds = Set.copyOf(kinds);
    nodes = Set.copyOf(nodes);
  }

  /** Stands for the agents of these nodes. */
  public static Mandate aggregatorOf(NodeNames nodes) {
    return new Mandate(Set.of(Kind.AGGREGATOR), nodes.names(), nodes.names().size(), null);
  }

  /** Serves files from these targets, and speaks for no node. */
  public static Mandate gatewayWith(TargetNames targets) {
    return new Mandate(Set.of(Kind.GATEWAY), Set.of(), 0, targets);
  }
}
