package dev.sluice.lustre.standin;

import java.util.HashMap;
import java.util.Map;

/** What one target has counted of one job. */
final class StandInJob {
  final long startNanos;
  long snapshotNanos;
  long reads;
  long writes;
  long readBytes;
  long writtenBytes;
  long punches;

  /** Operations on metadata, by name. */
  final Map<String, Long> operations = new HashMap<>();

  StandInJob(long startNanos) {
    this.startNanos = startNanos;
  }
}
