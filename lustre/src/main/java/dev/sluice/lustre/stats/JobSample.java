package dev.sluice.lustre.stats;

/**
 * One entry of job_stats: what a job had one target do since its counting began.
 *
 * @param target the target's name, such as {@code obdfilter.scratch-OST0000}
 * @param job the job's id, each byte of it a character
 * @param startNanos when counting began, by the server's clock; {@link #START_UNKNOWN} where the
 *     server does not say
 * @param rpcs requests that passed the service
 */
public record JobSample(
    String target, String job, long startNanos, long rpcs, long readBytes, long writtenBytes) {
  public static final long START_UNKNOWN = -1;
}
