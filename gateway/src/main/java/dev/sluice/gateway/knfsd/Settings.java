package dev.sluice.gateway.knfsd;

/**
 * What a gateway's export says about all its clients.
 *
 * @param squash whose word about their user is not taken, as it is written
 */
record Settings(
    boolean readOnly,
    String squash,
    long anonymousUid,
    long anonymousGid,
    boolean privilegedPorts) {
  static final long NOBODY = 65_534;

  boolean hasAnonymous() {
    return anonymousUid != NOBODY || anonymousGid != NOBODY;
  }
}
