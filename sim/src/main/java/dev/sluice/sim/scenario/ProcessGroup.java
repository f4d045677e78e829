package dev.sluice.sim.scenario;

/**
 * Processes of a job that do the same, each to files of its own.
 *
 * @param delayNanos how long after the job's start they begin
 * @param window how many requests each keeps outstanding at most
 */
public record ProcessGroup(
    int count, long delayNanos, int window, Workload workload, FileLayout layout) {}
