package dev.sluice.control.leader;

import dev.sluice.store.lease.Leader;

/** Whether a controller leads. */
public sealed interface Standing {
  /**
   * It may give orders.
   *
   * @param as with a number above that of every leader before; members refuse orders of a lower one
   */
  record Leads(Leader as) implements Standing {
    /** Under a number alone. */
    public Leads(long epoch) {
      this(new Leader(epoch, 0));
    }

    public long epoch() {
      return as.epoch();
    }
  }

  /**
   * It must not give orders.
   *
   * @param reason in words, for the log and for members that ask: who leads, as far as is known
   */
  record Follows(String reason) implements Standing {}
}
