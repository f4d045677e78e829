package dev.sluice.sim.workload;

import dev.sluice.sim.scenario.Workload;

/** Requests that come at their own times, whether earlier ones are done or not. */
final class OpenLoopActivity implements Activity {
  private static final double NANOS_PER_SECOND = 1e9;

  private final SimProcess process;
  private final OperationMix mix;
  private final long requestBytes;
  private final double meanNanos;
  private final boolean regular;
  private final FileCursor file;
  private long leftRequests;

  /** The part of a nanosecond by which the last request came too early. */
  private double carriedNanos;

  private OpenLoopActivity(
      SimProcess process,
      OperationMix mix,
      long requestBytes,
      double requestsPerSecond,
      boolean regular,
      long requests) {
    if (!(requestsPerSecond > 0)) {
      throw new IllegalArgumentException(
          process + ": an open loop has more than 0 requests/s, not " + requestsPerSecond);
    }
    this.process = process;
    this.mix = mix;
    this.requestBytes = requestBytes;
    this.meanNanos = NANOS_PER_SECOND / requestsPerSecond;
    this.regular = regular;
    this.leftRequests = requests;
    this.file = process.createFile((long) Math.min((double) requests * requestBytes, 0x1p62));
  }

  static OpenLoopActivity of(SimProcess process, Workload.OpenLoop workload) {
    return new OpenLoopActivity(
        process,
        OperationMix.only(workload.operation()),
        workload.requestBytes(),
        workload.requestsPerSecond(),
        workload.regular(),
        workload.requests());
  }

  static OpenLoopActivity of(SimProcess process, Workload.MetadataMix workload) {
    return new OpenLoopActivity(
        process,
        new OperationMix(workload.weights()),
        0,
        workload.operationsPerSecond(),
        false,
        workload.operations());
  }

  /** Regular requests begin at once, random ones after a first interval. */
  @Override
  public void begin(long nowNanos) {
    if (leftRequests == 0) {
      process.done(nowNanos);
    } else if (regular) {
      wake(nowNanos);
    } else {
      wakeAfterInterval(nowNanos);
    }
  }

  @Override
  public void wake(long nowNanos) {
    process.send(file.account(), mix.draw(process), requestBytes, nowNanos);
    if (requestBytes == 0) {
      file.advanceToNextStripe();
    } else {
      file.advance(requestBytes);
    }
    if (--leftRequests > 0) {
      wakeAfterInterval(nowNanos);
    }
  }

  @Override
  public boolean isClosedLoop() {
    return false;
  }

  @Override
  public void proceed(long nowNanos) {
    if (leftRequests == 0 && process.outstanding() == 0) {
      process.done(nowNanos);
    }
  }

  /** StrictMath, because its logarithm is the same on every machine. */
  private void wakeAfterInterval(long nowNanos) {
    double interval =
        carriedNanos + (regular ? meanNanos : -StrictMath.log(1 - process.draw()) * meanNanos);
    long whole = (long) interval;
    carriedNanos = interval - whole;
    process.wakeAt(nowNanos + whole);
  }
}
