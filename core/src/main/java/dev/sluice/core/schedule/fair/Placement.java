package dev.sluice.core.schedule.fair;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.anticipation.Anticipation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where each job hangs in the tree of shares: finds jobs, makes those that are unknown and the
 * groups they need, moves them to other groups, and forgets those that would not be missed.
 */
final class Placement {
  private ShareTree tree;
  private final ShareOrder order;
  private final Anticipation<Leaf> anticipation;
  private final int lookedAtPerNewShare;
  private final JobTable<Leaf> leaves = new JobTable<>();
  private int lookAtNext;

  /**
   * @param lookedAtPerNewShare how many shares are looked at to be forgotten for each new one: with
   *     0 none is forgotten, and 1 would only keep pace
   */
  Placement(
      ShareTree tree, ShareOrder order, Anticipation<Leaf> anticipation, int lookedAtPerNewShare) {
    this.tree = tree;
    this.order = order;
    this.anticipation = anticipation;
    this.lookedAtPerNewShare = lookedAtPerNewShare;
  }

  /** The job of a request; null when it is unknown. */
  @Nullable Leaf find(Request request) {
    return leaves.get(request);
  }

  /** Null when it is unknown. */
  @Nullable Leaf find(JobId job) {
    return leaves.get(job);
  }

  /** Makes a job that is unknown, and forgets others for it. */
  Leaf add(Flow flow, long weight, long nowNanos) {
    List<String> path = tree.path(flow);
    // First forget, then build: a group that was just built has no members yet, and would be next.
    forgetSome(lookedAtPerNewShare * (path.size() + 1), nowNanos);
    Group group = group(path);
    Leaf leaf = new Leaf(flow, group, weight);
    leaves.add(leaf);
    order.add(leaf, group);
    return leaf;
  }

  /** The group with this path, made where it is missing. */
  private Group group(List<String> path) {
    Group group = order.root();
    for (int depth = 1; depth <= path.size(); depth++) {
      String name = path.get(depth - 1);
      Group member = group.groups.get(name);
      if (member == null) {
        member = new Group(name, group, tree.weight(path.subList(0, depth)));
        group.groups.put(name, member);
        order.add(member, group);
      }
      group = member;
    }
    return group;
  }

  private void forgetSome(int lookedAt, long nowNanos) {
    List<Share> shares = order.shares();
    for (int i = 0; i < lookedAt && !shares.isEmpty(); i++) {
      if (lookAtNext >= shares.size()) {
        lookAtNext = 0;
      }
      Share share = shares.get(lookAtNext);
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
    order.remove(share, group);
    switch (share) {
      case Leaf leaf -> {
        leaves.remove(leaf);
        if (leaf.absence != null) {
          anticipation.forget(leaf.absence);
        }
      }
      case Group member -> group.groups.remove(member.name);
    }
  }

  /**
   * Hangs every job where this tree says, at once and with what it has queued, and gives groups its
   * weights.
   *
   * @throws IllegalArgumentException when the tree has no place for a job; then nothing has changed
   */
  void regroup(ShareTree other, long nowNanos) {
    List<Share> shares = order.shares();
    List<List<String>> paths = new ArrayList<>(shares.size());
    for (Share share : shares) {
      paths.add(share instanceof Leaf leaf ? other.path(leaf.flow) : List.of());
    }
    tree = other;
    List<Group> left = new ArrayList<>();
    for (int i = 0; i < paths.size(); i++) {
      if (shares.get(i) instanceof Leaf leaf) {
        move(leaf, group(paths.get(i)), left);
      }
    }
    order.settle(left);
    for (Share share : shares) {
      if (share instanceof Group group) {
        group.setWeight(tree.weight(group.path()));
      }
    }
    forgetSome(lookedAtPerNewShare * shares.size(), nowNanos);
  }

  /** Hangs a job, if it is known, where its flow belongs from now on. */
  void place(Flow flow) {
    Leaf leaf = leaves.get(flow.job());
    if (leaf != null) {
      List<String> path = tree.path(flow);
      leaf.flow = flow;
      List<Group> left = new ArrayList<>();
      move(leaf, group(path), left);
      order.settle(left);
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
      order.compete(leaf, leaf.tieBreak);
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

  void checkInvariants() {
    int jobs = 0;
    for (Share share : order.shares()) {
      if (share instanceof Leaf leaf) {
        jobs++;
        if (leaves.get(leaf.job()) != leaf) {
          throw new IllegalStateException(leaf + " cannot be found");
        }
      }
    }
    if (jobs != leaves.size()) {
      throw new IllegalStateException(
          "the tree holds " + jobs + " jobs; the books say " + leaves.size());
    }
  }
}
