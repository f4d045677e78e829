package dev.sluice.core.policy;

import dev.sluice.core.model.JobId;

/**
 * Counts what one job wants of one target: what arrived in this period, and what arrived earlier
 * and still waits. Not thread-safe; the caller numbers the periods and remembers with each request
 * in which one it arrived.
 *
 * <p>Theorem. If every request is told once as arrived and once as dispatched, then {@link #demand}
 * names exactly the worth of all that arrived since {@link #beginPeriod}, and the worth of all that
 * arrived before it and waits now; no request counts in both. What requests are told to have cost
 * beyond their worth counts as arrived when it is told.
 */
public final class DemandMeter {
  /** Worth of what arrived in this period. */
  private long arrivedTokens;

  /** Worth of what waits. */
  private long queuedTokens;

  /** Worth of what waits and came before this period. */
  private long backlogTokens;

  /** Worth of what was served in this period. */
  private long servedTokens;

  /** Worth of the largest request of this period, and of the last one before that had any. */
  private long largestTokens;

  private long largestBeforeTokens;

  /** Since the last {@link #look}: worth of what no longer waits, and what it cost beyond that. */
  private long dispatchedSinceLookTokens;

  private long dearerSinceLookTokens;

  /** Worth of what waited then. */
  private long queuedAtLookTokens;

  private final LatencyQuantile latency = new LatencyQuantile();

  /** A request came and waits. */
  public void arrived(long tokens) {
    arrivedTokens += tokens;
    queuedTokens += tokens;
    largestTokens = Math.max(largestTokens, tokens);
  }

  /** A request no longer waits. */
  public void dispatched(long tokens, boolean arrivedInThisPeriod) {
    queuedTokens -= tokens;
    dispatchedSinceLookTokens += tokens;
    if (!arrivedInThisPeriod) {
      backlogTokens -= tokens;
    }
  }

  /** A request that no longer waits turned out to cost so much more than it arrived with. */
  public void turnedOutDearer(long tokens) {
    arrivedTokens += tokens;
    dearerSinceLookTokens += tokens;
  }

  /** A request of this worth was served so long after it came. */
  public void served(long tokens, long latencyNanos) {
    servedTokens += tokens;
    latency.add(latencyNanos);
  }

  /** Begins to count anew. */
  public void beginPeriod() {
    arrivedTokens = 0;
    servedTokens = 0;
    if (largestTokens > 0) {
      largestBeforeTokens = largestTokens;
      largestTokens = 0;
    }
    latency.clear();
    backlogTokens = queuedTokens;
  }

  /**
   * What the job wanted in the period so far, and how it was served.
   *
   * @param oldestWaitNanos for how long the oldest of its requests that wait has done so
   */
  public JobDemand demand(JobId job, long nodes, long oldestWaitNanos) {
    return new JobDemand(
            job,
            nodes,
            Math.min(arrivedTokens, JobDemand.TOKENS_MAX),
            Math.min(backlogTokens, JobDemand.TOKENS_MAX))
        .withService(
            new JobService(
                servedTokens,
                oldestWaitNanos,
                latency.nanos(),
                Math.max(largestTokens, largestBeforeTokens)));
  }

  /**
   * What the job wanted since the last look, whatever period it is; periods do not notice. How it
   * was served is not told.
   *
   * <p>Theorem. Names exactly the worth of all that arrived since the last look, with what requests
   * were told to have cost beyond their worth; and, where a job's requests are handed out in the
   * order in which they came, of all that arrived before it and waits now.
   */
  public JobDemand look(JobId job, long nodes) {
    long came = dispatchedSinceLookTokens + queuedTokens - queuedAtLookTokens;
    long backlog = Math.max(0, queuedAtLookTokens - dispatchedSinceLookTokens);
    JobDemand demand =
        new JobDemand(
            job,
            nodes,
            Math.clamp(came + dearerSinceLookTokens, 0, JobDemand.TOKENS_MAX),
            Math.min(backlog, JobDemand.TOKENS_MAX));
    dispatchedSinceLookTokens = 0;
    dearerSinceLookTokens = 0;
    queuedAtLookTokens = queuedTokens;
    return demand;
  }

  /** Worth of what waits. */
  public long queuedTokens() {
    return queuedTokens;
  }

  /** Whether nothing waits and nothing came in this period. */
  public boolean isIdle() {
    return queuedTokens == 0 && arrivedTokens == 0;
  }

  /** Throws {@link IllegalStateException} where the counts contradict each other. */
  public void checkInvariants() {
    if (backlogTokens < 0 || backlogTokens > queuedTokens || arrivedTokens < 0) {
      throw new IllegalStateException(
          backlogTokens
              + " of "
              + queuedTokens
              + " queued tokens came before this period, "
              + arrivedTokens
              + " in it");
    }
  }
}
