package dev.sluice.core.period;

/**
 * A phase of I/O as a detector saw it.
 *
 * @param bytes what it moved above the background
 */
public record Burst(long beginNanos, long endNanos, double bytes) {}
