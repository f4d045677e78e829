package dev.sluice.history.sample;

import dev.sluice.history.model.Sample;

/** One job's samples added up, or those of many jobs. Not thread-safe. */
final class JobSum {
  private final String id;
  private String user = "";
  private long weight = 1;
  private long operations;
  private long readBytes;
  private long writtenBytes;
  private long waitedMicros;
  private int queued;
  private int heldBackMillis;

  /** What it was allowed, summed over the time in which it was limited. */
  private double allowedTokens;

  private long limitedMillis;

  JobSum(String id) {
    this.id = id;
  }

  /**
   * Adds a sample.
   *
   * @param spanMillis how long it was; 0 where samples of the same stretch are added
   */
  void add(Sample.OfJob job, int spanMillis) {
    boolean many = id.equals(Sample.OTHERS);
    user = many ? "" : job.user();
    weight = many ? 1 : job.weight();
    operations += job.operations();
    readBytes += job.readBytes();
    writtenBytes += job.writtenBytes();
    waitedMicros += job.waitedMicros();
    queued = many && spanMillis == 0 ? queued + job.queued() : Math.max(queued, job.queued());
    heldBackMillis =
        spanMillis == 0
            ? Math.max(heldBackMillis, job.heldBackMillis())
            : heldBackMillis + job.heldBackMillis();
    if (!many && job.allowedTokensPerSecond() != Sample.OfJob.UNLIMITED) {
      allowedTokens += (double) job.allowedTokensPerSecond() * spanMillis;
      limitedMillis += spanMillis;
    }
  }

  Sample.OfJob job() {
    return new Sample.OfJob(
        id,
        user,
        weight,
        operations,
        readBytes,
        writtenBytes,
        waitedMicros,
        queued,
        limitedMillis == 0 ? Sample.OfJob.UNLIMITED : Math.round(allowedTokens / limitedMillis),
        heldBackMillis);
  }
}
