package dev.sluice.sim.result;

import java.util.List;
import java.util.Map;

/**
 * The outcome of a scenario under one policy. Holds nothing that depends on the machine or the
 * clock on the wall, so that equal runs have equal results.
 *
 * @param endNanos when the simulation ended, in virtual time
 * @param events how many events it took
 * @param decisions how many decisions the policy took, over all targets
 * @param changes how many rates or weights those decisions changed
 * @param totals what the policy said of its decisions as a whole over time, by name, summed over
 *     targets
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
    List<TargetResult> targets,
    Map<String, Timeline> totals) {
  public RunResult {
    jobs = List.copyOf(jobs);
    targets = List.copyOf(targets);
    totals = Map.copyOf(totals);
  }

  /** One whose policy said nothing of its decisions as a whole. */
  public RunResult(
      String scenario,
      String policy,
      long seed,
      long endNanos,
      long events,
      long decisions,
      long changes,
      List<JobResult> jobs,
      List<TargetResult> targets) {
    this(scenario, policy, seed, endNanos, events, decisions, changes, jobs, targets, Map.of());
  }
}
