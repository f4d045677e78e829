package dev.sluice.core.policy.progress;

import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.schedule.Shares;
import java.util.HashMap;
import java.util.Map;

/** Turns rates into tokens for each target's scheduler. */
public final class RateAllocation {
  private RateAllocation() {}

  /**
   * What each job may use on each of its targets in a period, when one process has this rate.
   *
   * <p>Theorem. For rates that fit, the tokens on a target add up to at most what it can serve in a
   * period.
   */
  public static Allocation of(JobsOnTargets on, double[] rates) {
    double[] ofEntry = new double[on.entries()];
    for (int i = 0; i < on.jobs(); i++) {
      for (int e = on.begin(i); e < on.begin(i + 1); e++) {
        ofEntry[e] = rates[i];
      }
    }
    return ofEntries(on, ofEntry);
  }

  /** The same where a job's rate may differ from target to target, by entry. */
  public static Allocation ofEntries(JobsOnTargets on, double[] rates) {
    double tokensPerPeriod = on.tokensPerPeriod();
    Map<String, Shares> targets = HashMap.newHashMap(on.targets());
    for (int j = 0; j < on.targets(); j++) {
      int begin = on.targetBegin(j);
      int count = on.targetBegin(j + 1) - begin;
      JobId[] jobs = new JobId[count];
      double[] tokens = new double[count];
      long[] nodes = new long[count];
      for (int k = 0; k < count; k++) {
        int job = on.placeJob(begin + k);
        int entry = on.placeEntry(begin + k);
        jobs[k] = on.job(job);
        nodes[k] = on.nodes(job);
        tokens[k] = rates[entry] * on.entryProcesses(entry) * tokensPerPeriod;
      }
      targets.put(
          on.target(j).name(),
          Shares.dividing(on.capacity(j) * tokensPerPeriod, jobs, tokens, nodes, on.periodNanos()));
    }
    return new Allocation(targets);
  }
}
