package dev.sluice.core.schedule.limit;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfFilter;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * A scheduler with limits in front of it that hold whatever a policy decides: an administrator's
 * word against a policy's.
 *
 * <p>A request that a rule matches waits for its tokens first, and joins the inner scheduler in the
 * order in which requests become free to do so; all others go there at once. With no rules, all
 * that is left of it is a look at a field.
 *
 * <p>Theorem. While the same rules hold, in any window of {@code w} nanoseconds, requests of one
 * job under one rule, of at most {@code price} tokens each, are handed out for at most {@code
 * max(depth, price) + rate × w} tokens. However the inner scheduler delays them: a request there
 * holds its tokens until it is handed out, so that no more than that is ever saved up.
 *
 * <p>Requests that turn out dearer than they were taken for are paid for afterwards. With {@code
 * untold} for what those of a window cost that were told of only after the last of them was handed
 * out, what is handed out in it truly costs at most {@code max(depth, price) + rate × w + untold};
 * and of a job that always has something waiting here, over {@code w} nanoseconds from when it
 * came, at least {@code rate × w - price}, as long as the inner scheduler hands out at once what it
 * is given and nothing is given back to a bucket that is full by then. So over time the job gets
 * its limit, no more and no less, whatever its requests turn out to cost. Debts above 2^31 tokens
 * are forgotten.
 *
 * <p>Requests of one job leave in the order in which they came as far as one rule, or none, matches
 * them. Where the inner scheduler has limits of its own, an instant to wait for may be the one at
 * which a request gets by the first limits and must wait for the second; it is never too late.
 */
public final class LimitedScheduler implements RequestScheduler {
  private RequestScheduler inner;
  private final TbfFilter filter;

  /** Whether there are rules. */
  private boolean limiting;

  /** The number of the next request that comes while there are rules. */
  private long arrivals = 1;

  /** The number of the first request that came, or was matched anew, under the rules of now. */
  private long firstUnderTheseRules = 1;

  /** Without rules. */
  public LimitedScheduler(RequestScheduler inner, Target target) {
    this.inner = inner;
    this.filter = new TbfFilter(target);
  }

  /** What decides who is next among those that no limit holds back. */
  public RequestScheduler inner() {
    return inner;
  }

  /**
   * Goes on with another inner scheduler, which takes over what waits in the one that was. The
   * limits notice nothing: neither a request that has its tokens nor a bucket gets new ones.
   */
  public void order(RequestScheduler other, long nowNanos) {
    List<Request> inTurn = inner.withdrawAll(nowNanos);
    inner = other;
    inTurn.forEach(request -> inner.enqueue(request, nowNanos));
  }

  /** The rules in force, first match first. */
  public List<TbfRule> rules() {
    return filter.rules();
  }

  /**
   * What each rule does that has matched requests of this job, first match first. A rule may have
   * forgotten a job of which nothing waits and whose tokens are all there again.
   */
  public List<RuleEffect> effectsOn(JobId job, long nowNanos) {
    return filter.effectsOn(job, nowNanos);
  }

  /**
   * Puts these rules in force instead of those that were. Every request that waits is matched anew,
   * also one that had its tokens already. A rule whose name was there before goes on with the
   * buckets it had; those that count the same keep their tokens.
   *
   * @throws IllegalArgumentException when two rules have one name, or there are too many; then all
   *     is as it was before
   */
  public void limit(List<TbfRule> rules, long nowNanos) {
    if (!limiting && rules.isEmpty()) {
      return;
    }
    TbfFilter.requireSound(rules);
    List<Request> waiting = withdrawAll(nowNanos);
    filter.replace(rules, nowNanos);
    limiting = !rules.isEmpty();
    firstUnderTheseRules = arrivals;
    waiting.forEach(request -> enqueue(request, nowNanos));
  }

  @Override
  public void enqueue(Request request, long nowNanos) {
    if (!limiting) {
      inner.enqueue(request, nowNanos);
      return;
    }
    boolean mustPass = filter.offer(request, nowNanos);
    letPass(nowNanos);
    if (!mustPass) {
      inner.enqueue(request, nowNanos);
    }
    request.numberArrival(arrivals++);
  }

  /** Moves all that have their tokens on, and answers when the next one will. */
  private Dispatch letPass(long nowNanos) {
    Dispatch answer = filter.pass(nowNanos);
    while (answer instanceof Request request) {
      inner.enqueue(request, nowNanos);
      answer = filter.pass(nowNanos);
    }
    return answer;
  }

  @Override
  public Dispatch next(long nowNanos) {
    if (!limiting) {
      return inner.next(nowNanos);
    }
    Dispatch nextToPass = letPass(nowNanos);
    return afterLimits(inner.next(nowNanos), nextToPass, nowNanos);
  }

  @Override
  public Dispatch next(Pace pace, long nowNanos) {
    if (!limiting) {
      return inner.next(pace, nowNanos);
    }
    Dispatch nextToPass = letPass(nowNanos);
    return afterLimits(inner.next(pace, nowNanos), nextToPass, nowNanos);
  }

  private Dispatch afterLimits(Dispatch answer, Dispatch nextToPass, long nowNanos) {
    if (answer instanceof Request request) {
      filter.served(request, nowNanos);
      return request;
    }
    return earlier(nextToPass, answer);
  }

  private static Dispatch earlier(Dispatch one, Dispatch other) {
    if (one instanceof Dispatch.NotBefore(long oneNanos)
        && other instanceof Dispatch.NotBefore(long otherNanos)) {
      return oneNanos <= otherNanos ? one : other;
    }
    return one instanceof Dispatch.NotBefore ? one : other;
  }

  /**
   * Corrects what the inner scheduler charged, and what the limits did. Limits are not corrected
   * for a request that was handed out before they were put in force: it did not pay for these.
   */
  @Override
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
    inner.complete(request, actualOperations, actualBytes, nowNanos);
    correctLimits(request, actualOperations, actualBytes, nowNanos);
  }

  /**
   * As {@link #complete}, for a request that was handed out before {@link #order}: the inner
   * scheduler of now never charged anybody for it.
   */
  public void correctLimits(
      Request request, long actualOperations, long actualBytes, long nowNanos) {
    if (limiting && request.arrival() >= firstUnderTheseRules) {
      filter.complete(request, actualOperations, actualBytes, nowNanos);
    }
  }

  @Override
  public void reconfigure(Shares shares, long nowNanos) {
    inner.reconfigure(shares, nowNanos);
  }

  @Override
  public void resize(long tokensPerSecond, long nowNanos) {
    inner.resize(tokensPerSecond, nowNanos);
  }

  @Override
  public void regroup(ShareTree tree, long nowNanos) {
    inner.regroup(tree, nowNanos);
  }

  @Override
  public void place(Flow flow, long nowNanos) {
    inner.place(flow, nowNanos);
  }

  @Override
  public List<Request> withdrawAll(long nowNanos) {
    List<Request> inTurn = inner.withdrawAll(nowNanos);
    return limiting ? withdrawn(inTurn, filter.withdrawAll(nowNanos), nowNanos) : inTurn;
  }

  @Override
  public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
    List<Request> inTurn = inner.withdrawIf(gone, nowNanos);
    return limiting ? withdrawn(inTurn, filter.withdrawIf(gone, nowNanos), nowNanos) : inTurn;
  }

  /** Those that had their tokens, which go back, and those that waited for theirs. */
  private List<Request> withdrawn(List<Request> inTurn, List<Request> before, long nowNanos) {
    inTurn.forEach(request -> filter.withdrawn(request, nowNanos));
    List<Request> all = new ArrayList<>(inTurn);
    all.addAll(before);
    all.sort(Comparator.comparingLong(Request::arrival));
    return all;
  }

  @Override
  public int queued() {
    return filter.queued() + inner.queued();
  }

  @Override
  public void checkInvariants(long nowNanos) {
    inner.checkInvariants(nowNanos);
    filter.checkInvariants(nowNanos);
    if (filter.held() > inner.queued() || (!limiting && filter.queued() > 0)) {
      throw new IllegalStateException(
          filter.held()
              + " of "
              + inner.queued()
              + " requests passed the limits, and "
              + filter.queued()
              + " wait for them");
    }
  }
}
