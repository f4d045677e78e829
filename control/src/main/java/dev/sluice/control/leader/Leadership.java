package dev.sluice.control.leader;

import org.jspecify.annotations.Nullable;

/**
 * Knows whether this controller may give orders now. It is asked before every round of orders, and
 * must answer at once, from what it knows: a lease that may have run out is none.
 */
@FunctionalInterface
public interface Leadership {
  /** For a controller that has no other beside it, under a number that stays. */
  static Leadership alone(long epoch) {
    return _ -> new Standing.Leads(epoch);
  }

  Standing standing(long nowNanos);

  /**
   * Has this controller lead in a higher epoch than this, soon: a member has obeyed somebody else
   * in it.
   */
  default void outdo(long epoch) {}

  /** What people should know of how it came to lead; null where there is nothing to say. */
  default @Nullable String notice() {
    return null;
  }
}
