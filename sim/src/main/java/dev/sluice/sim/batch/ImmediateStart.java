package dev.sluice.sim.batch;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.scenario.JobSpec;
import java.util.ArrayList;
import java.util.List;

/** Starts every job when it is submitted. */
final class ImmediateStart implements StartOrder {
  private final List<JobId> waiting = new ArrayList<>();

  @Override
  public void submitted(JobSpec job, long nowNanos) {
    waiting.add(job.id());
  }

  /** Nobody waits for nodes. */
  @Override
  public void ended(JobId job, long nowNanos) {}

  @Override
  public List<JobId> startable(long nowNanos) {
    List<JobId> started = List.copyOf(waiting);
    waiting.clear();
    return started;
  }
}
