package dev.sluice.core.capacity;

/**
 * What a service showed of one period, all of it sums or means: it has a queue of its own, whose
 * order is nobody's but its own, and says nothing of single requests.
 *
 * @param served how many requests it served
 * @param inService how many it was serving at once, in the mean
 * @param waiting how many waited to be taken up, in the mean
 * @param heldBack whether any of these waited because the service is given no more
 */
public record ServicePeriod(
    double served, double inService, double waiting, boolean heldBack, long periodNanos) {
  private static final double NANOS_PER_SECOND = 1e9;

  public ServicePeriod {
    if (!(served >= 0) || !(inService >= 0) || !(waiting >= 0) || periodNanos < 1) {
      throw new IllegalArgumentException(
          "expected a period with nothing below zero, not "
              + served
              + " served, "
              + inService
              + " in service and "
              + waiting
              + " waiting in "
              + periodNanos
              + " ns");
    }
  }

  double seconds() {
    return periodNanos / NANOS_PER_SECOND;
  }

  double perSecond() {
    return served / seconds();
  }

  /** How long a request was in service, in the mean, by Little's law. */
  double tookSeconds() {
    return inService / perSecond();
  }
}
