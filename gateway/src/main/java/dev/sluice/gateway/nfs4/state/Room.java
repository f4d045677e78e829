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
   * @param ifOwn what a client is told that has all that one may have
   */
  void take(Quota quota, int count, Nfs4Status ifOwn, long nowNanos) throws StateException {
    while (!quota.tryTake(count)) {
      if (quota.isFull(count)) {
        throw new StateException(ifOwn, "the client has as much as one may have");
      }
      if (!clients.isOneEvicted(nowNanos)) {
        throw new StateException(Nfs4Status.DELAY, "the clients have as much as all may have");
      }
    }
  }
}
