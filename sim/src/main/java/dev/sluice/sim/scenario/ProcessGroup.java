package dev.sluice.sim.scenario;

import java.util.random.RandomGenerator;

/**
 * Processes of a job that do the same, each to files of its own.
 *
 * @param delayNanos how long after the job's start they begin
 * @param spreadNanos within which time after that each begins, at an instant drawn for it
 * @param window how many requests each keeps outstanding at most
 */
public record ProcessGroup(
    int count,
    long delayNanos,
    long spreadNanos,
    int window,
    Workload workload,
    FileLayout layout) {

  /** Processes that begin at the very same instant. */
  public ProcessGroup(
      int count, long delayNanos, int window, Workload workload, FileLayout layout) {
    this(count, delayNanos, 0, window, workload, layout);
  }

  /** How long after its job's start a process begins, drawn from its own random numbers. */
  public long beginsAfterNanos(RandomGenerator random) {
    return delayNanos + (spreadNanos == 0 ? 0 : random.nextLong(spreadNanos));
  }
}
