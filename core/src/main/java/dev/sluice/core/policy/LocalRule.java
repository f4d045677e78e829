package dev.sluice.core.policy;

import dev.sluice.core.schedule.Shares;

/**
 * The fast horizon of a policy, on each target alone: what is done between two decisions, by what
 * that one target has seen since. It need not know what other targets see, nor what the policy
 * remembers, so it is done where the target is, whoever decides. Pure: equal inputs give equal
 * outputs, and neither argument is changed.
 *
 * <p>What was decided is a promise: an implementation says what it leaves of it to those who still
 * want their part.
 */
public interface LocalRule {
  /** How often it looks at a target. */
  long periodNanos();

  /**
   * What is to be in force on a target until the next look.
   *
   * @param decided what the last decision gave on this target, whatever was made of it since
   * @param seen what was seen there since the last look
   */
  LocalStep adjust(Shares decided, Observation seen);
}
