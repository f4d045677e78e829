package dev.sluice.core.schedule;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a flow, waiting for a target. A data plane extends it with what it needs to
 * serve the request and to reply.
 *
 * <p>It carries the link of the one queue it can be in, so that queueing allocates nothing.
 */
public non-sealed class Request implements Dispatch {
  /** Bound on both parts of a request's cost; token arithmetic relies on it. */
  public static final long COST_MAX = 1L << 30;

  private final Flow flow;
  private final JobId job;
  private final int jobHash;
  private final Operation operation;
  private final int operations;
  private final int bytes;

  @Nullable Request next;
  boolean queued;
  long sequence;
  private long arrival;

  /**
   * @param operations how many the request counts for, at most {@link #COST_MAX}
   * @param bytes how many it moves as far as is known before it is served, at most {@link
   *     #COST_MAX}
   */
  public Request(Flow flow, Operation operation, long operations, long bytes) {
    if (operations < 0 || operations > COST_MAX || bytes < 0 || bytes > COST_MAX) {
      throw new IllegalArgumentException(
          "a request's cost must be 0 to "
              + COST_MAX
              + ": "
              + operations
              + " operations, "
              + bytes
              + " bytes");
    }
    this.flow = flow;
    this.job = flow.job();
    this.jobHash = job.hashCode();
    this.operation = operation;
    this.operations = (int) operations;
    this.bytes = (int) bytes;
  }

  public final Flow flow() {
    return flow;
  }

  public final JobId job() {
    return job;
  }

  /** The job's hash, so that looking the job up need not touch it. */
  final int jobHash() {
    return jobHash;
  }

  public final Operation operation() {
    return operation;
  }

  public final long operations() {
    return operations;
  }

  public final long bytes() {
    return bytes;
  }

  /** Whether it cost what it was taken for. */
  public final boolean hasCost(long actualOperations, long actualBytes) {
    return actualOperations == operations && actualBytes == bytes;
  }

  /** Throws {@link IllegalArgumentException} where this cannot be what it cost. */
  public final void requireCost(long actualOperations, long actualBytes) {
    if (actualOperations < 0 || actualBytes < 0) {
      throw new IllegalArgumentException(
          "job "
              + job
              + " did "
              + actualOperations
              + " operations and moved "
              + actualBytes
              + " bytes, expected 0 or more");
    }
  }

  /** Its place in the order of arrival at its scheduler; given by {@link RequestQueue#append}. */
  public final long sequence() {
    return sequence;
  }

  /** Its place in the order of arrival, as {@link #numberArrival} gave it; 0 when nobody did. */
  public final long arrival() {
    return arrival;
  }

  /**
   * Numbers it in the order of arrival at a scheduler that passes it on to another later, which
   * gives it a {@link #sequence} of its own.
   */
  public final void numberArrival(long number) {
    arrival = number;
  }
}
