package dev.sluice.core.capacity;

/**
 * Tells how long a storage stood still: requests were in it, and none was done. It also keeps count
 * of how much of the time that was, so that single moments are told from many.
 *
 * <p>Of a hundred requests of a light job, one may meet a stall before anybody calls it slow: a
 * little less of the time is forgiven as it passes, and {@link #FORGIVEN_NANOS} at once.
 */
final class Stalls {
  private static final double FORGIVEN_PART = 0.008;
  private static final double FORGIVEN_NANOS = 30_000_000;

  private int inService;
  private long quietSinceNanos;
  private double stalledNanos;
  private long countedNanos;

  Stalls(long nowNanos) {
    this.quietSinceNanos = nowNanos;
    this.countedNanos = nowNanos;
  }

  void handedOut(long nowNanos) {
    if (inService == 0) {
      quietSinceNanos = nowNanos;
    }
    inService++;
  }

  /** A request is done; answers for how long none was before it. */
  long completed(long nowNanos) {
    long quietNanos = nowNanos - quietSinceNanos;
    quietSinceNanos = nowNanos;
    inService = Math.max(0, inService - 1);
    return quietNanos;
  }

  /** It stood still for so long; answers whether it has done so for too long by now. */
  boolean add(long nanos, long nowNanos) {
    long passedNanos = nowNanos - countedNanos;
    stalledNanos = Math.max(0, stalledNanos - FORGIVEN_PART * passedNanos) + nanos;
    countedNanos = nowNanos;
    return stalledNanos > FORGIVEN_NANOS;
  }

  /** Something was done about it. */
  void forget() {
    stalledNanos = 0;
  }
}
