package dev.sluice.core.schedule.iosets;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestQueue;

/** One job's requests, in the order in which they came, and its standing in its set. */
final class JobQueue extends RequestQueue implements JobTable.Row {
  private final JobId job;
  JobSet set;

  /** Its place in the order of ids. */
  int rank;

  /** The reconfiguration that last named the job. */
  long namedBy;

  /** Since when it has something queued and was not served. */
  long unservedSinceNanos;

  /** What it was served since it last had nothing queued. */
  long phaseTokens;

  /** Its place among those of its set that wait; it may stand there too early, never too late. */
  final Waiting waiting = new Waiting(this);

  /** Orders the jobs of a set by how long they wait. */
  static final class Waiting extends IndexedHeap.Entry {
    final JobQueue queue;

    private Waiting(JobQueue queue) {
      this.queue = queue;
    }
  }

  JobQueue(JobId job, JobSet set) {
    this.job = job;
    this.set = set;
  }

  @Override
  public JobId job() {
    return job;
  }

  /** The place of its first request in the order of arrival. */
  long peekSequence() {
    Request first = peek();
    return first == null ? Long.MAX_VALUE : first.sequence();
  }

  @Override
  public String toString() {
    return "job " + job;
  }
}
