package dev.sluice.lustre.control;

import dev.sluice.lustre.stats.ServiceStats;

/**
 * What a service says of its own queue in a period, whoever its requests were from. Nobody says how
 * many requests of a job wait; but whether any do is known.
 *
 * @param requests how many it took up; negative where it does not say
 * @param waiting how many waited on average: the time that all of them waited, by that of the
 *     period
 * @param queued how many wait at its end
 * @param inService how many it was serving on average; negative where it does not say
 */
public record QueueFacts(long requests, double waiting, long queued, double inService) {
  /** The service says nothing. */
  public static final QueueFacts UNKNOWN = new QueueFacts(-1, 0, 0, ServiceStats.NOT_SAID);

  /** Who is held back for most of a period has a request waiting for at least half of it. */
  private static final double WAITING_MIN = 0.5;

  private static final double MICROS_PER_NANO = 1e-3;

  /** What was counted in a period. */
  static QueueFacts of(ServiceStats counted, long queued, int partitions, long periodNanos) {
    return new QueueFacts(
        counted.requests(),
        counted.waitedMicros() / (periodNanos * MICROS_PER_NANO),
        queued,
        counted.inService(partitions, periodNanos));
  }

  public boolean isKnown() {
    return requests >= 0;
  }

  /** Whether it says how many requests it was serving. */
  boolean saysInService() {
    return isKnown() && inService >= 0;
  }

  /** Whether a request may have been held back. Where nobody says, it may. */
  public boolean somebodyWaits() {
    return !isKnown() || queued > 0 || waiting >= WAITING_MIN;
  }
}
