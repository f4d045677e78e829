package dev.sluice.load.play;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.JobResult;
import dev.sluice.sim.result.Latencies;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.Timeline;
import dev.sluice.sim.scenario.JobSpec;
import java.util.HashMap;
import java.util.Map;

/**
 * The books over all that a job's processes ask for and get. What happens after it is closed does
 * not count: the play is over, and only its last answers are still on their way. What these have
 * taken by then counts, lest a server look fast that never answers. Safe to use from several
 * threads.
 */
final class JobAccount {
  private static final long NOT_YET = -1;
  private static final long UNKNOWN = -1;

  private final JobSpec spec;
  private final Timeline served;
  private final Latencies requests = new Latencies();
  private final Latencies bursts = new Latencies();

  /** How many requests without an answer were sent at each instant; as for bursts. */
  private final Map<Long, Integer> requestsSince = new HashMap<>();

  private final Map<Long, Integer> burstsSince = new HashMap<>();

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
    if (closed) {
      return;
    }
    if (outstanding++ == 0) {
      ioSinceNanos = nowNanos;
    }
    begin(requestsSince, nowNanos);
  }

  private static void begin(Map<Long, Integer> since, long nowNanos) {
    since.merge(nowNanos, 1, Integer::sum);
  }

  private static void end(Map<Long, Integer> since, long begunNanos) {
    since.computeIfPresent(begunNanos, (_, count) -> count == 1 ? null : count - 1);
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
    requests.completed(nowNanos - sentNanos, 1);
    end(requestsSince, sentNanos);
  }

  /** A burst begins. */
  synchronized void burstBegun(long nowNanos) {
    if (!closed) {
      begin(burstsSince, nowNanos);
    }
  }

  /** A burst that began at an earlier instant has all its bytes. */
  synchronized void burstCompleted(long begunNanos, long nowNanos) {
    if (!closed) {
      bursts.completed(nowNanos - begunNanos, 1);
      end(burstsSince, begunNanos);
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
    requestsSince.forEach((since, count) -> requests.waiting(age(since, nowNanos), count));
    burstsSince.forEach((since, count) -> bursts.waiting(age(since, nowNanos), count));
  }

  /** Who sends reads the clock before it has the lock, and may read it after the play's end. */
  private static long age(long sinceNanos, long nowNanos) {
    return Math.max(0, nowNanos - sinceNanos);
  }

  synchronized Progress progress() {
    return new Progress(bytes, operations, outstanding, startNanos >= 0, endNanos >= 0);
  }

  /** How long its bursts took, from their beginning to their last byte or the play's end. */
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
        LatencySummary.NONE,
        served,
        Map.of());
  }
}
