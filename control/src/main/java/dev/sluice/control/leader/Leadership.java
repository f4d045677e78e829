package dev.sluice.control.leader;

/**
 * Knows whether this controller may give orders now. It is asked before every round of orders, and
 * must answer at once, from what it knows: a lease that may have run out is none.
 */
@FunctionalInterface
public interface Leadership {
  /** For a controller that has no other beside it. */
  static Leadership alone(long epoch) {
    return _ -> new Standing.Leads(epoch);
  }

  Standing standing(long nowNanos);
}
