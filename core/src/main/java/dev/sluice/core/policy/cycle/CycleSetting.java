package dev.sluice.core.policy.cycle;

import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyInfo;

/**
 * What a control cycle goes by.
 *
 * @param periodNanos how often is decided
 * @param decidesWithoutDemand whether the policy decides about every job there is, whatever it
 *     wants, and so as soon as there is another one
 * @param epochOffsetNanos what to add to the driver's times to have nanoseconds since 1970, in
 *     which policies think: what they remember may outlive the clock that a driver goes by
 */
public record CycleSetting(long periodNanos, boolean decidesWithoutDemand, long epochOffsetNanos) {
  private static final long GRACE_NANOS_MIN = 5_000_000_000L;
  private static final int GRACE_PERIODS = 3;

  public CycleSetting {
    if (periodNanos < 1 || periodNanos > Observation.PERIOD_NANOS_MAX) {
      throw new IllegalArgumentException(
          "a period must be 1 ns to 1 h, not " + periodNanos + " ns");
    }
  }

  /** For this policy, by a clock that policies may be shown. */
  public static CycleSetting of(PolicyInfo policy, long periodNanos) {
    return of(policy, periodNanos, 0);
  }

  /** For this policy, by a clock that began so long after 1970. */
  public static CycleSetting of(PolicyInfo policy, long periodNanos, long epochOffsetNanos) {
    return new CycleSetting(
        periodNanos, !policy.needs().contains(PolicyInfo.Need.DEMAND), epochOffsetNanos);
  }

  /** How long the last decision stays in force when no other comes. */
  public long graceNanos() {
    return Math.max(GRACE_NANOS_MIN, GRACE_PERIODS * periodNanos);
  }
}
