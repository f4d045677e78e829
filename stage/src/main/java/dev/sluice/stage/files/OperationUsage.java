package dev.sluice.stage.files;

/** What a job's processes have done of one operation, and how long they waited for it. */
public record OperationUsage(long calls, long bytes, long waits, long waitedNanos) {
  public static final OperationUsage NOTHING = new OperationUsage(0, 0, 0, 0);

  public OperationUsage minus(OperationUsage before) {
    return new OperationUsage(
        calls - before.calls,
        bytes - before.bytes,
        waits - before.waits,
        waitedNanos - before.waitedNanos);
  }
}
