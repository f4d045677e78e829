package dev.sluice.lustre.control;

import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * Lets jobs have more than was decided, because a decision is old before the next one holds: who
 * ended its burst meanwhile leaves what nobody else may have, and who begins one is held to a rate
 * for a job that does little. So rates add up to more than the capacity; how much that is goes by
 * how old decisions become. While all jobs use what they may have, the server's own capacity bounds
 * them, and those that have least lose least. Not thread-safe.
 */
final class Overbooking {
  /** Even rates that are written at once hold for a period. */
  private static final double LEAST_PART = 0.2;

  /** By how much more for each part of the time by which decisions are older than a period. */
  private static final double STALE_GAIN = 5;

  /** How much of what a period shows of the next ones is believed. */
  private static final double MEAN_GAIN = 0.2;

  private double lateness;

  /** A decision held for so long, and should have for so long. */
  void observe(long heldNanos, long periodNanos) {
    double later = 1 - (double) periodNanos / Math.max(heldNanos, periodNanos);
    lateness += MEAN_GAIN * (later - lateness);
  }

  /** How much of what is left jobs may have besides, from nothing to all. */
  double part() {
    return Math.min(1, LEAST_PART + STALE_GAIN * lateness);
  }

  /**
   * Raises what active jobs may have.
   *
   * <p>Theorem. Nobody has less than before, and no more than that or {@link #part} of what all
   * others that are active would leave of the capacity, each of which takes its share by nodes or
   * what it is guaranteed. Jobs that paused count for the shares, the less the longer they did. So
   * where none pauses and nothing is guaranteed nobody has more than that or its share.
   *
   * @param guaranteed what a job is guaranteed, per second
   */
  void raise(
      Collection<ManagedJob> jobs,
      double capacityPerSecond,
      ToDoubleFunction<ManagedJob> guaranteed) {
    double nodes = 0;
    for (ManagedJob job : jobs) {
      double there = (double) Math.max(0, LustreControl.LINGER_PERIODS - job.idlePeriods);
      nodes += job.nodes * (job.isActive() ? 1 : there / LustreControl.LINGER_PERIODS);
    }
    double[] shares = new double[jobs.size()];
    double taken = 0;
    int i = 0;
    for (ManagedJob job : jobs) {
      double share = capacityPerSecond * job.nodes / nodes;
      shares[i] = job.isActive() ? Math.max(share, guaranteed.applyAsDouble(job)) : 0;
      taken += shares[i];
      i++;
    }
    i = 0;
    for (ManagedJob job : jobs) {
      if (job.isActive()) {
        double left = capacityPerSecond - (taken - shares[i]);
        job.perSecond = Math.max(job.perSecond, part() * left);
      }
      i++;
    }
  }
}
