package dev.sluice.sim.scenario;

import dev.sluice.core.model.Target;
import org.jspecify.annotations.Nullable;

/**
 * A storage target: a device that serves one request after another, and threads that each hand it
 * one request at a time.
 *
 * @param told what policies are told of it: its name, capacity and what a token stands for
 * @param bytesPerSecond what the device moves
 * @param operationNanos what each operation costs the device on top of its bytes
 * @param latencyNanos what each request takes besides, overlapping with others
 * @param threads how many requests are in service at once: what they hold cannot be reordered
 * @param found whether what it can do is found out while it is used; until then policies are told
 *     that it can do anything
 */
public record TargetSpec(
    Target told,
    long bytesPerSecond,
    long operationNanos,
    long latencyNanos,
    int threads,
    @Nullable Variability variability,
    boolean found) {

  /** A target whose capacity is told. */
  public TargetSpec(
      Target told,
      long bytesPerSecond,
      long operationNanos,
      long latencyNanos,
      int threads,
      @Nullable Variability variability) {
    this(told, bytesPerSecond, operationNanos, latencyNanos, threads, variability, false);
  }

  /**
   * A bandwidth that is not constant: every so often a factor is drawn anew, evenly from {@code 1 −
   * deviation} to {@code 1 + deviation}.
   */
  public record Variability(double deviation, long everyNanos) {}

  public String name() {
    return told.name();
  }
}
