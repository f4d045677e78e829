package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;

/**
 * What one job did on one target in about a second.
 *
 * @param waitedMillis how long each request that had its turn waited for it, or still waits, on
 *     average
 * @param oldestWaitMillis for how long the oldest has waited that still does; 0 where none does
 */
public record JobFigures(
    JobId job,
    long atNanos,
    double readBytesPerSecond,
    double writtenBytesPerSecond,
    double operationsPerSecond,
    double waitedMillis,
    int queued,
    double oldestWaitMillis) {
  double bytesPerSecond() {
    return readBytesPerSecond + writtenBytesPerSecond;
  }

  boolean isIdle() {
    return operationsPerSecond == 0 && queued == 0;
  }
}
