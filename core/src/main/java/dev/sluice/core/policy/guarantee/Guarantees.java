package dev.sluice.core.policy.guarantee;

import dev.sluice.core.fair.WaterFilling;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.schedule.JobOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All guarantees that were given. A job is covered by the first that names it.
 *
 * @param all first match first
 */
public record Guarantees(List<Guarantee> all) {
  /** Nobody was promised anything. */
  public static final Guarantees NONE = new Guarantees(List.of());

  /**
   * So much of a target may be promised, as much as fair queueing reserves, so that whoever was
   * promised nothing is served and a little unsteadiness breaks no promise.
   */
  static final double PROMISED_MAX = 0.9;

  public Guarantees {
    all = List.copyOf(all);
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** These, and others for whom none of these is. */
  public Guarantees before(Guarantees others) {
    if (isEmpty() || others.isEmpty()) {
      return isEmpty() ? others : this;
    }
    List<Guarantee> both = new ArrayList<>(all);
    both.addAll(others.all);
    return new Guarantees(both);
  }

  /**
   * Why they cannot all be kept on a target, with what is left for the first that does not fit;
   * null when they can.
   */
  public @Nullable String refusal(Target target) {
    double left = PROMISED_MAX * target.tokensPerSecond();
    for (Guarantee guarantee : all) {
      if (guarantee.tokensPerSecond(target) == 0) {
        continue;
      }
      double taken = guarantee.admittedTokens(target);
      if (taken > left) {
        return guarantee.words()
            + " do not fit target "
            + target.name()
            + ": of nine tenths of what it can do "
            + Quantities.formatRate(guarantee.fitting(target, left), guarantee.counted())
            + " are left";
      }
      left -= taken;
    }
    return null;
  }

  /** The guarantee that covers a job; null when none does. */
  public @Nullable Guarantee of(JobId job, JobOwner owner) {
    for (Guarantee guarantee : all) {
      if (guarantee.covers(job, owner)) {
        return guarantee;
      }
    }
    return null;
  }

  /**
   * What was seen of jobs on a target, with what is reserved for each of them.
   *
   * <p>Theorem. The jobs that a guarantee covers have reserves that come to it and its margin, but
   * for a token each: of these each has, in proportion to its weight, what it wanted in the period,
   * as far as they go; and what none of them wanted is divided by weight. The margin is what the
   * reserve of a job that wants something may lag behind in a second, so that every second has what
   * was promised; at most a quarter, and of all margins only what fits the target beside what was
   * promised. Other jobs stay as they are.
   *
   * @param owners whose each job is
   * @param periodNanos for how long it was seen
   */
  public List<JobDemand> reserve(
      Target target, List<JobDemand> seen, Function<JobId, JobOwner> owners, long periodNanos) {
    if (all.isEmpty()) {
      return seen;
    }
    List<JobDemand> reserved = new ArrayList<>(seen);
    List<List<Integer>> covered = new ArrayList<>();
    all.forEach(_ -> covered.add(new ArrayList<>()));
    long largestOfAll = 0;
    for (int i = 0; i < seen.size(); i++) {
      largestOfAll = Math.max(largestOfAll, seen.get(i).service().largestTokens());
      Guarantee guarantee = of(seen.get(i).job(), owners.apply(seen.get(i).job()));
      if (guarantee != null) {
        covered.get(all.indexOf(guarantee)).add(i);
      }
    }
    double[] margins = new double[all.size()];
    double promisedSum = 0;
    double marginSum = 0;
    for (int g = 0; g < all.size(); g++) {
      if (!covered.get(g).isEmpty()) {
        margins[g] = all.get(g).marginTokens(target, lagTokens(covered.get(g), seen, largestOfAll));
        promisedSum += all.get(g).tokensPerSecond(target);
        marginSum += margins[g];
      }
    }
    double room = Math.max(0, PROMISED_MAX * target.tokensPerSecond() - promisedSum);
    double kept = marginSum <= room ? 1 : room / marginSum;
    for (int g = 0; g < all.size(); g++) {
      long tokens = all.get(g).tokensPerSecond(target) + (long) (kept * margins[g]);
      divide(tokens, covered.get(g), reserved, periodNanos);
    }
    return reserved;
  }

  /**
   * What the reserve of one of these jobs may be behind: its theorem's bound. Those of several do
   * not lag behind all at once.
   */
  private static double lagTokens(List<Integer> jobs, List<JobDemand> seen, long largestOfAll) {
    double lag = 0;
    for (int i : jobs) {
      JobDemand demand = seen.get(i);
      if (demand.wantedTokens() > 0) {
        lag = Math.max(lag, 2.0 * demand.service().largestTokens() + largestOfAll);
      }
    }
    return lag;
  }

  /** Has so much reserved for these jobs, by what each wanted and then by weight. */
  static void divide(
      long tokensPerSecond, List<Integer> jobs, List<JobDemand> demands, long periodNanos) {
    int count = jobs.size();
    if (count == 0 || tokensPerSecond == 0) {
      return;
    }
    double[] weights = new double[count];
    long[] wanted = new long[count];
    double weightSum = 0;
    for (int i = 0; i < count; i++) {
      JobDemand demand = demands.get(jobs.get(i));
      weights[i] = demand.nodes();
      weightSum += weights[i];
      double perSecond = (double) demand.wantedTokens() * Rate.NANOS_PER_SECOND / periodNanos;
      wanted[i] = (long) Math.min(perSecond, (double) tokensPerSecond);
    }
    double[] parts = new double[count];
    WaterFilling.divide(count, weights, wanted, (double) tokensPerSecond, parts);
    double left = (double) tokensPerSecond;
    for (double part : parts) {
      left -= part;
    }
    for (int i = 0; i < count; i++) {
      double all = parts[i] + Math.max(0, left) * weights[i] / weightSum;
      demands.set(jobs.get(i), demands.get(jobs.get(i)).withReserved((long) all));
    }
  }
}
