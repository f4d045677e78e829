package dev.sluice.sim.fluid;

import dev.sluice.core.model.JobId;
import java.util.List;

/** What a job wants of a target in a period, in time of its device, and what it is given. */
abstract class FluidClaim {
  final JobId job;

  /** Its group's path where jobs share by weight. */
  final List<String> branch;

  /** What it could take if it had the target to itself, in device time and in tokens. */
  double wantedNanos;

  double wantedTokens;

  /** What it keeps at the target: what its share of it is measured by, without control. */
  double keptNanos;

  /** What its limit lets it have in this period. */
  double limitNanos;

  FluidClaim(JobId job, List<String> branch) {
    this.job = job;
    this.branch = branch;
  }

  /**
   * Gives it device time.
   *
   * @param atPart at which part of the period it has that, if it is all it wants; 0 to 1
   */
  abstract void grant(double nanos, double atPart);

  /** What it can take: what it wants, or what its limit lets it have. */
  double mostNanos() {
    return Math.min(wantedNanos, limitNanos);
  }

  /** The same as {@link #grant} where its limit may be the last to let it have all it wants. */
  void grantWithinLimit(double nanos, double atPart) {
    double tokensAtPart = limitNanos > 0 ? wantedNanos / limitNanos : 1;
    grant(nanos, Math.min(1, Math.max(atPart, tokensAtPart)));
  }
}
