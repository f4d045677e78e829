package dev.sluice.core.schedule.fair;

import dev.sluice.core.schedule.terms.Competition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All shares, and the order by weight in which jobs are served: every {@link Group} orders its own
 * members, and what is done to a job here is done at all levels of the tree above it.
 */
final class ShareOrder implements Competition<Leaf> {
  private final Group root = new Group("", null, 1);

  /** Every share but the root, in no order. */
  private final List<Share> shares = new ArrayList<>();

  private final List<Share> readOnlyShares = Collections.unmodifiableList(shares);
  private long tieBreaks;

  Group root() {
    return root;
  }

  /** Every share but the root, in no order. */
  List<Share> shares() {
    return readOnlyShares;
  }

  /** A group has a new member. */
  void add(Share share, Group group) {
    group.members++;
    share.listIndex = shares.size();
    shares.add(share);
  }

  /** A member that does not compete is one no longer. */
  void remove(Share share, Group group) {
    group.members--;
    // The last one takes its place in the list.
    Share last = shares.removeLast();
    if (share.listIndex < shares.size()) {
      shares.set(share.listIndex, last);
      last.listIndex = share.listIndex;
    }
  }

  /** The job to serve next by weight; null when none competes. */
  @Nullable Leaf first() {
    Share first = root.first();
    while (first instanceof Group group) {
      first = group.first();
    }
    return first instanceof Leaf leaf ? leaf : null;
  }

  /** Whether a share would be next if it had something queued. */
  @SuppressWarnings("ReferenceEquality") // This very share.
  static boolean wouldBeFirst(Share share) {
    Group group = share.parent;
    if (group == null) {
      return true;
    }
    Share first = group.first();
    return (first == null || first == share || group.startTag(share) < first.tag)
        && wouldBeFirst(group);
  }

  /** Lets a job compete that has something queued, behind those that stand where it does. */
  @Override
  public void compete(Leaf leaf) {
    compete(leaf, tieBreaks++);
  }

  /** Lets a job compete that has something queued, and the groups above it that did not. */
  void compete(Leaf leaf, long tieBreak) {
    Share share = leaf;
    long order = tieBreak;
    for (Group group = leaf.parent; group != null && !share.isQueued(); group = group.parent) {
      group.admit(share, order);
      order = tieBreaks++;
      share = group;
    }
  }

  /** Nothing competes at a share any more: nor does it, maybe, in the groups above it. */
  @Override
  public void dismiss(Leaf leaf) {
    Share share = leaf;
    for (Group group = leaf.parent; group != null && !share.isBacklogged(); group = group.parent) {
      group.dismiss(share);
      rebaseIfDue(group);
      share = group;
    }
  }

  @Override
  public boolean isCompeting(Leaf leaf) {
    return leaf.isQueued();
  }

  /** Lets nobody compete any more. */
  void dismissAll() {
    root.dismissAll();
    rebaseIfDue(root);
    for (Share share : shares) {
      if (share instanceof Group group) {
        group.dismissAll();
        rebaseIfDue(group);
      }
    }
  }

  /** Charges the first job for a request that was just taken from it. */
  void serve(Leaf leaf, long price, boolean othersComeBack) {
    Share share = leaf;
    for (Group group = leaf.parent; group != null; group = group.parent) {
      group.serve(share, price, othersComeBack, tieBreaks++);
      rebaseIfDue(group);
      share = group;
    }
  }

  /** The same where some are served by reserve: the groups above it have had their turn. */
  void serveInTurn(Leaf leaf, long price, boolean othersComeBack) {
    serve(leaf, price, othersComeBack);
    for (Group group = leaf.parent; group != null; group = group.parent) {
      group.hasHadItsTurn();
    }
  }

  /**
   * The same for a job that is served by reserve, be it the first or not.
   *
   * @param mostTokens it owes no more by that
   */
  void serveByReserve(Leaf leaf, long price, long mostTokens, boolean othersComeBack) {
    Share share = leaf;
    for (Group group = leaf.parent; group != null; group = group.parent) {
      group.serveByReserve(share, price, mostTokens, othersComeBack, tieBreaks++);
      rebaseIfDue(group);
      share = group;
    }
  }

  /** Charges a job more, or less when the difference is negative, than when it was served. */
  void correct(Leaf leaf, long priceDifference) {
    Share share = leaf;
    for (Group group = leaf.parent; group != null; group = group.parent) {
      group.correct(share, priceDifference);
      share = group;
    }
  }

  /** All have left these groups that leave together. */
  void settle(List<Group> left) {
    for (Group group : left) {
      group.settle();
      rebaseIfDue(group);
    }
  }

  private void rebaseIfDue(Group group) {
    if (group.isDueForRebase()) {
      group.rebase(shares);
    }
  }

  void checkInvariants() {
    int memberships = 0;
    int members = root.members;
    root.checkInvariants();
    for (int i = 0; i < shares.size(); i++) {
      Share share = shares.get(i);
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
      if (share instanceof Group group) {
        group.checkInvariants();
        members += group.members;
      }
    }
    if (memberships != members) {
      throw new IllegalStateException(
          "the tree holds " + memberships + " members; the books say " + members);
    }
  }
}
