package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.StateId;

/** What a LOCK gave: the lock, or who stands in its way ({@link Denied}). */
public sealed interface Locked permits Locked.Granted, Denied {
  /**
   * The lock.
   *
   * @param id names the locks of this owner on this file
   */
  record Granted(StateId id) implements Locked {}
}
