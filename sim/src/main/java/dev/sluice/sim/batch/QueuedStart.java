package dev.sluice.sim.batch;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.scenario.JobSpec;
import java.util.List;

/** Starts jobs when the batch queue has nodes for them. */
final class QueuedStart implements StartOrder {
  private final BatchQueue queue;

  QueuedStart(long nodes) {
    queue = new BatchQueue(nodes);
  }

  @Override
  public void submitted(JobSpec job, long nowNanos) {
    queue.submit(job);
  }

  @Override
  public void ended(JobId job, long nowNanos) {
    queue.ended(job);
  }

  @Override
  public List<JobId> startable(long nowNanos) {
    return queue.start(nowNanos);
  }
}
