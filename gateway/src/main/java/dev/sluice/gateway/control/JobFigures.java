package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;

/**
 * What one job did on one target in about a second.
 *
 * @param waitedMillis how long each request that was served waited for its turn, on average
 */
public record JobFigures(
    JobId job,
    long atNanos,
    double readBytesPerSecond,
    double writtenBytesPerSecond,
    double operationsPerSecond,
    double waitedMillis,
    int queued) {
  double bytesPerSecond() {
    return readBytesPerSecond + writtenBytesPerSecond;
  }

  boolean isIdle() {
    return operationsPerSecond == 0 && queued == 0;
  }
}
