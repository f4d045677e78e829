package dev.sluice.core.schedule.fair;

import dev.sluice.core.schedule.IndexedHeap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A share that is divided among members by start-time fair queueing (Goyal, Vin and Cheng, 1996).
 *
 * <p>The member with the smallest start tag is served first. Its tag is then the group's virtual
 * time, and moves on by price / weight. A member that becomes backlogged starts from the virtual
 * time, or from its own finish tag if that is later: who was idle gains nothing by it. When the
 * last backlogged member leaves, virtual time moves to the latest finish tag, and all begin anew as
 * equals.
 *
 * <p>All of it rests on one number per member, its debt: how much more than its share it has had,
 * in parts of a token. {@code debt = (tag - virtual time) × weight + remainder}, and no debt is
 * below zero. Serving adds a price to the debt, a correction adds or takes a difference, and
 * another weight keeps the debt and gives it another tag. Because the remainder is kept, no part of
 * a token is ever lost to rounding while a member is backlogged.
 */
final class Group extends Share {
  /** Bound on a debt, so that tags and debts fit: twice the price of a largest request. */
  static final long DEBT_MAX = 1L << 61;

  /** Virtual time beyond which the members' tags are to be shifted back. */
  private static final long VIRTUAL_TIME_MAX = 1L << 61;

  /**
   * A group is charged for so many requests by reserve between two of its turns, no more. So those
   * of its members that have no reserve are served, however much is reserved for the others.
   */
  private static final int CHARGED_OUT_OF_TURN = 64;

  final String name;

  /** The members that are groups, by name. */
  final Map<String, Group> groups = new HashMap<>();

  /** How many members it has, backlogged or not. */
  int members;

  private final IndexedHeap<Share> backlogged = new IndexedHeap<>();
  private long virtualTime;
  private long latestFinish;

  /** What it was charged by reserve since its last turn. */
  private long outOfTurnTokens;

  Group(String name, @Nullable Group parent, long weight) {
    super(parent, weight);
    this.name = name;
  }

  /** Its path: the names from below the root down to it. */
  List<String> path() {
    List<String> path = new ArrayList<>();
    Group group = this;
    for (Group above = parent; above != null; above = above.parent) {
      path.add(group.name);
      group = above;
    }
    Collections.reverse(path);
    return path;
  }

  @Override
  public boolean isBacklogged() {
    return !backlogged.isEmpty();
  }

  /** The member to serve next; null when nothing is queued. */
  @Nullable Share first() {
    return backlogged.peek();
  }

  /** Lets a member that has become backlogged compete. */
  void admit(Share member, long tieBreak) {
    owe(member, debt(member));
    member.tieBreak = tieBreak;
    backlogged.insert(member, member.tag, tieBreak);
  }

  /**
   * Charges the first member for a request that was just taken from it, and moves virtual time to
   * where the member started. If nobody competes any more, all begin anew as equals, unless they
   * are about to come back.
   */
  void serve(Share member, long price, boolean othersComeBack, long tieBreak) {
    virtualTime = member.tag;
    // What it owes at its own tag is the remainder.
    owe(member, member.remainder + (price << TOKEN_SHIFT));
    if (member.isBacklogged()) {
      member.tieBreak = tieBreak;
      backlogged.putFirstBack(member.tag, tieBreak);
    } else {
      leave(member, othersComeBack);
    }
  }

  /**
   * The same for a member that is served by reserve, be it the first or not. Virtual time moves
   * only with the first.
   *
   * <p>Theorem. With {@code mostTokens} at least what can be had by reserve beyond its rate, and a
   * request: a job whose reserve is less than its share by weight has exactly that share in the
   * long run, one whose reserve is more has its reserve and nothing by weight. In both cases it
   * owes at most {@code mostTokens} when the reserve ends.
   *
   * @param mostTokens a job owes no more by that
   */
  void serveByReserve(
      Share member, long price, long mostTokens, boolean othersComeBack, long tieBreak) {
    long charged = price << TOKEN_SHIFT;
    switch (member) {
      case Leaf leaf -> {
        startFrom(leaf);
        long debt = debt(leaf);
        long most = Math.min(mostTokens, DEBT_MAX >> TOKEN_SHIFT) << TOKEN_SHIFT;
        owe(leaf, Math.max(debt, Math.min(debt + charged, most)));
      }
      case Group group -> {
        if (group.outOfTurnTokens < CHARGED_OUT_OF_TURN * price) {
          group.outOfTurnTokens += price;
          startFrom(group);
          owe(group, debt(group) + charged);
        }
      }
    }
    if (member.isBacklogged()) {
      member.tieBreak = tieBreak;
      backlogged.update(member, member.tag, tieBreak);
    } else {
      leave(member, othersComeBack);
    }
  }

  /** Moves virtual time to where a member starts if it is the first. */
  @SuppressWarnings("ReferenceEquality") // This very share.
  private void startFrom(Share member) {
    if (first() == member) {
      virtualTime = member.tag;
    }
  }

  /** One of its members was served by weight. */
  void hasHadItsTurn() {
    outOfTurnTokens = 0;
  }

  /** A member that was served has nothing left. */
  private void leave(Share member, boolean othersComeBack) {
    backlogged.remove(member);
    if (backlogged.isEmpty() && !othersComeBack) {
      virtualTime = latestFinish;
    }
  }

  /** Where a member starts that has something queued, or would if it had. */
  long startTag(Share member) {
    return Math.max(virtualTime, member.tag);
  }

  /** A member has nothing queued any more, without having been served: it keeps its place. */
  void dismiss(Share member) {
    backlogged.remove(member);
    settle();
  }

  /**
   * A member leaves for another group, or only has nothing queued any more; who stays goes on as if
   * it were still there. To be followed by {@link #settle} once all have left that leave together.
   *
   * @return what it owes
   */
  long release(Share member) {
    long debt = debt(member);
    if (member.isQueued()) {
      backlogged.remove(member);
    }
    return debt;
  }

  /** A share becomes a member that owes this already. */
  void receive(Share member, long debt) {
    member.parent = this;
    members++;
    owe(member, debt);
  }

  /** Lets a member that has nothing queued owe this, if it does not owe more. */
  void oweAtLeast(Share member, long debt) {
    owe(member, Math.max(debt(member), debt));
  }

  /** If nobody competes any more, all begin anew as equals. */
  void settle() {
    if (backlogged.isEmpty()) {
      virtualTime = latestFinish;
    }
  }

  /** Lets nobody compete any more, as after the last request was served. */
  void dismissAll() {
    if (backlogged.isEmpty()) {
      return;
    }
    for (Share member = backlogged.peek(); member != null; member = backlogged.peek()) {
      backlogged.remove(member);
    }
    virtualTime = latestFinish;
  }

  /** Charges a member more, or less when the difference is negative, than {@link #serve} did. */
  void correct(Share member, long priceDifference) {
    owe(member, debt(member) + (priceDifference << TOKEN_SHIFT));
    reorder(member);
  }

  /** Gives a member another weight; what it owes stays what it is in tokens. */
  void reweigh(Share member, long weight) {
    long debt = debt(member);
    member.weight = weight;
    owe(member, debt);
    reorder(member);
  }

  /**
   * Whether forgetting a member changes no later answer. One that has nothing queued and stands no
   * further than virtual time owes nothing: when it comes back it starts from virtual time, exactly
   * as a new member does, and virtual time never goes back. A group must have no members either,
   * whose debts would go with it.
   */
  boolean canForget(Share member) {
    return !member.isQueued()
        && member.tag <= virtualTime
        && !(member instanceof Group group && group.members > 0);
  }

  /** Whether tags have grown so large that they are to be shifted back. */
  boolean isDueForRebase() {
    return virtualTime > VIRTUAL_TIME_MAX;
  }

  /**
   * Shifts virtual time back to zero and all tags with it. Only differences between tags matter, so
   * nothing else changes.
   */
  void rebase(Iterable<Share> allShares) {
    for (Share share : allShares) {
      if (share.parent == this && !share.isQueued()) {
        share.remainder = share.tag <= virtualTime ? 0 : share.remainder;
        share.tag = Math.max(0, share.tag - virtualTime);
      }
    }
    // From the first place on, so that no entry comes before its parent meanwhile: none moves.
    for (int i = 0; i < backlogged.size(); i++) {
      Share member = backlogged.get(i);
      member.tag -= virtualTime;
      backlogged.update(member, member.tag, member.tieBreak);
    }
    latestFinish -= virtualTime;
    virtualTime = 0;
  }

  void checkInvariants() {
    backlogged.checkInvariants();
    for (int i = 0; i < backlogged.size(); i++) {
      Share member = backlogged.get(i);
      if (member.parent != this || !member.isBacklogged()) {
        throw new IllegalStateException(member + " competes in " + this + " for nothing");
      }
      if (member.tag < virtualTime) {
        throw new IllegalStateException(
            member + " starts at " + member.tag + ", before " + this + ", at " + virtualTime);
      }
    }
    Share first = backlogged.peek();
    if (first != null && first.tag != backlogged.minKey()) {
      throw new IllegalStateException(
          first + " stands at " + first.tag + " and is ordered by " + backlogged.minKey());
    }
    long ahead = latestFinish - virtualTime;
    if (virtualTime < 0 || isDueForRebase() || ahead < 0 || ahead > DEBT_MAX) {
      throw new IllegalStateException(
          this + " is at " + virtualTime + ", its latest finish at " + latestFinish);
    }
  }

  void checkMember(Share member) {
    if (member.tag < 0 || member.tag > latestFinish) {
      throw new IllegalStateException(
          member + " stands at " + member.tag + ", the latest finish is " + latestFinish);
    }
    if (member.weight < 1 || member.weight > WEIGHT_MAX) {
      throw new IllegalStateException(member + " weighs " + member.weight);
    }
    if (member.remainder < 0 || member.remainder >= member.weight) {
      throw new IllegalStateException(
          member + " weighs " + member.weight + " and carries " + member.remainder);
    }
    if (debt(member) > DEBT_MAX) {
      throw new IllegalStateException(member + " owes " + debt(member));
    }
  }

  private long debt(Share member) {
    long ahead = member.tag - virtualTime;
    return ahead > 0 || member.isQueued() ? ahead * member.weight + member.remainder : 0;
  }

  private void owe(Share member, long debt) {
    long bounded = Math.clamp(debt, 0, DEBT_MAX);
    // Most shares weigh 1, and a division is the dearest instruction of a dispatch.
    long ahead = member.weight == 1 ? bounded : bounded / member.weight;
    member.remainder = bounded - ahead * member.weight;
    member.tag = virtualTime + ahead;
    latestFinish = Math.max(latestFinish, member.tag);
  }

  private void reorder(Share member) {
    if (member.isQueued()) {
      backlogged.update(member, member.tag, member.tieBreak);
    }
  }

  @Override
  public String toString() {
    return parent == null ? "the root" : "group " + name;
  }
}
