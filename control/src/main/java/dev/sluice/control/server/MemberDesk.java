package dev.sluice.control.server;

import dev.sluice.control.v1.Hello;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.store.keys.Mandate;

/** Takes members in. Called on the loop's thread. */
@FunctionalInterface
public interface MemberDesk {
  /**
   * A member that is who it says it is wants to be let in, as what it may be.
   *
   * @param mandate what it may be, and for whom it may speak
   * @param line to be used from now on, even within this call
   */
  MemberSession welcome(Hello hello, Mandate mandate, MemberLine line, long nowNanos)
      throws RefusedException;
}
