package dev.sluice.gateway.identify;

/** How long all may wait together in each stretch of time. Safe for use by many threads. */
final class WaitBudget {
  private final long spentNanosMax;
  private final long stretchNanos;
  private long sinceNanos;
  private long spentNanos;

  WaitBudget(long spentNanosMax, long stretchNanos, long nowNanos) {
    this.spentNanosMax = spentNanosMax;
    this.stretchNanos = stretchNanos;
    this.sinceNanos = nowNanos;
  }

  synchronized boolean isLeft(long nowNanos) {
    moveOn(nowNanos);
    return spentNanos < spentNanosMax;
  }

  synchronized void spend(long nanos, long nowNanos) {
    moveOn(nowNanos);
    spentNanos += nanos;
  }

  private void moveOn(long nowNanos) {
    if (nowNanos - sinceNanos >= stretchNanos) {
      sinceNanos = nowNanos;
      spentNanos = 0;
    }
  }
}
