package dev.sluice.core.capacity;

import dev.sluice.core.model.Rate;

/**
 * What somebody knows of a storage. It always wins over what is found out.
 *
 * @param leastPerSecond tokens a second that it is believed to serve whatever is seen
 * @param mostPerSecond tokens a second that it is never given more of
 * @param depthMax how many requests it is given at once, at most
 */
public record CapacityBounds(long leastPerSecond, long mostPerSecond, int depthMax) {
  public CapacityBounds {
    if (leastPerSecond < 1
        || mostPerSecond < leastPerSecond
        || mostPerSecond > Rate.TOKENS_PER_SECOND_MAX) {
      throw new IllegalArgumentException(
          "a capacity is found between 1 and "
              + Rate.TOKENS_PER_SECOND_MAX
              + " tokens/s, not between "
              + leastPerSecond
              + " and "
              + mostPerSecond);
    }
    if (depthMax < 1) {
      throw new IllegalArgumentException("at least one request is served at once, not " + depthMax);
    }
  }

  /** Nobody knows anything but how many requests can be served at once. */
  public static CapacityBounds none(int depthMax) {
    return new CapacityBounds(1, Rate.TOKENS_PER_SECOND_MAX, depthMax);
  }

  double within(double perSecond) {
    return Math.clamp(perSecond, (double) leastPerSecond, (double) mostPerSecond);
  }
}
