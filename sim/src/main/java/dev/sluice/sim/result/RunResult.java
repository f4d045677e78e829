package dev.sluice.sim.result;

import java.util.List;

/**
 * The outcome of a scenario under one policy. Holds nothing that depends on the machine or the
 * clock on the wall, so that equal runs have equal results.
 *
 * @param endNanos when the simulation ended, in virtual time
 * @param events how many events it took
 * @param decisions how many decisions the policy took, over all targets
 * @param changes how many rates or weights those decisions changed
 */
public record RunResult(
    String scenario,
    String policy,
    long seed,
    long endNanos,
    long events,
    long decisions,
    long changes,
    List<JobResult> jobs,
    List<TargetResult> targets) {
  public RunResult {
    jobs = List.copyOf(jobs);
    targets = List.copyOf(targets);
  }
}
