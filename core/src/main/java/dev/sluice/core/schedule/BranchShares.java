package dev.sluice.core.schedule;

import dev.sluice.core.model.JobId;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * What part of a target each job has by its branch of the tree of shares, while all jobs that are
 * listed are busy.
 *
 * <p>Theorem. The parts of all listed jobs add up to 1; those of the jobs of one group are to each
 * other as the jobs' weights, and the sums of those of groups side by side as the groups' weights.
 */
public final class BranchShares {
  private final ShareGrouping grouping;
  private final Shares shares;
  private final Function<JobId, JobOwner> owners;

  /** By the path of each group, what its members weigh together. */
  private final Map<List<String>, Long> membersWeigh = new HashMap<>();

  /**
   * @param shares the jobs that share, with their weights
   * @param owners whose each of them is; must give equal answers to equal jobs
   */
  public BranchShares(ShareGrouping grouping, Shares shares, Function<JobId, JobOwner> owners) {
    this.grouping = grouping;
    this.shares = shares;
    this.owners = owners;
    for (int i = 0; i < shares.size(); i++) {
      add(path(shares.job(i)), weight(shares.job(i)));
    }
  }

  /** One more member; a group that is new is a member itself. */
  private void add(List<String> group, long weight) {
    boolean isNew = !membersWeigh.containsKey(group);
    membersWeigh.merge(group, weight, Long::sum);
    if (isNew && !group.isEmpty()) {
      add(group.subList(0, group.size() - 1), grouping.weight(group));
    }
  }

  private List<String> path(JobId job) {
    return grouping.path(owners.apply(job));
  }

  private long weight(JobId job) {
    int index = shares.indexOf(job);
    return index < 0 ? 1 : Math.min(shares.weight(index), ShareTree.WEIGHT_MAX);
  }

  public ShareGrouping grouping() {
    return grouping;
  }

  /** The part of the target that a listed job has: above 0, at most 1. */
  public double part(JobId job) {
    double part = 1;
    for (Fraction fraction : fractions(job)) {
      part *= fraction.value();
    }
    return part;
  }

  /** For people: {@code physics / alice / job 17: 1/2 of 1/3}, 17 % or so. */
  public String words(JobId job) {
    List<String> parts = new ArrayList<>();
    for (Fraction fraction : fractions(job)) {
      if (!fraction.isAll()) {
        parts.add(fraction.text());
      }
    }
    List<String> names = new ArrayList<>(path(job));
    names.add("job " + job);
    return ShareGrouping.branch(names)
        + ": "
        + (parts.isEmpty() ? "all" : String.join(" of ", parts))
        + (parts.size() < 2 ? "" : String.format(Locale.ROOT, ", %.3g %%", 100 * part(job)));
  }

  /** Of its group, of the group above that, and so on. */
  private List<Fraction> fractions(JobId job) {
    List<String> path = path(job);
    List<Fraction> fractions = new ArrayList<>();
    fractions.add(new Fraction(weight(job), sum(path)));
    for (int depth = path.size(); depth > 0; depth--) {
      List<String> group = path.subList(0, depth);
      fractions.add(new Fraction(grouping.weight(group), sum(path.subList(0, depth - 1))));
    }
    return fractions;
  }

  /** One who is not listed is looked at as if it were alone. */
  private long sum(List<String> group) {
    return membersWeigh.getOrDefault(group, 1L);
  }

  private record Fraction(long weight, long sum) {
    private static final long READABLE_MAX = 9_999;

    double value() {
      return Math.min(1, (double) weight / sum);
    }

    boolean isAll() {
      return weight >= sum;
    }

    /** {@code 1/3}, or in percent where that has more digits than anybody reads. */
    String text() {
      long common = BigInteger.valueOf(weight).gcd(BigInteger.valueOf(sum)).longValue();
      return sum / common > READABLE_MAX
          ? String.format(Locale.ROOT, "%.3g %%", 100 * value())
          : weight / common + "/" + sum / common;
    }
  }
}
