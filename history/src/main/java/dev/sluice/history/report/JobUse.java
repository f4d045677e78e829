package dev.sluice.history.report;

/**
 * What a job, or all jobs of a user, did in a stretch of history.
 *
 * @param name the job or user
 * @param user whose it is; of a user, the same
 * @param jobs how many jobs it stands for
 * @param waitedMicros how long its requests waited, summed over them, whether they have had their
 *     turn or still wait
 * @param queuedMax the most of its requests that waited at any look
 * @param busyMillis for how long it did or wanted something, on the target where that was longest
 * @param heldBackMillis for how long its requests had to wait noticeably, likewise
 * @param limitedMillis for how long it was given a limit by its policy and used most of it
 */
public record JobUse(
    String name,
    String user,
    int jobs,
    long operations,
    long readBytes,
    long writtenBytes,
    long waitedMicros,
    int queuedMax,
    long busyMillis,
    long heldBackMillis,
    long limitedMillis) {
  public long bytes() {
    return readBytes + writtenBytes;
  }

  /** How long a request of it waited, on average over those that had their turn or still wait. */
  public long meanWaitMicros() {
    return waitedMicros / Math.max(1, Math.max(operations, queuedMax));
  }
}
