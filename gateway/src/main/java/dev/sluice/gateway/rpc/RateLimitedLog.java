package dev.sluice.gateway.rpc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A log that strangers cannot fill: one line a second, which says how many there were. */
final class RateLimitedLog {
  private static final long INTERVAL_NANOS = 1_000_000_000L;

  private final Logger log;
  private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
  private final AtomicLong leftOut = new AtomicLong();

  RateLimitedLog(Logger log) {
    this.log = log;
  }

  void log(Level level, String message, @Nullable Throwable thrown) {
    long now = System.nanoTime();
    long next = nextNanos.get();
    if (now - next < 0 || !nextNanos.compareAndSet(next, now + INTERVAL_NANOS)) {
      leftOut.incrementAndGet();
      return;
    }
    long missing = leftOut.getAndSet(0);
    log.log(level, missing == 0 ? message : message + " (and " + missing + " more)", thrown);
  }
}
