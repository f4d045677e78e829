package dev.sluice.sim.result;

/** How long requests took from their arrival to their completion. */
public record LatencySummary(
    long count, long meanNanos, long p50Nanos, long p95Nanos, long p99Nanos, long maxNanos) {
  public static final LatencySummary NONE = new LatencySummary(0, 0, 0, 0, 0, 0);
}
