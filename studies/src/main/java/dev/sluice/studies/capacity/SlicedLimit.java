package dev.sluice.studies.capacity;

/**
 * Lets bytes pass at a rate as Linux holds a group of processes to one: by slices of a tenth of a
 * second. What a slice allows may all pass as it begins; when that is used up, everything waits for
 * the next one. Of what a slice did not need, the one or two before it are remembered: so after a
 * time below the limit more passes, for as long as that lasts.
 */
final class SlicedLimit {
  private static final long SLICE_NANOS = 100_000_000;

  private double bytesPerNano;
  private long startNanos;
  private long endNanos;
  private double passedBytes;
  private long lastNanos;

  /** When these bytes pass that come now, behind what came before. */
  long pass(long bytes, double bytesPerSecond, long nowNanos) {
    long at = Math.max(nowNanos, lastNanos);
    if (bytesPerSecond / 1e9 != bytesPerNano || at > endNanos) {
      // Another limit, or nothing for longer than is remembered.
      bytesPerNano = bytesPerSecond / 1e9;
      startNanos = at;
      passedBytes = 0;
    }
    while (passedBytes + bytes > allowedBytes(at)) {
      double over = passedBytes + bytes - allowedBytes(at);
      at = sliceEndNanos(at) + Math.max(1, Math.round(over / bytesPerNano));
    }
    passedBytes += bytes;
    forget(at);
    endNanos = at + 2 * SLICE_NANOS;
    lastNanos = at;
    return at;
  }

  private long sliceEndNanos(long atNanos) {
    long slices = Math.max(1, Math.ceilDiv(atNanos - startNanos, SLICE_NANOS));
    return startNanos + slices * SLICE_NANOS;
  }

  private double allowedBytes(long atNanos) {
    return (sliceEndNanos(atNanos) - startNanos) * bytesPerNano;
  }

  /** From the third slice on, all but the last one are settled, used or not. */
  private void forget(long atNanos) {
    long slices = (atNanos - startNanos) / SLICE_NANOS;
    if (slices >= 2) {
      long settledNanos = (slices - 1) * SLICE_NANOS;
      startNanos += settledNanos;
      passedBytes = Math.max(0, passedBytes - settledNanos * bytesPerNano);
    }
  }
}
