package dev.sluice.sim.batch;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.scenario.JobSpec;
import dev.sluice.sim.scenario.Scenario;
import java.util.List;

/** Decides when submitted jobs start. Not thread-safe; the caller brings the time. */
public interface StartOrder {
  /** What a scenario asks for: a queue for its nodes, or none. */
  static StartOrder of(Scenario scenario) {
    return scenario.clusterNodes() > 0
        ? new BatchQueue(scenario.clusterNodes())
        : new ImmediateStart();
  }

  /** A job was submitted. */
  void submitted(JobSpec job, long nowNanos);

  /** A job that was started is over. */
  void ended(JobId job, long nowNanos);

  /** The jobs to start now, each named once, in the order in which they start. */
  List<JobId> startable(long nowNanos);
}
