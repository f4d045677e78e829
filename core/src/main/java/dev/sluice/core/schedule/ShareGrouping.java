package dev.sluice.core.schedule;

import dev.sluice.core.model.Flow;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * By what jobs are grouped where they share by weight, and what the groups weigh, as people say it:
 * {@code shares: {by: [account, user, job], weights: {account: {physics: 3}}}}.
 *
 * @param levels from the root down; jobs are below the last of them
 * @param weights by level and name; a group that is not named weighs 1, or what it is given. A name
 *     weighs the same wherever it turns up: a user in each of several accounts
 * @param given what accounts and their users weigh of whom no weight is said
 */
public record ShareGrouping(
    List<Level> levels, Map<Level, Map<String, Long>> weights, GivenWeights given) {
  /** All jobs side by side. */
  public static final ShareGrouping FLAT = new ShareGrouping(List.of(), Map.of());

  /** The group of those of which nobody knows an account, a user or a group. */
  public static final String NONE = "(none)";

  /** What is below all levels, as people write it. */
  public static final String JOB = "job";

  private static final String SEPARATOR = " / ";

  /** By what jobs can be grouped. */
  public enum Level {
    ACCOUNT,
    USER,
    GROUP;

    /** As people write it: {@code account}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    private String of(JobOwner owner) {
      String name =
          switch (this) {
            case ACCOUNT -> owner.account();
            case USER -> owner.user();
            case GROUP -> owner.group();
          };
      return name.isEmpty() ? NONE : name;
    }
  }

  /** With weights that are said, and none that are given. */
  public ShareGrouping(List<Level> levels, Map<Level, Map<String, Long>> weights) {
    this(levels, weights, GivenWeights.NONE);
  }

  public ShareGrouping {
    levels = List.copyOf(levels);
    if (!levels.isEmpty() && EnumSet.copyOf(levels).size() < levels.size()) {
      throw new IllegalArgumentException("a level is there twice: " + levels);
    }
    Map<Level, Map<String, Long>> checked = new EnumMap<>(Level.class);
    for (Map.Entry<Level, Map<String, Long>> entry : weights.entrySet()) {
      if (!levels.contains(entry.getKey())) {
        throw new IllegalArgumentException("nothing is grouped by " + entry.getKey().text());
      }
      entry
          .getValue()
          .forEach((name, weight) -> {
            if (weight < 1 || weight > ShareTree.WEIGHT_MAX) {
              throw new IllegalArgumentException(
                  "the weight of %s %s must be 1 to %d, not %d"
                      .formatted(entry.getKey().text(), name, ShareTree.WEIGHT_MAX, weight));
            }
          });
      checked.put(entry.getKey(), Map.copyOf(entry.getValue()));
    }
    weights = Map.copyOf(checked);
  }

  public boolean isFlat() {
    return levels.isEmpty();
  }

  /** The path of the group that a job of this owner belongs to: a name for each level. */
  public List<String> path(JobOwner owner) {
    List<String> path = new ArrayList<>(levels.size());
    for (Level level : levels) {
      path.add(level.of(owner));
    }
    return path;
  }

  /**
   * The same with the shares that accounts and their users have by somebody's books. A weight that
   * is said counts for more than they do, and means so many shares; whoever is in neither has one.
   */
  public ShareGrouping weighedBy(AccountShares shares) {
    return new ShareGrouping(
        levels, weights, GivenWeights.of(shares, mostSaid(Level.ACCOUNT), mostSaid(Level.USER)));
  }

  private long mostSaid(Level level) {
    return said(level).values().stream().mapToLong(Long::longValue).max().orElse(1);
  }

  private Map<String, Long> said(Level level) {
    return weights.getOrDefault(level, Map.of());
  }

  /** What the group with this path weighs: 1 where it is below all levels, as by another tree. */
  public long weight(List<String> path) {
    if (path.size() > levels.size()) {
      return 1;
    }
    Level level = levels.get(path.size() - 1);
    return siblings(level, path).weight(path.getLast(), said(level).get(path.getLast()));
  }

  /** Those beside whom the group with this path, which is of this level, has its share. */
  private SiblingWeights siblings(Level level, List<String> path) {
    int account = levels.indexOf(Level.ACCOUNT);
    return switch (level) {
      case ACCOUNT -> given.accounts();
      case USER ->
          account >= 0 && account < path.size()
              ? given.usersOf(path.get(account))
              : SiblingWeights.EQUAL;
      case GROUP -> SiblingWeights.EQUAL;
    };
  }

  /** The tree for a scheduler, which asks whose the job of a flow is. */
  public ShareTree tree(Function<Flow, JobOwner> owners) {
    return isFlat()
        ? ShareTree.flat()
        : new ShareTree(flow -> path(owners.apply(flow)), this::weight);
  }

  /** For people: {@code physics / alice}. */
  public static String branch(List<String> path) {
    return String.join(SEPARATOR, path);
  }

  /** For people: how many shares each group on a path has beside its siblings, {@code 3 / 1.5}. */
  public String sharesOn(List<String> path) {
    List<String> words = new ArrayList<>();
    for (int depth = 1; depth <= path.size() && depth <= levels.size(); depth++) {
      List<String> group = path.subList(0, depth);
      double shares = weight(group) / siblings(levels.get(depth - 1), group).ofOneShare();
      words.add(
          shares == Math.rint(shares)
              ? String.valueOf((long) shares)
              : String.format(Locale.ROOT, "%.3g", shares));
    }
    return branch(words);
  }

  /** For people: {@code account, user, job}. */
  public String text() {
    List<String> words = new ArrayList<>();
    levels.forEach(level -> words.add(level.text()));
    words.add(JOB);
    return String.join(", ", words);
  }

  /** For people, with whose shares count: {@code account, user, job, with the shares of Slurm}. */
  public String words() {
    return given.keeper().isEmpty() ? text() : text() + ", with the shares of " + given.keeper();
  }
}
