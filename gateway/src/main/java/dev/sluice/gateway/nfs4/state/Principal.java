package dev.sluice.gateway.nfs4.state;

/**
 * Who speaks.
 *
 * @param address the node that a call came from
 * @param user whom the call says it is by
 * @param isOfRoot whether only the node's root can have sent it
 */
public record Principal(String address, String user, boolean isOfRoot) {
  boolean isOfSameNode(Principal other) {
    return address.equals(other.address);
  }

  /** Whether both are the same user of the same node. */
  boolean isSame(Principal other) {
    return isOfSameNode(other) && user.equals(other.user);
  }

  /**
   * Whether this one may speak for a client that another introduced: the same user, or the root of
   * the same node, who could pass for that user anyway.
   */
  boolean maySpeakFor(Principal other) {
    return isOfSameNode(other) && (isOfRoot || user.equals(other.user));
  }
}
