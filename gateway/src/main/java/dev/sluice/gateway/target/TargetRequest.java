package dev.sluice.gateway.target;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Operation;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import org.jspecify.annotations.Nullable;

/** One operation on a target, with what the target notes down about it. */
public abstract class TargetRequest extends Request {
  long priceTokens;

  /** What it was taken to cost the storage, where that is found out. */
  long cost;

  long arrivedNanos;
  long startedNanos;
  long period;
  @Nullable JobAccount account;

  /** Its neighbours among those in service, in the order in which they were handed out. */
  @Nullable TargetRequest handedOutBefore;

  @Nullable TargetRequest handedOutAfter;

  /** Its neighbours among those of its job that wait, in the order in which they came. */
  @Nullable TargetRequest cameBefore;

  @Nullable TargetRequest cameAfter;

  /** Which scheduler handed it out, and is to be told what it moved. */
  @Nullable RequestScheduler handedOutBy;

  /** Which scheduler behind the limits chose it. */
  @Nullable RequestScheduler orderedBy;

  /**
   * @param bytes of file contents that it wants moved
   */
  protected TargetRequest(Flow flow, Operation operation, long bytes) {
    super(flow, operation, 1, bytes);
  }

  /** How long it has been here. */
  public final long waitedNanos(long nowNanos) {
    return nowNanos - arrivedNanos;
  }

  /**
   * Takes a copy of whatever the thread that brings it will use again: it will be served by another
   * thread, or later. Called at most once, before that.
   */
  protected abstract void detach();

  /** Serves it and replies, on a thread of the target; never waits for a client. */
  protected abstract Served serve();

  /** Whether somebody still waits for it. What nobody waits for must not be done any more. */
  protected abstract boolean isWanted();

  /** Will never be served: the target ends, or nobody wants it any more. */
  protected abstract void abandon();
}
