package dev.sluice.core.schedule.sojourn;

import dev.sluice.core.schedule.JobTable;
import dev.sluice.core.schedule.ShareTree;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * What jobs weigh side by side where they hang in a tree of shares: a job's part of its group,
 * times the group's part of the group above, and so on, among those that do something.
 *
 * <p>Theorem. The weights of the busy jobs of one group are to each other as the jobs' own, and the
 * sums of those of groups side by side as the groups' weights, as far as {@link #WHOLE} whole parts
 * tell them apart. So a user with a hundred jobs has no more than one with a single job.
 */
final class BranchWeights {
  /** What all busy jobs weigh together. */
  static final long WHOLE = ShareTree.WEIGHT_MAX;

  private final ShareTree tree;
  private final Map<List<String>, Group> groups = new HashMap<>();

  /** A group, with what its members weigh that are busy. */
  private static final class Group {
    final long weight;
    long membersWeigh;

    Group(long weight) {
      this.weight = weight;
    }
  }

  BranchWeights(ShareTree tree) {
    this.tree = tree;
  }

  /** Asks the tree where a job hangs; answers whether that is in a group. */
  boolean place(PhaseQueue queue) {
    queue.path = List.copyOf(tree.path(queue.flow));
    return !queue.path.isEmpty();
  }

  /** Works out what each busy job weighs. */
  void weigh(JobTable<PhaseQueue> queues, ObjLongConsumer<PhaseQueue> weighed, long nowNanos) {
    groups.clear();
    queues.forEach(queue -> {
      if (queue.isBusy(nowNanos)) {
        add(queue.path, queue.ownWeight);
      }
    });
    queues.forEach(queue -> {
      if (queue.isBusy(nowNanos)) {
        weighed.accept(queue, Math.max(1, Math.round(part(queue) * WHOLE)));
      }
    });
  }

  /** One more member; a group that is new is a member itself. */
  private void add(List<String> path, long weight) {
    Group group = groups.get(path);
    if (group == null) {
      group = new Group(path.isEmpty() ? 1 : tree.weight(path));
      groups.put(path, group);
      if (!path.isEmpty()) {
        add(path.subList(0, path.size() - 1), group.weight);
      }
    }
    group.membersWeigh += weight;
  }

  private double part(PhaseQueue queue) {
    double part = 1;
    long weight = queue.ownWeight;
    for (int depth = queue.path.size(); depth >= 0; depth--) {
      Group group = groups.get(queue.path.subList(0, depth));
      if (group == null) {
        throw new IllegalStateException(queue + " is in no group");
      }
      part *= (double) weight / group.membersWeigh;
      weight = group.weight;
    }
    return part;
  }
}
