package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.StateId;

/** A file that is open in version 4. A server that began anew gives it another name. */
final class OpenState {
  private final String owner;
  private volatile StateId id;

  OpenState(String owner, StateId id) {
    this.owner = owner;
    this.id = id;
  }

  /** In whose name it was opened. */
  String owner() {
    return owner;
  }

  StateId id() {
    return id;
  }

  void renamed(StateId now) {
    id = now;
  }
}
