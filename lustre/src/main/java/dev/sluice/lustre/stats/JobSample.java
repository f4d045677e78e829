package dev.sluice.lustre.stats;

/**
 * One entry of job_stats: what a job had one target do since its counting began.
 *
 * @param target the target's name, such as {@code obdfilter.scratch-OST0000}
 * @param job the job's id, each byte of it a character
 * @param startNanos when counting began, by the server's clock; {@link #START_UNKNOWN} where the
 *     server does not say
 * @param rpcs requests that passed the service
 * @param reads those of them that read data
 * @param writes those of them that wrote data
 */
public record JobSample(
    String target,
    String job,
    long startNanos,
    long rpcs,
    long reads,
    long writes,
    long readBytes,
    long writtenBytes) {
  public static final long START_UNKNOWN = -1;
}
