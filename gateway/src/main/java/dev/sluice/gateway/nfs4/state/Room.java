package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;

/** Takes from quotas; what clients have that are late gives way to those that are not. */
final class Room {
  private final ClientTable clients;

  Room(ClientTable clients) {
    this.clients = clients;
  }

  /**
   * Takes some, or says that there is no room.
   *
   * @param client who takes
   * @param quota its own, of states or of ranges
   * @param ifOwn what it is told when it has all that one may have, or that its node may
   */
  void take(Client client, Quota quota, int count, Nfs4Status ifOwn, long nowNanos)
      throws StateException {
    while (!quota.tryTake(count)) {
      if (quota.isFull(count)) {
        throw new StateException(ifOwn, "the client has as much as one may have");
      }
      boolean isAllFull = quota.isAllFull(count);
      if (!clients.isOneEvicted(isAllFull ? null : client.node(), nowNanos)) {
        throw isAllFull
            ? new StateException(Nfs4Status.DELAY, "the clients have as much as all may have")
            : new StateException(ifOwn, "the node's clients have as much as one's may have");
      }
    }
  }
}
