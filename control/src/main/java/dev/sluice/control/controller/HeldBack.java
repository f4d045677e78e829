package dev.sluice.control.controller;

import dev.sluice.core.policy.padll.JobUse;
import dev.sluice.core.policy.padll.PadllAlgorithm;
import dev.sluice.core.policy.padll.Resource;
import java.util.ArrayList;
import java.util.List;

/**
 * What jobs would use that were held back. What they did use is what they were let use, and so
 * tells of decisions that were taken before. A member that comes and goes, or wants much and
 * nothing in turns, could keep a job behind by that: its job would have to grow anew for some
 * cycles, while the nodes of it that were there all the time share with the one that came.
 */
final class HeldBack {
  /** It settles in a few; a bound for demands that somebody has set to next to nothing. */
  private static final int ROUNDS_MAX = 32;

  /** It has settled when nobody's part changes by more than this part of the whole. */
  private static final double SETTLED = 1e-6;

  private HeldBack() {}

  /**
   * The same jobs, but for what those use that were held back: each uses its demand, or what it
   * gets where that is more and everybody that was held back uses what it gets.
   *
   * <p>Theorem. The answer does not depend on what those used that were held back; no other job is
   * changed. Dividing by the answer gives each of those what the answer says that it uses, or its
   * demand is more, but for a thousandth of the whole where the demands add up to the whole. If all
   * demands are equal, and somebody that was not held back used no more than everybody gets that
   * was, it gets what it used, but for as much.
   *
   * @param heldBack whether each of the jobs was, in their order
   */
  static List<JobUse> wouldUse(
      PadllAlgorithm algorithm, Resource resource, List<JobUse> jobs, boolean[] heldBack) {
    List<JobUse> uses = new ArrayList<>(jobs);
    boolean any = false;
    for (int i = 0; i < heldBack.length; i++) {
      if (heldBack[i]) {
        any = true;
        // Whoever is to have nothing for certain can still have what is left.
        uses.set(i, using(jobs.get(i), Math.max(1, jobs.get(i).demandPerSecond())));
      }
    }
    double settled = SETTLED * resource.maximumPerSecond();
    double changed = any ? Double.MAX_VALUE : 0;
    for (int round = 0; round < ROUNDS_MAX && changed > settled; round++) {
      double[] rates = algorithm.rates(resource, uses);
      changed = 0;
      for (int i = 0; i < heldBack.length; i++) {
        if (heldBack[i]) {
          JobUse before = uses.get(i);
          double use = Math.max(Math.max(1, before.demandPerSecond()), rates[i]);
          changed = Math.max(changed, Math.abs(use - before.usagePerSecond()));
          uses.set(i, using(before, use));
        }
      }
    }
    return uses;
  }

  private static JobUse using(JobUse job, double perSecond) {
    double bounded = Math.min(perSecond, (double) JobUse.USAGE_PER_SECOND_MAX);
    return new JobUse(job.job(), job.demandPerSecond(), bounded, job.priority());
  }
}
