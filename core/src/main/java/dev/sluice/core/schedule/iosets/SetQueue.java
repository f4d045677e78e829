package dev.sluice.core.schedule.iosets;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.JobQueue;

/** One job's requests, in the order in which they came, and its standing in its set. */
final class SetQueue extends JobQueue {
  JobSet set;

  /** Its place in the order of ids. */
  int place;

  /** The place, in the order of arrival, of the request with which it began to have some queued. */
  long joinedSequence;

  /** What its turn goes by while it has something queued; the smallest is first. */
  long rank;

  /** When it was last served, or since when it waits for that if it had nothing queued then. */
  long unservedSinceNanos;

  /** What it was served in its phase of I/O so far. */
  long phaseTokens;

  /** Its place among those of its set that wait; it may stand there too early, never too late. */
  final Waiting waiting = new Waiting(this);

  /** Orders the jobs of a set by how long they wait. */
  static final class Waiting extends IndexedHeap.Entry {
    final SetQueue queue;

    private Waiting(SetQueue queue) {
      this.queue = queue;
    }
  }

  SetQueue(JobId job, JobSet set) {
    super(job);
    this.set = set;
  }
}
