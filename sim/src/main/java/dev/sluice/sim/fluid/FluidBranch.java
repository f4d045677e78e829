package dev.sluice.sim.fluid;

import dev.sluice.core.schedule.ShareGrouping;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A group of jobs and groups that divide what it gets by their weights, as start-time fair queueing
 * does at every level of its tree: what one does not want goes to the others of its group first. A
 * branch has at least what is reserved for its jobs, and they have that of it.
 */
final class FluidBranch {
  private final double weight;
  private final Map<String, FluidBranch> groups = new LinkedHashMap<>();
  private final List<FluidClaim> jobs = new ArrayList<>();
  private final List<Double> jobWeights = new ArrayList<>();
  private final List<Double> jobReserves = new ArrayList<>();
  private double mostNanos;
  private double reservedNanos;

  FluidBranch(double weight) {
    this.weight = weight;
  }

  /** One more job, in the group where it belongs. */
  void add(FluidClaim job, double jobWeight, double reserveNanos, ShareGrouping grouping) {
    FluidBranch branch = this;
    branch.expect(job, reserveNanos);
    for (int depth = 1; depth <= job.branch.size(); depth++) {
      double groupWeight = (double) grouping.weight(job.branch.subList(0, depth));
      branch =
          branch.groups.computeIfAbsent(
              job.branch.get(depth - 1), _ -> new FluidBranch(groupWeight));
      branch.expect(job, reserveNanos);
    }
    branch.jobs.add(job);
    branch.jobWeights.add(jobWeight);
    branch.jobReserves.add(reserveNanos);
  }

  private void expect(FluidClaim job, double reserveNanos) {
    mostNanos += job.mostNanos();
    reservedNanos += Math.min(reserveNanos, job.mostNanos());
  }

  /**
   * Divides device time.
   *
   * @param atPart at which part of the period all of it is had; 0 to 1
   */
  void grant(double nanos, double atPart) {
    DividedTime division = new DividedTime(jobs.size() + groups.size());
    for (int i = 0; i < jobs.size(); i++) {
      division.add(jobWeights.get(i), jobs.get(i).mostNanos(), jobReserves.get(i));
    }
    for (FluidBranch group : groups.values()) {
      division.add(group.weight, group.mostNanos, group.reservedNanos);
    }
    division.divide(nanos);
    int index = 0;
    for (FluidClaim job : jobs) {
      job.grantWithinLimit(division.part(index), atPart * division.doneAtPart(index));
      index++;
    }
    for (FluidBranch group : groups.values()) {
      group.grant(division.part(index), atPart * division.doneAtPart(index));
      index++;
    }
  }
}
