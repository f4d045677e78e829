package dev.sluice.core.schedule.fair;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.RequestQueue;
import org.jspecify.annotations.Nullable;

/** The share of one job, with its requests in the order in which they came. */
final class Leaf extends Share implements JobTable.Row {
  private final JobId job;

  /** By which it was placed in the tree. */
  Flow flow;

  final RequestQueue queue = new RequestQueue();

  /** When it comes back from having nothing queued; null where nobody asks. */
  @Nullable Absence absence;

  /** Its reserve and its limit; null where it has neither, as most jobs do. */
  @Nullable Terms terms;

  /** Whether what is queued must wait because the job is at its limit. */
  boolean heldBack;

  /** The reconfiguration that last named the job. */
  long namedBy;

  Leaf(Flow flow, Group parent, long weight) {
    super(parent, weight);
    this.job = flow.job();
    this.flow = flow;
  }

  @Override
  public JobId job() {
    return job;
  }

  @Override
  boolean isBacklogged() {
    return !queue.isEmpty() && !heldBack;
  }

  @Override
  public String toString() {
    return "job " + job;
  }
}
