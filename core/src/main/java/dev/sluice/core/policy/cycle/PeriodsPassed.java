package dev.sluice.core.policy.cycle;

import dev.sluice.core.policy.Observation;

/**
 * How long it is since demand was looked at last, in whole periods: who looks late sees the demand
 * of several, and a policy that took it for that of one would take everybody for greedier than it
 * is. Not thread-safe; the caller brings the time.
 */
final class PeriodsPassed {
  private final long periodNanos;
  private boolean looked;
  private long lookedNanos;

  PeriodsPassed(long periodNanos) {
    this.periodNanos = periodNanos;
  }

  /**
   * Demand is looked at now: how long it took to come together.
   *
   * <p>Theorem. A whole number of periods, at least one and at most what {@link
   * Observation#PERIOD_NANOS_MAX} allows, and of those the closest to the time that passed.
   */
  long lookNanos(long nowNanos) {
    long passed = looked ? nowNanos - lookedNanos : periodNanos;
    looked = true;
    lookedNanos = nowNanos;
    long most = Math.max(1, Observation.PERIOD_NANOS_MAX / periodNanos);
    return periodNanos * Math.clamp(Math.round((double) passed / periodNanos), 1, most);
  }
}
