package dev.sluice.core.schedule;

import dev.sluice.core.model.Flow;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

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

  /** The bits of a weight: up to here every request moves its group in the order. */
  public static final int WEIGHT_BITS = 20;

  /** Bound on a group's weight. */
  public static final long WEIGHT_MAX = 1L << WEIGHT_BITS;

  private final Function<Flow, List<String>> placement;
  private final ToLongFunction<List<String>> weights;

  /**
   * @param placement the path of the group a flow's job belongs to, empty for a job directly under
   *     the root; its answers may change as more is known of a job, and are asked for again when a
   *     scheduler regroups
   * @param weights the weight of each group by its path; a group that is not listed weighs 1
   */
  public ShareTree(Function<Flow, List<String>> placement, Map<List<String>, Long> weights) {
    this(placement, listed(weights));
  }

  /**
   * The same with weights that are worked out.
   *
   * @param weights the weight of the group with this path: 1 to {@link #WEIGHT_MAX}
   */
  public ShareTree(Function<Flow, List<String>> placement, ToLongFunction<List<String>> weights) {
    this.placement = placement;
    this.weights = weights;
  }

  private static ToLongFunction<List<String>> listed(Map<List<String>, Long> weights) {
    Map<List<String>, Long> checked = new HashMap<>();
    weights.forEach((path, weight) -> {
      if (path.isEmpty() || path.size() > DEPTH_MAX) {
        throw new IllegalArgumentException(
            "a group's path has 1 to " + DEPTH_MAX + " names, this one has " + path.size());
      }
      checked.put(List.copyOf(path), inBounds(path, weight));
    });
    return path -> checked.getOrDefault(path, 1L);
  }

  private static long inBounds(List<String> path, long weight) {
    if (weight < 1 || weight > WEIGHT_MAX) {
      throw new IllegalArgumentException(
          "the weight of group "
              + String.join("/", path)
              + " must be 1 to "
              + WEIGHT_MAX
              + ", not "
              + weight);
    }
    return weight;
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

  /** The path of the group that the flow's job belongs to; empty for one under the root. */
  public List<String> path(Flow flow) {
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

  /** What the group with this path weighs. */
  public long weight(List<String> path) {
    return inBounds(path, weights.applyAsLong(path));
  }
}
