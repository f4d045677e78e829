package dev.sluice.core.policy;

/**
 * How one job was served on one target during a period.
 *
 * @param servedTokens worth of the requests that were served
 * @param oldestWaitNanos for how long the oldest request has waited that still does; 0 where none
 *     does
 * @param latencyNanos within which 99 of 100 requests were served after they came; {@link
 *     #NOT_KNOWN} where none was served
 * @param largestTokens worth of the largest request of late; 0 where nobody looked. It is not told
 *     to who decides elsewhere
 */
public record JobService(
    long servedTokens, long oldestWaitNanos, long latencyNanos, long largestTokens) {
  public static final long NOT_KNOWN = -1;

  /** Nothing was served and nothing waits, or nobody looked. */
  public static final JobService NONE = new JobService(0, 0, NOT_KNOWN, 0);

  /** Where nobody looked how large requests are. */
  public JobService(long servedTokens, long oldestWaitNanos, long latencyNanos) {
    this(servedTokens, oldestWaitNanos, latencyNanos, 0);
  }

  public JobService {
    if (servedTokens < 0 || oldestWaitNanos < 0 || latencyNanos < NOT_KNOWN || largestTokens < 0) {
      throw new IllegalArgumentException(
          servedTokens
              + " tokens served, the oldest request waits for "
              + oldestWaitNanos
              + " ns, served within "
              + latencyNanos
              + " ns, the largest worth "
              + largestTokens);
    }
  }
}
