package dev.sluice.core.schedule;

import dev.sluice.core.model.JobId;

/** One job's requests, in the order in which they came: what {@link QueuePerJob} keeps. */
public abstract class JobQueue extends RequestQueue implements JobTable.Row {
  private final JobId job;

  /** The reconfiguration that last named the job. */
  long namedBy;

  protected JobQueue(JobId job) {
    this.job = job;
  }

  @Override
  public final JobId job() {
    return job;
  }

  /** The place of its first request in the order of arrival. */
  public final long peekSequence() {
    Request first = peek();
    return first == null ? Long.MAX_VALUE : first.sequence();
  }

  @Override
  public final String toString() {
    return "job " + job;
  }
}
