package dev.sluice.core.policy.padll;

import java.util.List;

/**
 * A limit for each job by its priority, whatever it does or needs.
 *
 * @param priorities among priorities of which sum the resource is divided, if it is more than that
 *     of the jobs that are there: with the sum of all that there will ever be, limits are fixed
 *     from the first job on, as in the paper; 0 for those that are there
 */
record PriorityLimits(long priorities) implements PadllAlgorithm {
  static final String NAME = "priority";

  @Override
  public String name() {
    return NAME;
  }

  /** Theorem. Rates are to each other as priorities are. */
  @Override
  public double[] rates(Resource resource, List<JobUse> jobs) {
    double sum = (double) Math.max(priorities, sum(jobs));
    double[] rates = new double[jobs.size()];
    for (int i = 0; i < rates.length; i++) {
      rates[i] = (double) resource.maximumPerSecond() * jobs.get(i).priority() / sum;
    }
    return rates;
  }

  static long sum(List<JobUse> jobs) {
    long sum = 0;
    for (JobUse use : jobs) {
      sum += use.priority();
    }
    return sum;
  }
}
