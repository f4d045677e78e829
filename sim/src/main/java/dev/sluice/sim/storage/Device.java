package dev.sluice.sim.storage;

import dev.sluice.sim.engine.Seeds;
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
  private final long seed;

  private long bytesPerSecond;

  /** What the last division by the bandwidth left over, in billionths of a byte. */
  private long remainder;

  private long bandwidthUntilNanos;
  private long freeAtNanos;
  private long servedNanos;

  Device(TargetSpec spec, long seed) {
    this.spec = spec;
    this.variability = spec.variability();
    this.seed = seed;
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

  /** The factor follows from the time alone, so that a busy target and an idle one draw alike. */
  private void drawBandwidth(long atNanos) {
    if (variability == null) {
      return;
    }
    long before = bytesPerSecond;
    long interval = atNanos / variability.everyNanos();
    bytesPerSecond = bytesPerSecond(spec, seed, interval);
    bandwidthUntilNanos = (interval + 1) * variability.everyNanos();
    remainder = (long) ((double) remainder * bytesPerSecond / before);
  }

  /** The bandwidth in an interval of a target's variability. */
  static long bytesPerSecond(TargetSpec spec, long seed, long interval) {
    TargetSpec.Variability variability = spec.variability();
    if (variability == null) {
      return spec.bytesPerSecond();
    }
    double factor = 1 + variability.deviation() * (2 * Seeds.uniform(seed, interval) - 1);
    return Math.max(1, Math.round(spec.bytesPerSecond() * factor));
  }

  /** How long it was serving something by now, which is not before the last request came. */
  long busyNanos(long nowNanos) {
    return servedNanos - Math.max(0, freeAtNanos - nowNanos);
  }
}
