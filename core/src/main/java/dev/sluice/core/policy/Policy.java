package dev.sluice.core.policy;

import org.jspecify.annotations.Nullable;

/**
 * Decides, once a period, how much each job gets in the next one. Pure: equal inputs give equal
 * outputs, and neither argument is changed.
 *
 * @param <S> what it remembers from one decision to the next; immutable
 */
public interface Policy<S> {
  /** What it knows before the first decision. */
  S initialState(Cluster cluster);

  /**
   * What it goes on from when targets come or go, or can serve another amount than before: all that
   * it has learnt of jobs. Forgets everything unless it says otherwise.
   */
  default S over(S state, Cluster cluster) {
    return initialState(cluster);
  }

  /**
   * How what it remembers is kept over a restart. Null where there is nothing to keep: where it
   * decides the same from {@link #initialState} as from any other state.
   */
  default @Nullable StateCodec<S> codec() {
    return null;
  }

  /** One decision. */
  Step<S> decide(S state, Observation seen);
}
