package dev.sluice.app.neighbours;

import dev.sluice.load.client.Handle;
import dev.sluice.load.client.NfsClient;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Latencies in order of size. */
final class Measured {
  private static final int PATIENCE_SECONDS = 120;

  private final long[] nanos;

  private Measured(long[] nanos) {
    this.nanos = nanos;
  }

  static Measured of(long[] nanos) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return new Measured(sorted);
  }

  /** How long one GETATTR takes. */
  static long getAttributesNanos(NfsClient client, Handle file) throws Exception {
    long sent = System.nanoTime();
    client.attributes(file).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    return System.nanoTime() - sent;
  }

  double p50Millis() {
    return nanos[nanos.length / 2] / 1e6;
  }

  double p99Millis() {
    return nanos[nanos.length * 99 / 100] / 1e6;
  }

  double maxMillis() {
    return nanos[nanos.length - 1] / 1e6;
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "p50 %.2f ms, p99 %.2f ms, max %.1f ms of %d",
        p50Millis(),
        p99Millis(),
        maxMillis(),
        nanos.length);
  }
}
