package dev.sluice.load.play;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.JobSpec;
import java.util.Map;

/**
 * The books over all that a job's processes ask for and get. What happens after it is closed does
 * not count: the play is over, and only its last answers are still on their way. Safe to use from
 * several threads.
 */
final class JobAccount {
  private static final long NOT_YET = -1;
  private static final long UNKNOWN = -1;

  private final JobSpec spec;
  private final Timeline served;
  private final Latencies requests = new Latencies();
  private final Latencies bursts = new Latencies();

  private boolean closed;
  private long startNanos = NOT_YET;
  private long endNanos = NOT_YET;
  private long outstanding;
  private long bytes;
  private long operations;
  private long ioNanos;
  private long ioSinceNanos;
  private long computeNanos;
  private long computesUntilNanos;

  JobAccount(JobSpec spec, long sampleNanos) {
    this.spec = spec;
    this.served = new Timeline(sampleNanos, Timeline.Merge.SUM);
  }

  /** What a job has got so far. */
  record Progress(long bytes, long operations, long outstanding, boolean started, boolean done) {}

  JobId id() {
    return spec.id();
  }

  synchronized void started(long nowNanos) {
    if (!closed) {
      startNanos = nowNanos;
    }
  }

  /** Its last process is done. */
  synchronized void ended(long nowNanos) {
    if (!closed) {
      endNanos = nowNanos;
    }
  }

  /** It has sent a request. */
  synchronized void asked(long nowNanos) {
    if (!closed && outstanding++ == 0) {
      ioSinceNanos = nowNanos;
    }
  }

  /** A request that was sent at an earlier instant is complete. */
  synchronized void completed(long sentNanos, long requestBytes, long nowNanos) {
    if (closed) {
      return;
    }
    if (--outstanding == 0) {
      ioNanos += nowNanos - ioSinceNanos;
    }
    bytes += requestBytes;
    operations++;
    served.add(nowNanos, (double) requestBytes);
    requests.record(nowNanos - sentNanos);
  }

  /** A burst that began at an earlier instant has all its bytes. */
  synchronized void burstCompleted(long begunNanos, long nowNanos) {
    if (!closed) {
      bursts.record(nowNanos - begunNanos);
    }
  }

  /** One of its processes computes from now for a while; what several do at once counts once. */
  synchronized void computes(long nanos, long nowNanos) {
    if (!closed) {
      long until = nowNanos + nanos;
      computeNanos += Math.max(0, until - Math.max(nowNanos, computesUntilNanos));
      computesUntilNanos = Math.max(computesUntilNanos, until);
    }
  }

  /** Closes the books at the play's end. */
  synchronized void close(long nowNanos) {
    closed = true;
    if (outstanding > 0) {
      ioNanos += nowNanos - ioSinceNanos;
    }
    computeNanos -= Math.max(0, computesUntilNanos - nowNanos);
  }

  synchronized Progress progress() {
    return new Progress(bytes, operations, outstanding, startNanos >= 0, endNanos >= 0);
  }

  /** How long its bursts took, from their beginning to their last byte. */
  synchronized LatencySummary bursts() {
    return bursts.summary();
  }

  /**
   * What became of it, after the books are closed. How long its I/O would have taken with the
   * server to itself nobody knows.
   */
  synchronized JobResult result() {
    return new JobResult(
        spec.id(),
        spec.user(),
        spec.nodes(),
        spec.submitNanos(),
        startNanos,
        endNanos,
        bytes,
        operations,
        ioNanos,
        computeNanos,
        UNKNOWN,
        requests.summary(),
        served,
        Map.of());
  }
}
