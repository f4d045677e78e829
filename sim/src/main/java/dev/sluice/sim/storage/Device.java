package dev.sluice.sim.storage;

import dev.sluice.sim.scenario.TargetSpec;
import org.jspecify.annotations.Nullable;

/**
 * What moves the bytes of a target: one request after another, each for its operations' and its
 * bytes' time.
 *
 * <p>Theorem. While it is never idle and its bandwidth is constant, the time for any sequence of
 * requests is {@code ⌊Σ bytes / bandwidth⌋ + Σ operations × operationNanos}: fractions of a
 * nanosecond are carried from one request to the next.
 */
final class Device {
  static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final TargetSpec spec;
  private final TargetSpec.@Nullable Variability variability;
  private final Bandwidth bandwidth;

  private long bytesPerSecond;

  /** What the last division by the bandwidth left over, in billionths of a byte. */
  private long remainder;

  private long bandwidthUntilNanos;
  private long freeAtNanos;
  private long servedNanos;

  Device(TargetSpec spec, long seed) {
    this.spec = spec;
    this.variability = spec.variability();
    this.bandwidth = new Bandwidth(spec, seed);
    this.bytesPerSecond = spec.bytesPerSecond();
    this.bandwidthUntilNanos = variability == null ? Long.MAX_VALUE : 0;
  }

  /** Takes a request in; answers when it is done with it. */
  long serve(SimRequest request, long nowNanos) {
    long start = Math.max(nowNanos, freeAtNanos);
    if (start >= bandwidthUntilNanos) {
      drawBandwidth(start);
    }
    long billionths = request.bytes() * NANOS_PER_SECOND + remainder;
    remainder = billionths % bytesPerSecond;
    request.serviceNanos =
        spec.operationNanos() * request.operations() + billionths / bytesPerSecond;
    servedNanos += request.serviceNanos;
    freeAtNanos = start + request.serviceNanos;
    return freeAtNanos;
  }

  private void drawBandwidth(long atNanos) {
    if (variability == null) {
      return;
    }
    long before = bytesPerSecond;
    bytesPerSecond = bandwidth.bytesPerSecond(atNanos);
    bandwidthUntilNanos = (atNanos / variability.everyNanos() + 1) * variability.everyNanos();
    remainder = (long) ((double) remainder * bytesPerSecond / before);
  }

  /** How long it was serving something by now, which is not before the last request came. */
  long busyNanos(long nowNanos) {
    return servedNanos - Math.max(0, freeAtNanos - nowNanos);
  }
}
