package dev.sluice.core.policy;

/**
 * Decides, once a period, how much each job gets in the next one. Pure: equal inputs give equal
 * outputs, and neither argument is changed.
 *
 * @param <S> what it remembers from one decision to the next; immutable
 */
public interface Policy<S> {
  /** What it knows before the first decision. */
  S initialState(Cluster cluster);

  /** One decision. */
  Step<S> decide(S state, Observation seen);
}
