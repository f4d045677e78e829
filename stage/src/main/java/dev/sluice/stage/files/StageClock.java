package dev.sluice.stage.files;

/**
 * The clock that agent and library have in common: CLOCK_MONOTONIC, which on Linux is what {@link
 * System#nanoTime} reads.
 */
public final class StageClock {
  private StageClock() {}

  public static long nowNanos() {
    return System.nanoTime();
  }

  /** Refuses a virtual machine whose clock is another one. */
  public static void check() {
    long before = NativeCalls.monotonicNanos();
    long now = System.nanoTime();
    long after = NativeCalls.monotonicNanos();
    if (now - before < 0 || after - now < 0) {
      throw new IllegalStateException(
          "this Java's nanoTime is not the system's monotonic clock: read "
              + now
              + ", expected "
              + before
              + " to "
              + after);
    }
  }
}
