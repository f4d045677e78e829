package dev.sluice.sim.result;

/**
 * What a target did.
 *
 * @param busyNanos time in which its device was serving something
 * @param capacityBytesPerSecond what it could have moved
 */
public record TargetResult(
    String name,
    long bytes,
    long operations,
    long busyNanos,
    long capacityBytesPerSecond,
    Timeline served,
    Timeline queued) {}
