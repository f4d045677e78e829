package dev.sluice.core.policy.padll;

import java.util.List;

/**
 * Proportional sharing without false allocation (PSFA), algorithm 1 of the paper: nobody is kept
 * what it does not use. Who uses less than its demand keeps what it uses and some room to grow; all
 * that is left goes to whoever uses the most.
 *
 * @param epsilon the part of the way from its usage to its demand that a job may grow at once
 */
record UsageSharing(double epsilon) implements PadllAlgorithm {
  static final String NAME = "psfa";

  UsageSharing {
    if (!(epsilon >= 0 && epsilon <= 1)) {
      throw new IllegalArgumentException("epsilon is a number from 0 to 1, not " + epsilon);
    }
  }

  @Override
  public String name() {
    return NAME;
  }

  /**
   * Theorem. Whoever uses at least its demand gets at least the smaller of its demand and an equal
   * part of the maximum. Whoever uses less gets at least the smaller of its usage with room to
   * grow, and that part.
   */
  @Override
  public double[] rates(Resource resource, List<JobUse> jobs) {
    double[] rates = new double[jobs.size()];
    double left = DemandOrder.fill(resource, jobs, this::wanted, rates);
    double[] usages = jobs.stream().mapToDouble(JobUse::usagePerSecond).toArray();
    DemandOrder.share(left, usages, rates);
    return rates;
  }

  private double wanted(JobUse use) {
    double demand = use.demandPerSecond();
    double usage = use.usagePerSecond();
    return usage <= demand ? usage + (demand - usage) * epsilon : demand;
  }
}
