package dev.sluice.load.play;

import dev.sluice.core.model.JobId;
import dev.sluice.sim.result.LatencySummary;
import dev.sluice.sim.result.RunResult;
import java.util.Map;

/**
 * What came of a play.
 *
 * @param run the same figures as of a simulation
 * @param bursts how long each job's bursts took, from their beginning to their last byte or the
 *     play's end
 * @param verifiedBytes how many bytes were read back and found to be right; 0 unless asked for
 * @param reconnections how often a connection broke and was made anew
 * @param toldToComeLater how many calls the server told to come later, which they did
 */
public record PlayResult(
    RunResult run,
    Map<JobId, LatencySummary> bursts,
    long verifiedBytes,
    long reconnections,
    long toldToComeLater) {
  public PlayResult {
    bursts = Map.copyOf(bursts);
  }

  /** How long a job's bursts took. */
  public LatencySummary bursts(JobId job) {
    return bursts.getOrDefault(job, LatencySummary.NONE);
  }
}
