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
  int place;

  /** The place, in the order of arrival, of the request with which it began to have some queued. */
  long joinedSequence;

  /** What its turn goes by while it has something queued; the smallest is first. */
  long rank;

  /** The reconfiguration that last named the job. */
  long namedBy;

  /** When it was last served, or since when it waits for that if it had nothing queued then. */
  long unservedSinceNanos;

  /** What it was served in its phase of I/O so far. */
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
