package dev.sluice.stage.files;

/** What a job's processes have done of one operation, and how long they waited for it. */
public record OperationUsage(long calls, long bytes, long waits, long waitedNanos) {
  public static final OperationUsage NOTHING = new OperationUsage(0, 0, 0, 0);

  /** What came since; nothing where a job has set its counters back. */
  public OperationUsage minus(OperationUsage before) {
    return new OperationUsage(
        Math.max(0, calls - before.calls),
        Math.max(0, bytes - before.bytes),
        Math.max(0, waits - before.waits),
        Math.max(0, waitedNanos - before.waitedNanos));
  }
}
