package dev.sluice.sim.result;

/**
 * How long requests took from their arrival to their completion. Those that still waited at the end
 * count with their age by then: without them whoever is served least would look best.
 *
 * @param count all of them, whether complete or not
 * @param waiting how many of them were not complete at the end
 * @param oldestWaitNanos the age of the oldest of these; 0 where none waited
 */
public record LatencySummary(
    long count,
    long waiting,
    long oldestWaitNanos,
    long meanNanos,
    long p50Nanos,
    long p95Nanos,
    long p99Nanos,
    long maxNanos) {
  public static final LatencySummary NONE = new LatencySummary(0, 0, 0, 0, 0, 0, 0, 0);
}
