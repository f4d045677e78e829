package dev.sluice.core.schedule.tbf;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import java.util.List;
import java.util.function.Predicate;

/**
 * Rules with buckets in front of a scheduler: a request that a rule matches waits here for its
 * tokens, then passes on to wait there for its turn.
 *
 * <p>A request that has passed holds its tokens until it is served: they count as being in the
 * bucket, and leave no room for others. So what waits for its turn is never worth more than a
 * bucket's depth (or one request, if that is more), and however long it waits and however suddenly
 * it is served, what {@link TokenBucket} promises holds for what is served.
 */
public final class TbfFilter {
  private final TbfScheduler scheduler;
  private int held;

  /** A filter without rules. */
  public TbfFilter(Target target) {
    scheduler = new TbfScheduler(target);
  }

  /** Throws {@link IllegalArgumentException} for rules that {@link #replace} refuses. */
  public static void requireSound(List<TbfRule> rules) {
    TbfScheduler.requireSound(rules);
  }

  /** Takes charge of a request if a rule matches it; answers whether one does. */
  public boolean offer(Request request, long nowNanos) {
    return scheduler.enqueueIfRuled(request, nowNanos);
  }

  /** A request that has its tokens now, and holds them from now on; or when to ask again. */
  public Dispatch pass(long nowNanos) {
    Dispatch answer = scheduler.next(nowNanos);
    if (answer instanceof Request request) {
      scheduler.hold(request, nowNanos);
      held++;
    }
    return answer;
  }

  /** Tells that a request, matched by a rule or not, is served now: its tokens are used. */
  public void served(Request request, long nowNanos) {
    if (scheduler.isRuled(request)) {
      scheduler.free(request, nowNanos);
      held--;
    }
  }

  /**
   * Tells that a request, matched by a rule or not, no longer waits for its turn: its tokens go
   * back where they came from.
   */
  public void withdrawn(Request request, long nowNanos) {
    if (scheduler.isRuled(request)) {
      scheduler.putBack(request, nowNanos);
      held--;
    }
  }

  /** Tells what a request really cost that passed under the rules of now. */
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
    scheduler.complete(request, actualOperations, actualBytes, nowNanos);
  }

  /**
   * Puts these rules in force instead of those that were, while no request holds tokens. A rule
   * whose name was there before goes on with the buckets it had; those that count the same keep
   * their tokens.
   */
  public void replace(List<TbfRule> rules, long nowNanos) {
    if (held > 0) {
      throw new IllegalStateException(held + " requests hold tokens of the rules that were");
    }
    scheduler.replace(rules, nowNanos);
  }

  /** The rules in force, first match first. */
  public List<TbfRule> rules() {
    return scheduler.rules();
  }

  /** What each rule does that has matched requests of this job, first match first. */
  public List<RuleEffect> effectsOn(JobId job, long nowNanos) {
    return scheduler.effectsOn(job, nowNanos);
  }

  /** Gives up every request that waits for its tokens, in the order in which they came. */
  public List<Request> withdrawAll(long nowNanos) {
    return scheduler.withdrawAll(nowNanos);
  }

  /** Takes those out that wait for their tokens and are gone, in the order in which they came. */
  public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
    return scheduler.withdrawIf(gone, nowNanos);
  }

  /** How many requests wait for their tokens. */
  public int queued() {
    return scheduler.queued();
  }

  /** How many requests have passed and are not served. */
  public int held() {
    return held;
  }

  /** Re-derives its own books and throws {@link IllegalStateException} where they do not agree. */
  public void checkInvariants(long nowNanos) {
    scheduler.checkInvariants(nowNanos);
    if (held < 0 || (held == 0 && scheduler.isAnyHeld())) {
      throw new IllegalStateException(held + " requests are counted to hold tokens");
    }
  }
}
