package dev.sluice.sim.result;

import dev.sluice.core.model.JobId;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * What became of a job.
 *
 * @param startNanos when it started; -1 if it never did
 * @param endNanos when its last process was done; -1 if it was not by the end
 * @param ioNanos time in which it had at least one request outstanding
 * @param computeNanos time it computed, by its own account (0 where its workload has none)
 * @param isolatedIoNanos time its I/O would have taken with the targets to itself; -1 where nobody
 *     knows, because it was measured and not simulated
 * @param bursts how long bursts took, from when they were due until all of their requests were
 *     complete; none where its workload has none
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
    LatencySummary bursts,
    Timeline served,
    Map<String, Timeline> figures) {
  public boolean isDone() {
    return endNanos >= 0;
  }

  /**
   * How fast it was until its end, or until the run's end if it was not done by then, as a part of
   * how fast it would have been with the storage to itself: 1 is undisturbed, and a job that is
   * left waiting comes ever closer to 0. Empty where it never started or nobody can tell.
   */
  public OptionalDouble speed(long runEndNanos) {
    long untilNanos = isDone() ? endNanos : runEndNanos;
    if (startNanos < 0 || isolatedIoNanos < 0 || untilNanos == startNanos) {
      return OptionalDouble.empty();
    }
    double aloneNanos = (double) notWaitingNanos(untilNanos) + isolatedIoNanos;
    return OptionalDouble.of(aloneNanos / (untilNanos - startNanos));
  }

  /**
   * The time until an instant in which it did not wait for storage. Where a workload has pauses
   * that it does not call computing (between bursts, or in a trace), they count as such: a job that
   * sleeps is not slowed down.
   */
  long notWaitingNanos(long nanos) {
    return Math.max(computeNanos, nanos - startNanos - ioNanos);
  }
}
