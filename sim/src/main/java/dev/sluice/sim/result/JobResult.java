package dev.sluice.sim.result;

import dev.sluice.core.model.JobId;
import java.util.Map;

/**
 * What became of a job.
 *
 * @param startNanos when it started; -1 if it never did
 * @param endNanos when its last process was done; -1 if it was not by the end
 * @param ioNanos time in which it had at least one request outstanding
 * @param computeNanos time it computed, by its own account (0 where its workload has none)
 * @param isolatedIoNanos time its I/O would have taken with the targets to itself; -1 where nobody
 *     knows, because it was measured and not simulated
 * @param served bytes completed in each sample
 * @param figures what its policy said of it over time, by name ({@code demand}, {@code allocated},
 *     {@code record} …), summed over targets
 */
public record JobResult(
    JobId id,
    String user,
    long nodes,
    long submitNanos,
    long startNanos,
    long endNanos,
    long bytes,
    long operations,
    long ioNanos,
    long computeNanos,
    long isolatedIoNanos,
    LatencySummary latency,
    Timeline served,
    Map<String, Timeline> figures) {
  public boolean isDone() {
    return endNanos >= 0;
  }
}
