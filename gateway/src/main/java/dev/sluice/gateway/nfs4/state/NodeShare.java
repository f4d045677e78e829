package dev.sluice.gateway.nfs4.state;

/**
 * What the clients of one node have together: whatever it calls itself, a node that lies is one
 * node. The counts change under the lock of the table of clients.
 */
final class NodeShare {
  private final Quota states;
  private final Quota ranges;
  private int confirmed;
  private int unconfirmed;
  private long slotsBytes;

  /**
   * @param states what it may take of all states
   * @param ranges what it may take of all locked ranges
   */
  NodeShare(Quota states, Quota ranges) {
    this.states = states;
    this.ranges = ranges;
  }

  Quota states() {
    return states;
  }

  Quota ranges() {
    return ranges;
  }

  int confirmed() {
    return confirmed;
  }

  void addConfirmed(int more) {
    confirmed += more;
  }

  int unconfirmed() {
    return unconfirmed;
  }

  void addUnconfirmed(int more) {
    unconfirmed += more;
  }

  boolean isEmpty() {
    return confirmed == 0 && unconfirmed == 0;
  }

  long slotsBytes() {
    return slotsBytes;
  }

  void addSlotsBytes(long more) {
    slotsBytes += more;
  }
}
