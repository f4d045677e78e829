package dev.sluice.core.schedule.fair;

import dev.sluice.core.model.Flow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Where each job hangs in a tree of shares, and what the groups above the jobs weigh. What a group
 * gets is divided among its members by their weights, at every level, so that a user with a hundred
 * jobs gets no more than a user with one.
 *
 * <p>A group is named by its path: the names from below the root down to it. A job is always a
 * leaf; its own weight is no part of the tree but comes with each reconfiguration.
 */
public final class ShareTree {
  /** Bound on the groups above one job. */
  public static final int DEPTH_MAX = 16;

  /** Bound on a group's weight: up to here every request moves its group in the order. */
  public static final long WEIGHT_MAX = Share.WEIGHT_MAX;

  private final Function<Flow, List<String>> placement;
  private final Map<List<String>, Long> weights;

  /**
   * @param placement the path of the group a flow's job belongs to, empty for a job directly under
   *     the root; must give equal answers to equal flows
   * @param weights the weight of each group by its path; a group that is not listed weighs 1
   */
  public ShareTree(Function<Flow, List<String>> placement, Map<List<String>, Long> weights) {
    this.placement = placement;
    this.weights = new HashMap<>();
    weights.forEach((path, weight) -> {
      if (path.isEmpty() || path.size() > DEPTH_MAX) {
        throw new IllegalArgumentException(
            "a group's path has 1 to " + DEPTH_MAX + " names, this one has " + path.size());
      }
      if (weight < 1 || weight > WEIGHT_MAX) {
        throw new IllegalArgumentException(
            "the weight of group "
                + String.join("/", path)
                + " must be 1 to "
                + WEIGHT_MAX
                + ", not "
                + weight);
      }
      this.weights.put(List.copyOf(path), weight);
    });
  }

  /** All jobs side by side. */
  public static ShareTree flat() {
    return new ShareTree(_ -> List.of(), Map.of());
  }

  /**
   * Equal shares for users, each divided among the user's jobs. A job without a user counts as a
   * user of its own.
   */
  public static ShareTree byUser() {
    return new ShareTree(
        flow -> flow.user().isEmpty() ? List.of() : List.of(flow.user()), Map.of());
  }

  List<String> path(Flow flow) {
    List<String> path = placement.apply(flow);
    if (path.size() > DEPTH_MAX) {
      throw new IllegalArgumentException(
          "job "
              + flow.job()
              + " is placed below "
              + path.size()
              + " groups, expected at most "
              + DEPTH_MAX);
    }
    return path;
  }

  long weight(List<String> path) {
    return weights.getOrDefault(path, 1L);
  }
}
