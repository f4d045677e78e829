package dev.sluice.core.policy.padll;

import java.util.List;

/**
 * Max-min fair shares up to what each job demands; what nobody demands is shared in proportion to
 * the demands. Goes by who is there, and not by what they do.
 */
record ProportionalSharing() implements PadllAlgorithm {
  static final String NAME = "proportional";

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Theorem. Where the demands exceed the maximum, nobody gets more than it demands, and whoever
   * gets less gets as much as anybody. Where they do not, everybody gets at least what it demands,
   * and rates are to each other as demands are.
   */
  @Override
  public double[] rates(Resource resource, List<JobUse> jobs) {
    double[] rates = new double[jobs.size()];
    double left = DemandOrder.fill(resource, jobs, JobUse::demandPerSecond, rates);
    double[] demands = jobs.stream().mapToDouble(JobUse::demandPerSecond).toArray();
    DemandOrder.share(left, demands, rates);
    return rates;
  }
}
