package dev.sluice.core.schedule.tbf;

import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestQueue;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one job under one rule, with their buckets. While it has requests it is in one
 * place: if it is ruled, in the line of the ready or the heap of deadlines, else in the heap of
 * arrivals.
 */
final class TbfQueue extends RequestQueue implements JobTable.Row {
  private final JobId job;

  /** Whether a rule or a share governs it; otherwise it is part of the fallback. */
  boolean ruled;

  /** Who goes first on equal deadlines; the smaller number. */
  int rank;

  /** The reconfiguration that listed it last. */
  long generation;

  /** Whether it is in the line of the ready; the other fields of that line mean nothing else. */
  boolean ready;

  long readyNanos;
  long readyTieBreak;
  @Nullable TbfQueue before;
  @Nullable TbfQueue after;

  private @Nullable TokenBucket first;
  private @Nullable TokenBucket second;

  TbfQueue(JobId job) {
    this.job = job;
  }

  @Override
  public JobId job() {
    return job;
  }

  /** Whether in the line of the ready it comes after such a one. */
  boolean isAfter(long deadlineNanos, long tieBreak) {
    return readyNanos > deadlineNanos || (readyNanos == deadlineNanos && readyTieBreak > tieBreak);
  }

  /** Whether it waits for its turn somewhere. */
  boolean isInLine() {
    return ready || isQueued();
  }

  /**
   * Puts limits in force. A bucket that counts the same as before keeps its tokens; a new one
   * starts full.
   */
  void limit(TbfLimit one, @Nullable TbfLimit other, long nowNanos) {
    first = bucket(first, one, nowNanos);
    second = other == null ? null : bucket(second, other, nowNanos);
  }

  private static @Nullable TokenBucket bucket(
      @Nullable TokenBucket before, TbfLimit limit, long nowNanos) {
    if (limit.rate().isUnlimited()) {
      return null;
    }
    if (before != null
        && before.unit.equals(limit.unit())
        && before.depthTokens == limit.depthTokens()) {
      before.setRate(limit.rate(), nowNanos);
      return before;
    }
    return new TokenBucket(limit, nowNanos);
  }

  /** What may be used at once of the first limit; 0 where there is none. */
  long savedTokens(long nowNanos) {
    return first == null ? 0 : first.savedTokens(nowNanos);
  }

  /** When the first request may be served; brings the buckets up to date. */
  long deadlineNanos(Request head, long nowNanos) {
    if (first != null) {
      first.refill(nowNanos);
    }
    if (second != null) {
      second.refill(nowNanos);
    }
    return nextDeadlineNanos(head, nowNanos);
  }

  /** The same where they are up to date, because a request was just charged. */
  long nextDeadlineNanos(Request head, long nowNanos) {
    long wait = wait(first, head);
    if (second != null) {
      wait = Math.max(wait, wait(second, head));
    }
    return wait >= Long.MAX_VALUE - nowNanos ? Long.MAX_VALUE : nowNanos + wait;
  }

  private static long wait(@Nullable TokenBucket bucket, Request head) {
    return bucket == null ? 0 : bucket.nanosUntil(bucket.price(head.operations(), head.bytes()));
  }

  /** Charges a request that is served now. */
  void charge(Request request, long nowNanos) {
    charge(first, request, nowNanos);
    if (second != null) {
      charge(second, request, nowNanos);
    }
  }

  private static void charge(@Nullable TokenBucket bucket, Request request, long nowNanos) {
    if (bucket != null) {
      bucket.refill(nowNanos);
      bucket.take(bucket.price(request.operations(), request.bytes()));
    }
  }

  /** Corrects the charge for a request by what it really cost. */
  void correct(Request request, long actualOperations, long actualBytes, long nowNanos) {
    correct(first, request, actualOperations, actualBytes, nowNanos);
    correct(second, request, actualOperations, actualBytes, nowNanos);
  }

  private static void correct(
      @Nullable TokenBucket bucket,
      Request request,
      long actualOperations,
      long actualBytes,
      long nowNanos) {
    if (bucket != null) {
      bucket.refill(nowNanos);
      bucket.giveBack(
          bucket.price(request.operations(), request.bytes())
              - bucket.price(actualOperations, actualBytes));
    }
  }

  /** Keeps the room of a request's tokens, which it was just charged, until it is served. */
  void hold(Request request) {
    hold(first, request);
    hold(second, request);
  }

  private static void hold(@Nullable TokenBucket bucket, Request request) {
    if (bucket != null) {
      bucket.hold(bucket.price(request.operations(), request.bytes()));
    }
  }

  /** Frees the room of a request that is served now. */
  void free(Request request, long nowNanos) {
    free(first, request, nowNanos);
    free(second, request, nowNanos);
  }

  private static void free(@Nullable TokenBucket bucket, Request request, long nowNanos) {
    if (bucket != null) {
      bucket.refill(nowNanos);
      bucket.free(bucket.price(request.operations(), request.bytes()));
    }
  }

  /** Puts the tokens of a request back that is not served after all. */
  void putBack(Request request, long nowNanos) {
    putBack(first, request, nowNanos);
    putBack(second, request, nowNanos);
  }

  private static void putBack(@Nullable TokenBucket bucket, Request request, long nowNanos) {
    if (bucket != null) {
      bucket.refill(nowNanos);
      bucket.putBack(bucket.price(request.operations(), request.bytes()));
    }
  }

  /** Whether tokens of requests that are not served yet take up room. */
  boolean isHeld() {
    return (first != null && first.isHeld()) || (second != null && second.isHeld());
  }

  /** Whether a new queue in its place would be the same: nobody waits and its buckets are full. */
  boolean isAsNew(long nowNanos) {
    return isEmpty() && isFull(first, nowNanos) && isFull(second, nowNanos);
  }

  private static boolean isFull(@Nullable TokenBucket bucket, long nowNanos) {
    return bucket == null || bucket.isFull(nowNanos);
  }

  void checkInvariants() {
    if (first != null) {
      first.checkInvariants();
    }
    if (second != null) {
      second.checkInvariants();
    }
  }
}
