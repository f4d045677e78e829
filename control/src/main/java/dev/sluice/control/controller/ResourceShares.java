package dev.sluice.control.controller;

import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.StageJob;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.padll.ResourceDivision;
import org.jspecify.annotations.Nullable;

/** Divides one resource among all jobs, cycle by cycle. */
sealed interface ResourceShares permits PadllShares, SojournShares {
  /** A rate where there is none. */
  long UNLIMITED = -1;

  /**
   * Divides it; what limits keep from a job goes to the others.
   *
   * @param rates what limits leave each job; afterwards what it may do
   * @param turn goes up by one from cycle to cycle
   */
  void divide(SharedResource shared, StageJob[] jobs, long[] rates, long turn);

  /** As it was divided last. */
  ResourceDivision division();

  /** Why each job has what it has; null where what it may count on and uses says it all. */
  @Nullable Explanation explanation();

  /** The stricter one of both. */
  static long least(long rate, long limit) {
    return rate == UNLIMITED ? limit : Math.min(rate, limit);
  }
}
