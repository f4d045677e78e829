package dev.sluice.control.link;

import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.store.lease.Leader;

/** What a member does with its link. Called on the loop's thread. */
public interface LinkRole {
  /**
   * A new call begins: says who it is. Reports begin at number 1 again, and know no job.
   *
   * @param obeyed whom this member has obeyed last
   */
  Hello hello(Leader obeyed);

  /**
   * Orders came, of a leader that was not replaced.
   *
   * @param by who gave them; without a mark where it is of an earlier version
   * @throws RefusedException if they make no sense; the call is ended, and another made
   */
  void ordered(ControllerMessage orders, Leader by, long nowNanos) throws RefusedException;

  /** The call has ended; another one is made later. */
  void parted(String reason, long nowNanos);
}
