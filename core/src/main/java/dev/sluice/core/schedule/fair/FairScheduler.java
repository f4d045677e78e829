package dev.sluice.core.schedule.fair;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Divides a target by weight, over a tree of shares, and never lets it idle while something waits,
 * unless it is told that there is time for that: start-time fair queueing at every level of the
 * tree.
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
 * <p>Weights are all it knows: the token limits in {@link Shares} change nothing, a job with no
 * tokens included. A weight above {@link ShareTree#WEIGHT_MAX} counts as that, a price of zero as 1
 * and a price above {@link #PRICE_MAX} as that.
 *
 * <p>Where a job hangs in the tree is decided by the first of its requests after it was unknown or
 * forgotten. Jobs and groups with nothing queued are forgotten once that changes no later answer;
 * there are at most about twice as many as cannot be forgotten.
 */
public final class FairScheduler implements RequestScheduler {
  /** Bound on the price a request counts with, so that tags fit: a terabyte at a token a byte. */
  public static final long PRICE_MAX = 1L << 40;

  /** How many shares are looked at to be forgotten for each new one; 1 would only keep pace. */
  private static final int LOOKED_AT_PER_NEW_SHARE = 2;

  private final TokenUnit unit;
  private final ShareTree tree;
  private final int lookedAtPerNewShare;
  private final Group root = new Group("", null, 1);
  private final JobTable<Leaf> leaves = new JobTable<>();

  /** Every share but the root, in no order. */
  private final List<Share> shareList = new ArrayList<>();

  private final Anticipation anticipation = new Anticipation();
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
    Share share = leaf;
    Group group = leaf.parent;
    while (group != null && !share.isQueued()) {
      group.admit(share, tieBreaks++);
      share = group;
      group = group.parent;
    }
  }

  @Override
  public Dispatch next(long nowNanos) {
    Leaf leaf = first();
    return leaf == null ? Dispatch.EMPTY : serve(leaf, takeFrom(leaf));
  }

  /** Waits for who should be next and is about to come back: {@link Anticipation} says when. */
  @Override
  public Dispatch next(Pace pace, long nowNanos) {
    Leaf leaf = first();
    if (leaf == null) {
      return Dispatch.EMPTY;
    }
    Request head = leaf.queue.peek();
    if (head != null && pace.isShort() && anticipation.isAnybodyAway()) {
      long until = anticipation.holdUntil(price(head), pace, nowNanos);
      if (until > nowNanos) {
        return new Dispatch.NotBefore(until);
      }
    }
    anticipation.handsOut(pace, nowNanos);
    Request request = takeFrom(leaf);
    if (leaf.queue.isEmpty()) {
      anticipation.leaves(leaf, price(request), nowNanos);
    }
    return serve(leaf, request);
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
      if (group.isDueForRebase()) {
        group.rebase(shareList);
      }
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
    Share share = leaf(request, nowNanos);
    for (Group group = share.parent; group != null; group = group.parent) {
      group.correct(share, difference);
      share = group;
    }
  }

  /**
   * Replaces the weights of all jobs. A job keeps what it owes in tokens, and so moves in the order
   * as if what it had of late had been charged at its new weight; what it has queued is charged at
   * that weight when it is served.
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
      }
    }
    for (Share share : shareList) {
      if (share instanceof Leaf leaf && leaf.namedBy != reconfigurations) {
        reweigh(leaf, 1);
      }
    }
  }

  @Override
  public List<Request> withdrawAll(long nowNanos) {
    List<Request> waiting = new ArrayList<>(queued);
    root.dismissAll();
    for (Share share : shareList) {
      switch (share) {
        case Group group -> group.dismissAll();
        case Leaf leaf -> {
          for (Request r = leaf.queue.poll(); r != null; r = leaf.queue.poll()) {
            waiting.add(r);
          }
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
    for (Share share : shareList) {
      if (share instanceof Leaf leaf
          && leaf.queue.moveIf(gone, withdrawn)
          && leaf.queue.isEmpty()) {
        dismiss(leaf);
      }
    }
    queued -= withdrawn.size();
    withdrawn.sort(Comparator.comparingLong(Request::sequence));
    return withdrawn;
  }

  /** Nothing is queued at a share any more: nor is there, maybe, in the groups above it. */
  private static void dismiss(Leaf leaf) {
    Share share = leaf;
    for (Group group = leaf.parent; group != null && !share.isBacklogged(); group = group.parent) {
      group.dismiss(share);
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
    anticipation.checkInvariants();
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
          if (leaves.get(leaf.job()) != leaf) {
            throw new IllegalStateException(leaf + " cannot be found");
          }
        }
      }
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

  private long price(Request request) {
    return price(request.operations(), request.bytes());
  }

  private long price(long operations, long bytes) {
    return Math.clamp(unit.price(operations, bytes), 1, PRICE_MAX);
  }

  private static long bounded(long weight) {
    return Math.min(weight, ShareTree.WEIGHT_MAX);
  }

  private static void reweigh(Leaf leaf, long weight) {
    if (leaf.parent != null && leaf.weight != weight) {
      leaf.parent.reweigh(leaf, weight);
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
    Group group = root;
    for (int depth = 1; depth <= path.size(); depth++) {
      String name = path.get(depth - 1);
      Group member = group.groups.get(name);
      if (member == null) {
        member = new Group(name, group, tree.weight(path.subList(0, depth)));
        group.groups.put(name, member);
        remember(member, group);
      }
      group = member;
    }
    int index = shares.indexOf(flow.job());
    Leaf leaf = new Leaf(flow.job(), group, index < 0 ? 1 : bounded(shares.weight(index)));
    leaf.namedBy = reconfigurations;
    leaves.add(leaf);
    remember(leaf, group);
    return leaf;
  }

  private void remember(Share share, Group group) {
    group.members++;
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
      if (group != null && group.canForget(share) && !isAwayForNow(share, nowNanos)) {
        forget(share, group);
      } else {
        lookAtNext++;
      }
    }
  }

  /** Whether it may come back, and what is known of its absences would be missed. */
  private static boolean isAwayForNow(Share share, long nowNanos) {
    return share instanceof Leaf leaf && leaf.absence != null && leaf.absence.isRecent(nowNanos);
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
