package dev.sluice.core.schedule;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Rate;
import java.util.List;
import java.util.function.Predicate;

/**
 * Orders the requests of one target. Not thread-safe; the caller brings the time, which never goes
 * back.
 *
 * <p>Between {@link #enqueue} and the {@link #next} that hands it out, a request belongs to the
 * scheduler; every request is handed out exactly once, and requests of one job and class leave in
 * the order in which they came.
 */
public interface RequestScheduler {
  /** Takes charge of a request. */
  void enqueue(Request request, long nowNanos);

  /** The request to serve now, or when to ask again. */
  Dispatch next(long nowNanos);

  /**
   * The same for a target that is paced. While it is short a scheduler may hold what waits for a
   * job that should be next and is about to come back, and may name another instant at the one it
   * named. Others decide as if they did not know.
   */
  default Dispatch next(Pace pace, long nowNanos) {
    return next(nowNanos);
  }

  /**
   * Tells what a request that {@link #next} handed out really cost: a read may be short, a
   * directory long. The difference is given back to the job it was charged to, or is a debt of that
   * job, which pays before more of its requests are served. To be told of every request, also of
   * one that cost what it was taken for.
   *
   * @throws IllegalArgumentException when either is negative
   */
  void complete(Request request, long actualOperations, long actualBytes, long nowNanos);

  /**
   * Replaces what each job may have, at once and for queued requests too. Nothing queued is dropped
   * and no job gains or loses tokens by the change itself.
   */
  void reconfigure(Shares shares, long nowNanos);

  /**
   * The target is believed to serve so much from now on: a capacity that is found out is another
   * every second, and a configuration may change one that was written. Nothing queued is dropped,
   * no job gains or loses tokens by it, and who goes by no capacity does nothing.
   *
   * @param tokensPerSecond {@link Rate#TOKENS_PER_SECOND_MAX} where nobody knows
   */
  default void resize(long tokensPerSecond, long nowNanos) {}

  /**
   * Divides over another tree of shares, at once and for queued requests too. Nothing queued is
   * dropped, requests of one job keep their order, and nobody gets ahead by it. A scheduler that
   * does not divide by weight has no tree, and does nothing.
   */
  default void regroup(ShareTree tree, long nowNanos) {}

  /**
   * The same for the job of this flow alone, of which more is known than before: the tree is asked
   * anew where it hangs. A job that is not known here is placed when its next request comes.
   */
  default void place(Flow flow, long nowNanos) {}

  /**
   * Gives up every request that waits, in the order in which they came: for another scheduler that
   * takes over. Nobody is charged for them.
   */
  List<Request> withdrawAll(long nowNanos);

  /**
   * Takes those requests out that wait and are gone, in the order in which they came. Nobody is
   * charged for them. The others keep their order, and jobs their tokens and their places.
   */
  List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos);

  /** How many requests wait. */
  int queued();

  /** Re-derives its own books and throws {@link IllegalStateException} where they do not agree. */
  void checkInvariants(long nowNanos);
}
