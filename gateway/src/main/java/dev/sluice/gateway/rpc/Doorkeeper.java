package dev.sluice.gateway.rpc;

import dev.sluice.core.model.ClientAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Says which connections are accepted: those of clients, so many in all, and so many of one
 * address. Safe for use by many threads.
 */
final class Doorkeeper {
  private final Predicate<ClientAddress> isClient;
  private final int connectionsMax;
  private final int connectionsPerAddressMax;
  private final Map<ClientAddress, Integer> inside = new HashMap<>();
  private int connections;

  /** What becomes of a connection. */
  enum Verdict {
    WELCOME,
    STRANGER,
    TOO_MANY_OF_THIS_ADDRESS,
    TOO_MANY
  }

  /**
   * @param isClient whether an address may use anything here; asked anew for each connection
   */
  Doorkeeper(Predicate<ClientAddress> isClient, int connectionsMax, int connectionsPerAddressMax) {
    this.isClient = isClient;
    this.connectionsMax = connectionsMax;
    this.connectionsPerAddressMax = connectionsPerAddressMax;
  }

  /** Somebody is at the door; who is welcome is inside until it leaves. */
  Verdict enter(ClientAddress address) {
    if (!isClient.test(address)) {
      return Verdict.STRANGER;
    }
    synchronized (this) {
      int already = inside.getOrDefault(address, 0);
      if (already >= connectionsPerAddressMax) {
        return Verdict.TOO_MANY_OF_THIS_ADDRESS;
      }
      if (connections >= connectionsMax) {
        return Verdict.TOO_MANY;
      }
      inside.put(address, already + 1);
      connections++;
      return Verdict.WELCOME;
    }
  }

  /** Somebody who was welcome leaves. */
  synchronized void leave(ClientAddress address) {
    connections--;
    inside.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
  }
}
