package dev.sluice.core.policy.gift;

import dev.sluice.core.policy.progress.JobsOnTargets;

/** Rates as what they move in a period, in whole tokens. */
final class Worth {
  private Worth() {}

  /** What a job's processes move together in a period at this rate, to the nearest token. */
  static long tokens(JobsOnTargets on, int job, double rate) {
    return rate <= 0 ? 0 : Math.round(rate * on.processes(job) * on.tokensPerPeriod());
  }

  /** The rate at which a job's processes move so many tokens in a period. */
  static double rate(JobsOnTargets on, int job, long tokens) {
    return tokens / (on.processes(job) * on.tokensPerPeriod());
  }
}
