package dev.sluice.lustre.standin;

/** What one target has counted of one job. */
final class StandInJob {
  final long startNanos;
  long snapshotNanos;
  long reads;
  long writes;
  long readBytes;
  long writtenBytes;
  long punches;
  long opens;

  StandInJob(long startNanos) {
    this.startNanos = startNanos;
  }
}
