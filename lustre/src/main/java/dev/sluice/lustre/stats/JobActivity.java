package dev.sluice.lustre.stats;

import dev.sluice.lustre.LustreJobId;

/**
 * What a job had a server do in some time, on all its targets together.
 *
 * @param rpcs requests that passed the service
 * @param reads those of them that read data
 * @param writes those of them that wrote data
 */
public record JobActivity(
    LustreJobId job, long rpcs, long reads, long writes, long readBytes, long writtenBytes) {
  /** Requests of which nothing else is known. */
  public static JobActivity of(LustreJobId job, long rpcs) {
    return new JobActivity(job, rpcs, 0, 0, 0, 0);
  }
}
