package dev.sluice.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * Decides, once a period, how much each job gets in the next one. Pure: equal inputs give equal
 * outputs, and neither argument is changed. Which targets there are and what each can serve now is
 * part of what is seen; a policy whose memory makes no sense for them lays it aside by itself.
 *
 * @param <S> what it remembers from one decision to the next; immutable
 */
public interface Policy<S> {
  /** What it knows before the first decision about these targets. */
  S initialState(Cluster cluster);

  /**
   * How what it remembers is kept over a restart. Null where there is nothing to keep: where it
   * decides the same from {@link #initialState} as from any other state.
   */
  default @Nullable StateCodec<S> codec() {
    return null;
  }

  /**
   * What is done between two decisions, on each target alone. Null where nothing is: where it
   * decides often enough, or limits nobody. It goes by what was set of the policy, not by what is
   * remembered, and only where it looks more often than the policy decides.
   */
  default @Nullable LocalRule local() {
    return null;
  }

  /** One decision. */
  Step<S> decide(S state, Observation seen);
}
