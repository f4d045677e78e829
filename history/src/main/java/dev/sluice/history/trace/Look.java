package dev.sluice.history.trace;

import java.util.List;

/**
 * What jobs did between two looks at a gateway, a tenth of a second or so apart.
 *
 * @param endNanos when it ended, since the trace began
 * @param spanNanos how long it was
 * @param rows a line for each job and target where something was done or wanted
 */
public record Look(long endNanos, long spanNanos, List<Row> rows) {
  public Look {
    rows = List.copyOf(rows);
  }

  /**
   * What a job did on a target, by class of operation.
   *
   * @param others operations that are neither reads nor writes
   * @param waitedNanos how long requests that were served had waited, summed over them
   * @param servedNanos how long serving them took, summed over them
   * @param busyNanos for how long at least one request was there
   * @param outstanding requests that waited or were being served at the end
   */
  public record Row(
      TracedTarget target,
      TracedJob job,
      long reads,
      long readBytes,
      long writes,
      long writtenBytes,
      long others,
      long waitedNanos,
      long servedNanos,
      long busyNanos,
      int outstanding) {
    public long operations() {
      return reads + writes + others;
    }

    public long bytes() {
      return readBytes + writtenBytes;
    }
  }
}
