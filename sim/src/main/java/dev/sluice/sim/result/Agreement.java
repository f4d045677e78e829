package dev.sluice.sim.result;

import dev.sluice.core.model.JobId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How well a simulation foretold what was measured: the same scenario, played by real clients
 * against a real server, gives each job a throughput to hold against the simulated one.
 */
public record Agreement(List<Job> jobs) {
  public Agreement {
    jobs = List.copyOf(jobs);
  }

  /**
   * One job's two figures.
   *
   * @param difference of the simulated from the measured one, as a part of the measured one
   */
  public record Job(
      JobId id, double simulatedBytesPerSecond, double measuredBytesPerSecond, double difference) {}

  /** Compares job by job; both sides must know the same jobs. */
  public static Agreement of(Summary simulated, Map<JobId, Double> measuredBytesPerSecond) {
    List<Job> jobs = new ArrayList<>();
    for (Summary.Job job : simulated.jobs()) {
      Double measured = measuredBytesPerSecond.get(job.id());
      if (measured == null) {
        throw new IllegalArgumentException("job " + job.id() + " was simulated, but not measured");
      }
      double expected = job.bytesPerSecond().orElse(0);
      double difference = expected == measured ? 0 : expected / measured - 1;
      jobs.add(new Job(job.id(), expected, measured, difference));
    }
    if (jobs.size() != measuredBytesPerSecond.size()) {
      throw new IllegalArgumentException(
          measuredBytesPerSecond.size() + " jobs were measured, " + jobs.size() + " simulated");
    }
    return new Agreement(jobs);
  }

  /** The largest difference of any job, as a part of what was measured. */
  public double worst() {
    return jobs.stream().mapToDouble(job -> Math.abs(job.difference())).max().orElse(0);
  }
}
