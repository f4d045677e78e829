package dev.sluice.core.schedule.fair;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.IndexedHeap;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.TbfLimit;
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
  public static final long PRICE_MAX = 1L << 40;

  /** How many shares are looked at to be forgotten for each new one; 1 would only keep pace. */
  private static final int LOOKED_AT_PER_NEW_SHARE = 2;

  private final TokenUnit unit;
  private ShareTree tree;
  private final int lookedAtPerNewShare;
  private final Group root = new Group("", null, 1);
  private final JobTable<Leaf> leaves = new JobTable<>();

  /** Every share but the root, in no order. */
  private final List<Share> shareList = new ArrayList<>();

  private final Anticipation anticipation = new Anticipation();
  private final Reserves reserves = new Reserves();

  /** Those that have something queued and are at their limits, by when they are no longer. */
  private final IndexedHeap<Limit> heldBack = new IndexedHeap<>();

  /** How many jobs have a reserve or a limit. While there are none, nobody looks for any. */
  private int termed;

  private Shares shares = Shares.NONE;
  private long reconfigurations;
  private long arrivals;
  private long tieBreaks;
  private int queued;
  private int lookAtNext;

  public FairScheduler(TokenUnit unit, ShareTree tree) {
    this(unit, tree, LOOKED_AT_PER_NEW_SHARE);
  }

  /**
   * With another number of shares that are looked at for each new one: with 0 none is forgotten.
   */
  FairScheduler(TokenUnit unit, ShareTree tree, int lookedAtPerNewShare) {
    this.unit = unit;
    this.tree = tree;
    this.lookedAtPerNewShare = lookedAtPerNewShare;
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
      arrive(leaf, leaf.terms, request, nowNanos);
    } else if (!leaf.isQueued()) {
      compete(leaf, tieBreaks++);
    }
  }

  @Override
  public Dispatch next(long nowNanos) {
    if (termed > 0) {
      return nextUnderTerms(null, nowNanos);
    }
    Leaf leaf = first();
    return leaf == null ? Dispatch.EMPTY : serve(leaf, takeFrom(leaf));
  }

  /** Waits for who should be next and is about to come back: {@link Anticipation} says when. */
  @Override
  public Dispatch next(Pace pace, long nowNanos) {
    if (termed > 0) {
      return nextUnderTerms(pace, nowNanos);
    }
    Leaf leaf = first();
    if (leaf == null) {
      return Dispatch.EMPTY;
    }
    long until = waitUntil(leaf, pace, nowNanos);
    return until > nowNanos
        ? new Dispatch.NotBefore(until)
        : serve(leaf, takeFrom(leaf, pace, nowNanos));
  }

  /** Until when others are held for somebody who is about to come back; now when they are not. */
  private long waitUntil(Leaf leaf, Pace pace, long nowNanos) {
    Request head = leaf.queue.peek();
    return head != null && pace.isShort() && anticipation.isAnybodyAway()
        ? anticipation.holdUntil(price(head), pace, nowNanos)
        : nowNanos;
  }

  private Request takeFrom(Leaf leaf, Pace pace, long nowNanos) {
    anticipation.handsOut(pace, nowNanos);
    Request request = takeFrom(leaf);
    if (leaf.queue.isEmpty()) {
      anticipation.leaves(leaf, price(request), nowNanos);
    }
    return request;
  }

  /**
   * Who is due by reserve goes first, and is not held for anybody. Else who is first by weight of
   * those below their limits; if that one is held for somebody, then only until somebody is due by
   * reserve, or is at its limit no longer.
   *
   * @param pace null where the target is not paced
   */
  private Dispatch nextUnderTerms(@Nullable Pace pace, long nowNanos) {
    for (Limit limit = heldBack.peek();
        limit != null && heldBack.minKey() <= nowNanos;
        limit = heldBack.peek()) {
      review(limit.leaf, nowNanos);
    }
    Leaf due = reserves.first(nowNanos);
    Leaf leaf = due == null ? first() : due;
    long freeNanos = heldBack.isEmpty() ? Long.MAX_VALUE : heldBack.minKey();
    if (leaf == null) {
      return heldBack.isEmpty() ? Dispatch.EMPTY : new Dispatch.NotBefore(freeNanos);
    }
    if (pace != null && due == null) {
      long until = waitUntil(leaf, pace, nowNanos);
      if (until > nowNanos) {
        return new Dispatch.NotBefore(Math.min(until, Math.min(freeNanos, reserves.nextNanos())));
      }
    }
    Request request = pace == null ? takeFrom(leaf) : takeFrom(leaf, pace, nowNanos);
    return serveUnderTerms(leaf, request, due != null, nowNanos);
  }

  private Request serveUnderTerms(Leaf leaf, Request request, boolean byReserve, long nowNanos) {
    long price = price(request);
    reserves.handsOut(price);
    Terms terms = leaf.terms;
    long mostTokens = 0;
    if (terms != null) {
      if (terms.reserve != null) {
        mostTokens = 2 * reserves.boundTokens(terms.reserve);
        terms.reserve.take(price, reserves.boundTokens(terms.reserve), nowNanos);
      }
      if (terms.limit != null) {
        terms.limit.take(price, nowNanos);
      }
      leaf.heldBack = nanosUntilFree(leaf, nowNanos) > 0;
    }
    boolean othersComeBack = anticipation.isAnybodyAway();
    Share share = leaf;
    for (Group group = leaf.parent; group != null; group = group.parent) {
      if (byReserve) {
        group.serveByReserve(share, price, mostTokens, othersComeBack, tieBreaks++);
      } else {
        group.serve(share, price, othersComeBack, tieBreaks++);
        group.hasHadItsTurn();
      }
      rebaseIfDue(group);
      share = group;
    }
    if (terms != null) {
      review(leaf, nowNanos);
    }
    return request;
  }

  /** A job has one more request queued. */
  private void arrive(Leaf leaf, Terms terms, Request request, long nowNanos) {
    if (leaf.queue.size() == 1) {
      if (terms.reserve != null) {
        terms.reserve.comeBack(price(request), reserves.boundTokens(terms.reserve), nowNanos);
      }
      review(leaf, nowNanos);
    }
  }

  /** How long a job must wait because it is at its limit; 0 where it must not, or has nothing. */
  private long nanosUntilFree(Leaf leaf, long nowNanos) {
    Request head = leaf.queue.peek();
    Limit limit = leaf.terms == null ? null : leaf.terms.limit;
    return head == null || limit == null ? 0 : limit.nanosUntil(price(head), nowNanos);
  }

  /**
   * Lets a job compete or not, by its limit and by what it has queued, and finds out when it is due
   * by reserve.
   */
  private void review(Leaf leaf, long nowNanos) {
    long waitNanos = nanosUntilFree(leaf, nowNanos);
    leaf.heldBack = waitNanos > 0;
    if (leaf.isBacklogged()) {
      compete(leaf, tieBreaks++);
    } else if (leaf.isQueued()) {
      dismiss(leaf);
    }
    Terms terms = leaf.terms;
    Request head = leaf.queue.peek();
    if (terms != null && terms.limit != null) {
      if (terms.limit.isQueued()) {
        heldBack.remove(terms.limit);
      }
      if (leaf.heldBack && head != null) {
        heldBack.insert(terms.limit, later(nowNanos, waitNanos), head.sequence());
      }
    }
    if (terms != null && terms.reserve != null) {
      reserves.remove(terms.reserve);
      if (leaf.isBacklogged() && head != null) {
        reserves.place(terms.reserve, price(head), head.sequence(), nowNanos);
      }
    }
  }

  /** So long after an instant; never where that is beyond all time. */
  static long later(long nanos, long byNanos) {
    return byNanos > Long.MAX_VALUE - nanos ? Long.MAX_VALUE : nanos + byNanos;
  }

  private @Nullable Leaf first() {
    Share first = root.first();
    while (first instanceof Group group) {
      first = group.first();
    }
    return first instanceof Leaf leaf ? leaf : null;
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
    long price = price(request);
    boolean othersComeBack = anticipation.isAnybodyAway();
    Share share = leaf;
    for (Group group = leaf.parent; group != null; group = group.parent) {
      group.serve(share, price, othersComeBack, tieBreaks++);
      rebaseIfDue(group);
      share = group;
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
        price(Math.min(actualOperations, Request.COST_MAX), Math.min(actualBytes, PRICE_MAX))
            - price(request);
    if (difference == 0) {
      return;
    }
    Leaf leaf = leaf(request, nowNanos);
    Share share = leaf;
    for (Group group = share.parent; group != null; group = group.parent) {
      group.correct(share, difference);
      share = group;
    }
    Terms terms = leaf.terms;
    if (terms != null) {
      if (terms.reserve != null) {
        terms.reserve.take(difference, reserves.boundTokens(terms.reserve), nowNanos);
      }
      if (terms.limit != null) {
        terms.limit.correct(difference, nowNanos);
      }
      review(leaf, nowNanos);
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
      Leaf leaf = leaves.get(shares.job(i));
      if (leaf != null) {
        leaf.namedBy = reconfigurations;
        reweigh(leaf, bounded(shares.weight(i)));
        setTerms(leaf, i, nowNanos);
      }
    }
    for (Share share : shareList) {
      if (share instanceof Leaf leaf && leaf.namedBy != reconfigurations) {
        reweigh(leaf, 1);
        setTerms(leaf, -1, nowNanos);
      }
    }
  }

  /**
   * Gives a job the reserve and the limit of its place in the shares.
   *
   * @param index negative where it has none
   */
  private void setTerms(Leaf leaf, int index, long nowNanos) {
    boolean isLimited = index >= 0 && shares.isLimited(index);
    boolean isReserved = index >= 0 && shares.reservedParts(index) > 0;
    Terms terms = leaf.terms;
    if (terms == null) {
      if (!isLimited && !isReserved) {
        return;
      }
      terms = new Terms();
      leaf.terms = terms;
      termed++;
    }
    setLimit(leaf, terms, isLimited ? shares.rate(index) : null, nowNanos);
    setReserve(leaf, terms, isReserved ? shares.reserveRate(index) : null, nowNanos);
    if (terms.isEmpty()) {
      leaf.terms = null;
      termed--;
    }
    review(leaf, nowNanos);
  }

  private void setLimit(Leaf leaf, Terms terms, @Nullable Rate rate, long nowNanos) {
    Limit limit = terms.limit;
    if (rate == null) {
      if (limit != null && limit.isQueued()) {
        heldBack.remove(limit);
      }
      terms.limit = null;
    } else if (limit == null) {
      terms.limit = new Limit(leaf, rate, TbfLimit.of(unit, rate).depthTokens(), nowNanos);
    } else {
      limit.setRate(rate, nowNanos);
    }
  }

  private void setReserve(Leaf leaf, Terms terms, @Nullable Rate rate, long nowNanos) {
    Reserve reserve = terms.reserve;
    if (rate == null) {
      if (reserve != null) {
        reserves.remove(reserve);
      }
      terms.reserve = null;
    } else if (reserve == null) {
      terms.reserve = new Reserve(leaf, rate, nowNanos);
    } else {
      reserve.setRate(rate, reserves.boundTokens(reserve), nowNanos);
    }
  }

  @Override
  public List<Request> withdrawAll(long nowNanos) {
    List<Request> waiting = new ArrayList<>(queued);
    root.dismissAll();
    rebaseIfDue(root);
    for (Share share : shareList) {
      switch (share) {
        case Group group -> {
          group.dismissAll();
          rebaseIfDue(group);
        }
        case Leaf leaf -> {
          for (Request r = leaf.queue.poll(); r != null; r = leaf.queue.poll()) {
            waiting.add(r);
          }
        }
      }
    }
    for (Share share : shareList) {
      if (share instanceof Leaf leaf && leaf.terms != null) {
        review(leaf, nowNanos);
      }
    }
    queued = 0;
    waiting.sort(Comparator.comparingLong(Request::sequence));
    return waiting;
  }

  @Override
  public List<Request> withdrawIf(Predicate<? super Request> gone, long nowNanos) {
    List<Request> withdrawn = new ArrayList<>();
    for (Share share : shareList) {
      if (share instanceof Leaf leaf && leaf.queue.moveIf(gone, withdrawn)) {
        if (leaf.terms != null) {
          review(leaf, nowNanos);
        } else if (leaf.queue.isEmpty()) {
          dismiss(leaf);
        }
      }
    }
    queued -= withdrawn.size();
    withdrawn.sort(Comparator.comparingLong(Request::sequence));
    return withdrawn;
  }

  /** Nothing competes at a share any more: nor does it, maybe, in the groups above it. */
  private void dismiss(Leaf leaf) {
    Share share = leaf;
    for (Group group = leaf.parent; group != null && !share.isBacklogged(); group = group.parent) {
      group.dismiss(share);
      rebaseIfDue(group);
      share = group;
    }
  }

  private void rebaseIfDue(Group group) {
    if (group.isDueForRebase()) {
      group.rebase(shareList);
    }
  }

  /**
   * Hangs every job where this tree says, at once and with what it has queued, and gives groups its
   * weights; a group keeps what it owes in tokens, as a job does that gets another weight.
   *
   * @throws IllegalArgumentException when the tree has no place for a job; then nothing has changed
   */
  @Override
  public void regroup(ShareTree other, long nowNanos) {
    List<List<String>> paths = new ArrayList<>(shareList.size());
    for (Share share : shareList) {
      paths.add(share instanceof Leaf leaf ? other.path(leaf.flow) : List.of());
    }
    tree = other;
    List<Group> left = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      if (shareList.get(i) instanceof Leaf leaf) {
        move(leaf, group(paths.get(i)), left);
      }
    }
    settle(left);
    for (Share share : shareList) {
      if (share instanceof Group group) {
        reweigh(group, tree.weight(group.path()));
      }
    }
    forgetSome(lookedAtPerNewShare * shareList.size(), nowNanos);
  }

  @Override
  public void place(Flow flow, long nowNanos) {
    Leaf leaf = leaves.get(flow.job());
    if (leaf != null) {
      List<String> path = tree.path(flow);
      leaf.flow = flow;
      List<Group> left = new ArrayList<>();
      move(leaf, group(path), left);
      settle(left);
    }
  }

  /**
   * Moves a job to another group.
   *
   * @param left gets the groups in which something has stopped to compete
   */
  @SuppressWarnings("ReferenceEquality") // This very group.
  private void move(Leaf leaf, Group to, List<Group> left) {
    Group from = leaf.parent;
    if (from == null || from == to) {
      return;
    }
    boolean competes = leaf.isQueued();
    long debt = from.release(leaf);
    from.members--;
    if (competes) {
      left.add(from);
      Group group = from;
      for (Group above = from.parent; above != null && !group.isBacklogged(); ) {
        above.release(group);
        left.add(above);
        group = above;
        above = group.parent;
      }
    }
    Group entrance = null;
    for (Group group = to;
        group != null && !group.isBacklogged() && !isAtOrAbove(group, from);
        group = group.parent) {
      entrance = group;
    }
    to.receive(leaf, debt);
    if (entrance != null && entrance.parent != null) {
      entrance.parent.oweAtLeast(entrance, debt);
    }
    if (competes) {
      compete(leaf, leaf.tieBreak);
    }
  }

  @SuppressWarnings("ReferenceEquality") // This very group.
  private static boolean isAtOrAbove(Group group, Group below) {
    for (Group at = below; at != null; at = at.parent) {
      if (at == group) {
        return true;
      }
    }
    return false;
  }

  private void settle(List<Group> left) {
    for (Group group : left) {
      group.settle();
      rebaseIfDue(group);
    }
  }

  /** Lets a share compete that has something queued, and the groups above it that did not. */
  private void compete(Leaf leaf, long tieBreak) {
    Share share = leaf;
    long order = tieBreak;
    for (Group group = leaf.parent; group != null && !share.isQueued(); group = group.parent) {
      group.admit(share, order);
      order = tieBreaks++;
      share = group;
    }
  }

  @Override
  public int queued() {
    return queued;
  }

  /** How many jobs and groups it remembers. */
  int remembered() {
    return shareList.size();
  }

  @Override
  public void checkInvariants(long nowNanos) {
    int requests = 0;
    int jobs = 0;
    int memberships = 0;
    int members = root.members;
    int withTerms = 0;
    int held = 0;
    anticipation.checkInvariants();
    reserves.checkInvariants();
    heldBack.checkInvariants();
    root.checkInvariants();
    for (int i = 0; i < shareList.size(); i++) {
      Share share = shareList.get(i);
      if (share.listIndex != i) {
        throw new IllegalStateException(share + " is at " + i + ", not at " + share.listIndex);
      }
      if (share.isBacklogged() != share.isQueued()) {
        throw new IllegalStateException(share + " is backlogged, or competes, but not both");
      }
      if (share.parent != null) {
        memberships++;
        share.parent.checkMember(share);
      }
      switch (share) {
        case Group group -> {
          group.checkInvariants();
          members += group.members;
        }
        case Leaf leaf -> {
          requests += leaf.queue.size();
          jobs++;
          withTerms += leaf.terms == null ? 0 : 1;
          held += leaf.heldBack ? 1 : 0;
          checkTerms(leaf);
          if (leaves.get(leaf.job()) != leaf) {
            throw new IllegalStateException(leaf + " cannot be found");
          }
        }
      }
    }
    if (withTerms != termed || held != heldBack.size()) {
      throw new IllegalStateException(
          withTerms
              + " jobs have a reserve or a limit and "
              + held
              + " are held back; the books say "
              + termed
              + " and "
              + heldBack.size());
    }
    if (requests != queued || jobs != leaves.size() || memberships != members) {
      throw new IllegalStateException(
          "the tree holds "
              + requests
              + " requests, "
              + jobs
              + " jobs and "
              + memberships
              + " members; the books say "
              + queued
              + ", "
              + leaves.size()
              + " and "
              + members);
    }
  }

  private void checkTerms(Leaf leaf) {
    Limit limit = leaf.terms == null ? null : leaf.terms.limit;
    Reserve reserve = leaf.terms == null ? null : leaf.terms.reserve;
    if (leaf.heldBack != (limit != null && limit.isQueued())
        || (leaf.heldBack && leaf.queue.isEmpty())
        || (reserve != null && reserve.isQueued() != leaf.isQueued())) {
      throw new IllegalStateException(leaf + " is held back or due by mistake");
    }
    if (limit != null) {
      limit.checkInvariants();
    }
    if (reserve != null) {
      reserves.check(reserve);
    }
  }

  private long price(Request request) {
    return price(request.operations(), request.bytes());
  }

  private long price(long operations, long bytes) {
    return Math.clamp(unit.price(operations, bytes), 1, PRICE_MAX);
  }

  private static long bounded(long weight) {
    return Math.min(weight, ShareTree.WEIGHT_MAX);
  }

  private static void reweigh(Share share, long weight) {
    if (share.parent != null && share.weight != weight) {
      share.parent.reweigh(share, weight);
    }
  }

  private Leaf leaf(Request request, long nowNanos) {
    Leaf leaf = leaves.get(request);
    return leaf == null ? newLeaf(request.flow(), nowNanos) : leaf;
  }

  private Leaf newLeaf(Flow flow, long nowNanos) {
    List<String> path = tree.path(flow);
    // First forget, then build: a group that was just built has no members yet, and would be next.
    forgetSome(lookedAtPerNewShare * (path.size() + 1), nowNanos);
    Group group = group(path);
    int index = shares.indexOf(flow.job());
    Leaf leaf = new Leaf(flow, group, index < 0 ? 1 : bounded(shares.weight(index)));
    leaf.namedBy = reconfigurations;
    leaves.add(leaf);
    group.members++;
    remember(leaf);
    if (index >= 0) {
      setTerms(leaf, index, nowNanos);
    }
    return leaf;
  }

  /** The group with this path, made where it is missing. */
  private Group group(List<String> path) {
    Group group = root;
    for (int depth = 1; depth <= path.size(); depth++) {
      String name = path.get(depth - 1);
      Group member = group.groups.get(name);
      if (member == null) {
        member = new Group(name, group, tree.weight(path.subList(0, depth)));
        group.groups.put(name, member);
        group.members++;
        remember(member);
      }
      group = member;
    }
    return group;
  }

  private void remember(Share share) {
    share.listIndex = shareList.size();
    shareList.add(share);
  }

  private void forgetSome(int lookedAt, long nowNanos) {
    for (int i = 0; i < lookedAt && !shareList.isEmpty(); i++) {
      if (lookAtNext >= shareList.size()) {
        lookAtNext = 0;
      }
      Share share = shareList.get(lookAtNext);
      Group group = share.parent;
      if (group != null && group.canForget(share) && !isMissed(share, nowNanos)) {
        forget(share, group);
      } else {
        lookAtNext++;
      }
    }
  }

  /**
   * Whether it has a reserve or a limit, of which there is more or less than at the beginning; or
   * whether it may come back, and what is known of its absences would be missed.
   */
  private static boolean isMissed(Share share, long nowNanos) {
    return share instanceof Leaf leaf
        && (leaf.terms != null || (leaf.absence != null && leaf.absence.isRecent(nowNanos)));
  }

  private void forget(Share share, Group group) {
    group.members--;
    switch (share) {
      case Leaf leaf -> {
        leaves.remove(leaf);
        if (leaf.absence != null) {
          anticipation.forget(leaf.absence);
        }
      }
      case Group member -> group.groups.remove(member.name);
    }
    // The last one takes its place in the list.
    Share last = shareList.removeLast();
    if (share.listIndex < shareList.size()) {
      shareList.set(share.listIndex, last);
      last.listIndex = share.listIndex;
    }
  }
}
