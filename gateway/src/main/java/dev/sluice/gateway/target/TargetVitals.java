package dev.sluice.gateway.target;

/**
 * Signs of life of a target.
 *
 * @param oldestInServiceNanos for how long the request has been in service that was handed out
 *     first; 0 when none is
 * @param handedOut how many requests have had their turn so far
 * @param heldBack whether what waits has a reason to: a rate, a limit, or that all workers are busy
 * @param workers how many threads it should have
 * @param workersAlive how many it has
 */
public record TargetVitals(
    String target,
    int queued,
    int inService,
    long oldestInServiceNanos,
    long handedOut,
    boolean heldBack,
    int workers,
    int workersAlive) {}
