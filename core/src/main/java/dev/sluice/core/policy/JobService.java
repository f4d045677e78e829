package dev.sluice.core.policy;

/**
 * How one job was served on one target during a period.
 *
 * @param servedTokens worth of the requests that were served
 * @param oldestWaitNanos for how long the oldest request has waited that still does; 0 where none
 *     does
 * @param latencyNanos within which 99 of 100 requests were served after they came; {@link
 *     #NOT_KNOWN} where none was served
 */
public record JobService(long servedTokens, long oldestWaitNanos, long latencyNanos) {
  public static final long NOT_KNOWN = -1;

  /** Nothing was served and nothing waits, or nobody looked. */
  public static final JobService NONE = new JobService(0, 0, NOT_KNOWN);

  public JobService {
    if (servedTokens < 0 || oldestWaitNanos < 0 || latencyNanos < NOT_KNOWN) {
      throw new IllegalArgumentException(
          servedTokens
              + " tokens served, the oldest request waits for "
              + oldestWaitNanos
              + " ns, served within "
              + latencyNanos
              + " ns");
    }
  }
}
