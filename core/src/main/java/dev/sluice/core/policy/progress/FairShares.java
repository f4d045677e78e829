package dev.sluice.core.policy.progress;

import java.util.Arrays;

/** What is fair: every target is shared by its jobs in proportion to their claims. */
public final class FairShares {
  private FairShares() {}

  /**
   * What one process of a job has of the entry's target when that target alone is shared fairly, by
   * entry.
   */
  public static double[] onEachTarget(JobsOnTargets on) {
    double[] claims = new double[on.targets()];
    for (int e = 0; e < on.entries(); e++) {
      claims[on.entryTarget(e)] += on.entryClaim(e);
    }
    double[] shares = new double[on.entries()];
    for (int e = 0; e < shares.length; e++) {
      int target = on.entryTarget(e);
      shares[e] = on.capacity(target) * on.entryClaim(e) / (claims[target] * on.entryProcesses(e));
    }
    return shares;
  }

  /**
   * The rate of each job that its most contended target allows: basic synchronous progress (BSIP).
   *
   * <p>Theorem. These rates exceed no capacity, and each job's is its fair share on one of its
   * targets and at most that on the others.
   */
  public static double[] synchronous(JobsOnTargets on) {
    double[] shares = onEachTarget(on);
    double[] rates = new double[on.jobs()];
    Arrays.fill(rates, Double.POSITIVE_INFINITY);
    for (int i = 0; i < rates.length; i++) {
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        rates[i] = Math.min(rates[i], shares[e]);
      }
    }
    return rates;
  }

  /**
   * The rates of all jobs when some have their rate already and what these leave of every target is
   * shared fairly by the others.
   *
   * <p>Theorem. Where those that have their rate have at most their synchronous one, no capacity is
   * exceeded, and each of the others has at least its synchronous rate.
   *
   * @param rates of those that have theirs; the others' are not looked at
   */
  public static double[] synchronousBeside(JobsOnTargets on, boolean[] settled, double[] rates) {
    double[] left = new double[on.targets()];
    double[] claims = new double[on.targets()];
    for (int t = 0; t < left.length; t++) {
      left[t] = on.capacity(t);
    }
    for (int i = 0; i < rates.length; i++) {
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        int target = on.entryTarget(e);
        if (settled[i]) {
          left[target] -= rates[i] * on.entryProcesses(e);
        } else {
          claims[target] += on.entryClaim(e);
        }
      }
    }
    double[] all = rates.clone();
    for (int i = 0; i < rates.length; i++) {
      if (settled[i]) {
        continue;
      }
      all[i] = Double.POSITIVE_INFINITY;
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        int target = on.entryTarget(e);
        double share = Math.max(0, left[target]) * on.entryClaim(e) / claims[target];
        all[i] = Math.min(all[i], share / on.entryProcesses(e));
      }
    }
    return all;
  }
}
