package dev.sluice.gateway.knfsd;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Network;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Sets of addresses, as lists of networks. */
final class Networks {
  static final Network EVERYBODY = new Network(new ClientAddress(0, 0), 0);

  /** More makes no sense in a file that people read. */
  private static final int COUNT_MAX = 10_000;

  private static final int BITS = 128;

  private Networks() {}

  /**
   * What is in these networks and in none of those.
   *
   * @throws IllegalArgumentException when that takes too many networks to say
   */
  static List<Network> without(Collection<Network> networks, Collection<Network> holes) {
    List<Network> left = new ArrayList<>(networks);
    for (Network hole : holes) {
      List<Network> next = new ArrayList<>();
      left.forEach(network -> addWithout(network, hole, next));
      if (next.size() > COUNT_MAX) {
        throw new IllegalArgumentException(
            "its options differ from those of so many clients within that what is left takes more"
                + " than "
                + COUNT_MAX
                + " networks; expected fewer exceptions, or the same options");
      }
      left = next;
    }
    return left;
  }

  private static void addWithout(Network network, Network hole, List<Network> into) {
    if (hole.prefixBits() <= network.prefixBits()) {
      if (!hole.contains(network.base())) {
        into.add(network);
      }
      return;
    }
    if (!network.contains(hole.base())) {
      into.add(network);
      return;
    }
    // All around the hole: at each step towards it the half that it is not in.
    for (int bits = network.prefixBits() + 1; bits <= hole.prefixBits(); bits++) {
      into.add(Network.around(flipped(hole.base(), bits), bits));
    }
  }

  /** Without those that are in another; the widest first. */
  static List<Network> merged(Collection<Network> networks) {
    Set<Network> kept = new LinkedHashSet<>();
    Set<Integer> prefixes = new TreeSet<>();
    networks.stream()
        .sorted(Comparator.comparingInt(Network::prefixBits))
        .filter(network ->
            prefixes.stream()
                .noneMatch(bits -> kept.contains(Network.around(network.base(), bits))))
        .forEach(network -> {
          kept.add(network);
          prefixes.add(network.prefixBits());
        });
    return List.copyOf(kept);
  }

  /** How many addresses there are, more or less. */
  static double size(Collection<Network> networks) {
    return networks.stream().mapToDouble(n -> Math.scalb(1.0, BITS - n.prefixBits())).sum();
  }

  /** An address with another bit at a place, counted from 1. */
  private static ClientAddress flipped(ClientAddress address, int bit) {
    return bit <= Long.SIZE
        ? new ClientAddress(address.high() ^ 1L << (Long.SIZE - bit), address.low())
        : new ClientAddress(address.high(), address.low() ^ 1L << (BITS - bit));
  }
}
