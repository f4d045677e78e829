package dev.sluice.gateway.export;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Many networks as one set of addresses. Immutable.
 *
 * <p>An address is looked for once per prefix length that is used, by hash: what a search costs
 * does not depend on how many networks there are.
 */
final class NetworkSet {
  private final Placed[] byPrefix;

  /** The networks of one prefix length. */
  private record Placed(int prefixBits, Set<Network> networks) {}

  NetworkSet(Collection<Network> networks) {
    Map<Integer, Set<Network>> lengths = new HashMap<>();
    for (Network network : networks) {
      lengths.computeIfAbsent(network.prefixBits(), _ -> new HashSet<>()).add(network);
    }
    byPrefix =
        lengths.entrySet().stream()
            .map(entry -> new Placed(entry.getKey(), entry.getValue()))
            .toArray(Placed[]::new);
  }

  /** Whether one of the networks has the address. */
  boolean contains(ClientAddress address) {
    for (Placed placed : byPrefix) {
      if (placed.networks.contains(Network.around(address, placed.prefixBits))) {
        return true;
      }
    }
    return false;
  }
}
