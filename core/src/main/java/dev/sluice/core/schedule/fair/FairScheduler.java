package dev.sluice.core.schedule.fair;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.anticipation.Anticipation;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.terms.TermsInForce;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Divides a target by weight, over a tree of shares, with what is reserved first and nobody above
 * its limit; and never lets it idle while something waits that no limit holds back, unless it is
 * told that there is time for that. Start-time fair queueing at every level of the tree, with the
 * reservations and limits of mClock (Gulati, Merchant and Varman, 2010) at its leaves.
 *
 * <p>Of any two members of one group that both have something queued throughout an interval, with
 * weights w and largest requests p, the served tokens W differ by at most one largest request each,
 * corrections by {@link #complete} aside:
 *
 * <pre>|W1/w1 - W2/w2| &lt;= p1/w1 + p2/w2</pre>
 *
 * <p>up to two parts in 2^20 of a token, which is what tags resolve. Nobody starves: between two
 * services of a member that has something queued, of which the first cost p, another member of its
 * group is served at most {@code p × w2/w1 + p2}; and a member that comes back from idling without
 * a debt waits for at most one request of each other.
 *
 * <p>Asked with a {@link Pace}, it lets the target wait for who should be next and is about to come
 * back, as {@link Anticipation} says; among jobs that have something queued throughout nothing
 * changes by that.
 *
 * <p>That is all as long as {@link Shares} name no reserve and no limit. Where they do:
 *
 * <p>Theorem. Over {@code w} nanoseconds in which a job with a reserve has something queued
 * throughout, it is served at least {@code reserve × w - 2p - q}, with its own largest request p
 * and the largest of anybody q; as long as the target does at least what all reserves add up to.
 * Over any {@code w} a job with a limit is served at most {@code limit × w + max(depth, p)}, with
 * the depth of a {@link TbfLimit}; corrections aside. While some are at their limits, the others
 * divide as if these were idle; only when all that wait are, does the target.
 *
 * <p>A job is charged at every level for all that it is served. So in its group it has the larger
 * of its reserve and its share by weight, not the sum; a reserve that is less than the share
 * changes nothing in the long run. A branch whose reserves are more than its share has these and no
 * more, but for about one request in 65, by which those of its jobs are served that have none.
 * Where a job is at its limit its reserve waits too: a limit is never less.
 *
 * <p>With a {@link Pace}: nobody is waited for that will be at its limit, who is due by reserve is
 * not held for anybody, and others are held no longer than until somebody is due or free.
 *
 * <p>A weight above {@link ShareTree#WEIGHT_MAX} counts as that, a price of zero as 1 and a price
 * above {@link #PRICE_MAX} as that.
 *
 * <p>Where a job hangs in the tree is decided by the first of its requests after it was unknown or
 * forgotten, and anew when it is told to {@link #regroup} or to {@link #place}. Jobs and groups
 * with nothing queued are forgotten once that changes no later answer; there are at most about
 * twice as many as cannot be forgotten.
 *
 * <p>Theorem. Regrouping drops no request and keeps the order of each job's. The bounds above hold
 * between members of one group of the new tree over every interval without another regrouping, one
 * that begins with it included: no member is owed anything, and none owes more than one of the
 * largest requests it ever had, corrections aside. And nobody gains by being moved: a job owes the
 * same tokens in its new group as in the old one, and so does the group through which it comes if
 * nobody else competes through that; what a group that was left owes is still there when it is come
 * back to.
 */
public final class FairScheduler implements RequestScheduler {
  /** Bound on the price a request counts with, so that tags fit: a terabyte at a token a byte. */
  public static final long PRICE_MAX = TermsInForce.PRICE_MAX;

  /** How many shares are looked at to be forgotten for each new one; 1 would only keep pace. */
  private static final int LOOKED_AT_PER_NEW_SHARE = 2;

  private final TokenUnit unit;
  private final Anticipation<Leaf> anticipation = new Anticipation<>(ShareOrder::wouldBeFirst);
  private final ShareOrder order = new ShareOrder();
  private final Placement placement;
  private final TermsInForce<Leaf> termsInForce;

  private Shares shares = Shares.NONE;
  private long reconfigurations;
  private long arrivals;
  private int queued;

  public FairScheduler(TokenUnit unit, ShareTree tree) {
    this(unit, tree, LOOKED_AT_PER_NEW_SHARE);
  }

  /**
   * With another number of shares that are looked at for each new one: with 0 none is forgotten.
   */
  FairScheduler(TokenUnit unit, ShareTree tree, int lookedAtPerNewShare) {
    this.unit = unit;
    this.placement = new Placement(tree, order, anticipation, lookedAtPerNewShare);
    this.termsInForce = new TermsInForce<>(unit, request -> price(unit, request), order);
  }

  @Override
  public void enqueue(Request request, long nowNanos) {
    Leaf leaf = leaf(request, nowNanos);
    leaf.queue.append(request, arrivals++);
    queued++;
    if (leaf.absence != null) {
      anticipation.returns(leaf.absence, nowNanos);
    }
    if (leaf.terms != null) {
      termsInForce.arrive(leaf, leaf.terms, request, nowNanos);
    } else if (!leaf.isQueued()) {
      order.compete(leaf);
    }
  }

  @Override
  public Dispatch next(long nowNanos) {
    if (!termsInForce.isEmpty()) {
      return nextUnderTerms(null, nowNanos);
    }
    Leaf leaf = order.first();
    return leaf == null ? Dispatch.EMPTY : serve(leaf, takeFrom(leaf));
  }

  /** Waits for who should be next and is about to come back: {@link Anticipation} says when. */
  @Override
  public Dispatch next(Pace pace, long nowNanos) {
    if (!termsInForce.isEmpty()) {
      return nextUnderTerms(pace, nowNanos);
    }
    Leaf leaf = order.first();
    if (leaf == null) {
      return Dispatch.EMPTY;
    }
    long until = waitUntil(leaf, pace, nowNanos);
    return until > nowNanos
        ? new Dispatch.NotBefore(until)
        : serve(leaf, takeFrom(leaf, pace, nowNanos));
  }

  /**
   * Who is due by reserve goes first, and is not held for anybody. Else who is first by weight of
   * those below their limits; if that one is held for somebody, then only until somebody is due by
   * reserve, or is at its limit no longer.
   *
   * @param pace null where the target is not paced
   */
  private Dispatch nextUnderTerms(@Nullable Pace pace, long nowNanos) {
    termsInForce.letGo(nowNanos);
    Leaf due = termsInForce.due(nowNanos);
    Leaf leaf = due == null ? order.first() : due;
    if (leaf == null) {
      return termsInForce.isAnybodyHeldBack()
          ? new Dispatch.NotBefore(termsInForce.nextNanos())
          : Dispatch.EMPTY;
    }
    if (pace != null && due == null) {
      long until = waitUntil(leaf, pace, nowNanos);
      if (until > nowNanos) {
        return new Dispatch.NotBefore(Math.min(until, termsInForce.nextNanos()));
      }
    }
    Request request = pace == null ? takeFrom(leaf) : takeFrom(leaf, pace, nowNanos);
    return serveUnderTerms(leaf, request, due != null, nowNanos);
  }

  /** Until when others are held for somebody who is about to come back; now when they are not. */
  private long waitUntil(Leaf leaf, Pace pace, long nowNanos) {
    Request head = leaf.queue.peek();
    return head != null && pace.isShort() && anticipation.isAnybodyAway()
        ? anticipation.holdUntil(price(unit, head), pace, nowNanos)
        : nowNanos;
  }

  private Request takeFrom(Leaf leaf, Pace pace, long nowNanos) {
    anticipation.handsOut(pace, nowNanos);
    Request request = takeFrom(leaf);
    if (leaf.queue.isEmpty()) {
      anticipation.leaves(leaf, price(unit, request), nowNanos);
    }
    return request;
  }

  private Request takeFrom(Leaf leaf) {
    Request request = leaf.queue.poll();
    if (request == null) {
      throw new IllegalStateException(leaf + " competes and has nothing queued");
    }
    queued--;
    return request;
  }

  private Request serve(Leaf leaf, Request request) {
    order.serve(leaf, price(unit, request), anticipation.isAnybodyAway());
    return request;
  }

  private Request serveUnderTerms(Leaf leaf, Request request, boolean byReserve, long nowNanos) {
    long price = price(unit, request);
    long mostTokens = termsInForce.handsOut(leaf, price, nowNanos);
    boolean othersComeBack = anticipation.isAnybodyAway();
    if (byReserve) {
      order.serveByReserve(leaf, price, mostTokens, othersComeBack);
    } else {
      order.serveInTurn(leaf, price, othersComeBack);
    }
    if (leaf.terms != null) {
      termsInForce.review(leaf, nowNanos);
    }
    return request;
  }

  /**
   * Corrects what the job and every group above it were charged, at the weights of now. What is
   * given back only ever moves a share forward to its group's virtual time, never before it: it can
   * be next for that but does not save it up. What is charged on top counts from now if the share
   * has been idle for long.
   */
  @Override
  public void complete(Request request, long actualOperations, long actualBytes, long nowNanos) {
    if (request.hasCost(actualOperations, actualBytes)) {
      return;
    }
    request.requireCost(actualOperations, actualBytes);
    long difference =
        price(unit, Math.min(actualOperations, Request.COST_MAX), Math.min(actualBytes, PRICE_MAX))
            - price(unit, request);
    if (difference == 0) {
      return;
    }
    Leaf leaf = leaf(request, nowNanos);
    order.correct(leaf, difference);
    if (leaf.terms != null) {
      termsInForce.correct(leaf, leaf.terms, difference, nowNanos);
    }
  }

  /**
   * Replaces the weights, reserves and limits of all jobs. A job keeps what it owes in tokens, and
   * so moves in the order as if what it had of late had been charged at its new weight; what it has
   * queued is charged at that weight when it is served. It keeps what there is of a reserve or a
   * limit, which goes on at another rate; a new reserve begins with nothing, a new limit full.
   */
  @Override
  public void reconfigure(Shares shares, long nowNanos) {
    this.shares = shares;
    reconfigurations++;
    for (int i = 0; i < shares.size(); i++) {
      Leaf leaf = placement.find(shares.job(i));
      if (leaf != null) {
        leaf.namedBy = reconfigurations;
        leaf.setWeight(bounded(shares.weight(i)));
        termsInForce.set(leaf, shares, i, nowNanos);
      }
    }
    for (Share share : order.shares()) {
      if (share instanceof Leaf leaf && leaf.namedBy != reconfigurations) {
        leaf.setWeight(1);
        termsInForce.set(leaf, shares, -1, nowNanos);
      }
    }
  }

  @Override
  public List<Request> withdrawAll(long nowNanos) {
    List<Request> waiting = new ArrayList<>(queued);
    order.dismissAll();
    for (Share share : order.shares()) {
      if (share instanceof Leaf leaf) {
        for (Request r = leaf.queue.poll(); r != null; r = leaf.queue.poll()) {
          waiting.add(r);
        }
        if (leaf.terms != null) {
          termsInForce.review(leaf, nowNanos);
        }
      }
    }
    queued = 0;
    waiting.sort(Comparator.comparingLong(Request::sequence));
    return waiting;
  }

  @Override
  public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
    List<Request> withdrawn = new ArrayList<>();
    for (Share share : order.shares()) {
      if (share instanceof Leaf leaf && leaf.queue.moveIf(gone, withdrawn)) {
        if (leaf.terms != null) {
          termsInForce.review(leaf, nowNanos);
        } else if (leaf.queue.isEmpty()) {
          order.dismiss(leaf);
        }
      }
    }
    queued -= withdrawn.size();
    withdrawn.sort(Comparator.comparingLong(Request::sequence));
    return withdrawn;
  }

  /**
   * Hangs every job where this tree says, at once and with what it has queued, and gives groups its
   * weights; a group keeps what it owes in tokens, as a job does that gets another weight.
   *
   * @throws IllegalArgumentException when the tree has no place for a job; then nothing has changed
   */
  @Override
  public void regroup(ShareTree other, long nowNanos) {
    placement.regroup(other, nowNanos);
  }

  @Override
  public void place(Flow flow, long nowNanos) {
    placement.place(flow);
  }

  @Override
  public int queued() {
    return queued;
  }

  /** How many jobs and groups it remembers. */
  int remembered() {
    return order.shares().size();
  }

  @Override
  public void checkInvariants(long nowNanos) {
    anticipation.checkInvariants();
    order.checkInvariants();
    placement.checkInvariants();
    int requests = 0;
    List<Leaf> leaves = new ArrayList<>();
    for (Share share : order.shares()) {
      if (share instanceof Leaf leaf) {
        requests += leaf.queue.size();
        leaves.add(leaf);
      }
    }
    termsInForce.checkInvariants(leaves);
    if (requests != queued) {
      throw new IllegalStateException(
          "the tree holds " + requests + " requests; the books say " + queued);
    }
  }

  /** What a request counts with. */
  static long price(TokenUnit unit, Request request) {
    return price(unit, request.operations(), request.bytes());
  }

  private static long price(TokenUnit unit, long operations, long bytes) {
    return Math.clamp(unit.price(operations, bytes), 1, PRICE_MAX);
  }

  private static long bounded(long weight) {
    return Math.min(weight, ShareTree.WEIGHT_MAX);
  }

  private Leaf leaf(Request request, long nowNanos) {
    Leaf leaf = placement.find(request);
    return leaf == null ? newLeaf(request.flow(), nowNanos) : leaf;
  }

  private Leaf newLeaf(Flow flow, long nowNanos) {
    int index = shares.indexOf(flow.job());
    Leaf leaf = placement.add(flow, index < 0 ? 1 : bounded(shares.weight(index)), nowNanos);
    leaf.namedBy = reconfigurations;
    if (index >= 0) {
      termsInForce.set(leaf, shares, index, nowNanos);
    }
    return leaf;
  }
}
