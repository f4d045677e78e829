package dev.sluice.core.policy.padll;

import java.util.Arrays;
import java.util.List;

/**
 * The same limit for everybody, whatever a job is, does or needs.
 *
 * @param jobs among how many the resource is divided, if more than are there: with as many as there
 *     will ever be, limits are fixed from the first job on, as in the paper; 0 for those that are
 *     there
 */
record UniformLimits(long jobs) implements PadllAlgorithm {
  static final String NAME = "uniform";

  @Override
  public String name() {
    return NAME;
  }

  /** Theorem. Everybody has the maximum divided by the larger of both numbers of jobs. */
  @Override
  public double[] rates(Resource resource, List<JobUse> there) {
    double[] rates = new double[there.size()];
    Arrays.fill(rates, (double) resource.maximumPerSecond() / Math.max(jobs, there.size()));
    return rates;
  }
}
