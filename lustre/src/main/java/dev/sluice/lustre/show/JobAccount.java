package dev.sluice.lustre.show;

import dev.sluice.lustre.control.JobReport;
import dev.sluice.lustre.control.QueueFacts;
import dev.sluice.lustre.stats.JobActivity;

/** What a job was served since it was first seen. Not thread-safe. */
final class JobAccount {
  String user = "";
  long nodes = 1;
  long operations;
  long reads;
  long writes;
  long readBytes;
  long writtenBytes;

  /** How long its requests waited, as far as anybody can tell whose they were. */
  long waitedNanos;

  /** For how long it was at work without being held back. */
  long servedNanos;

  long busyNanos;
  int queued;
  double allowedPerSecond = Double.POSITIVE_INFINITY;
  long seenNanos;

  /**
   * A period is over.
   *
   * @param heldBackRpcs what was served to all jobs that are held back: Lustre does not say whose
   *     requests wait, but those of others do not
   */
  void add(JobReport report, QueueFacts queue, long heldBackRpcs, long periodNanos, long nowNanos) {
    JobActivity activity = report.activity();
    user = report.user();
    nodes = report.nodes();
    operations += report.servedRpcs();
    reads += activity.reads();
    writes += activity.writes();
    readBytes += activity.readBytes();
    writtenBytes += activity.writtenBytes();
    busyNanos += periodNanos;
    allowedPerSecond = report.allowedPerSecond();
    seenNanos = nowNanos;
    if (report.heldBack()) {
      double part = (double) report.servedRpcs() / Math.max(1, heldBackRpcs);
      waitedNanos += Math.round(queue.waiting() * periodNanos * part);
      queued = Math.clamp(Math.round(queue.queued() * part), 1, Integer.MAX_VALUE);
    } else {
      servedNanos += periodNanos;
      queued = 0;
    }
  }
}
