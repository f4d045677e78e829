package dev.sluice.core.policy.rivals;

import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Nothing;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.progress.FairShares;
import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.MaxMinFill;
import dev.sluice.core.policy.progress.ProgressExplanation;
import dev.sluice.core.policy.progress.ProgressExplanation.CouponFigures;
import dev.sluice.core.policy.progress.RateAllocation;
import dev.sluice.core.policy.progress.ShareBasis;
import org.jspecify.annotations.Nullable;

/** Policies that divide the targets by a fixed rule and remember nothing. */
final class RuledShares implements Policy<Nothing> {
  private final Rule rule;
  private final ShareBasis claim;
  private final @Nullable LocalRule local;

  RuledShares(Rule rule, ShareBasis claim, @Nullable LocalRule local) {
    this.rule = rule;
    this.claim = claim;
    this.local = local;
  }

  /** How the targets are divided. */
  enum Rule {
    /** Each by itself; what a job has beyond its slowest target's share is wasted. */
    EACH_TARGET("each target is shared by itself, and what a job cannot use there is wasted"),
    /** As each job's most contended target allows. */
    SYNCHRONOUS("every job has what its most contended target allows"),
    /** The same, and what that leaves by max-min fairness. */
    FILLED("what is left of the targets goes to the slowest jobs that can use it");

    private final String words;

    Rule(String words) {
      this.words = words;
    }
  }

  @Override
  public Nothing initialState(Cluster cluster) {
    return Nothing.REMEMBERED;
  }

  @Override
  public @Nullable LocalRule local() {
    return local;
  }

  @Override
  public Step<Nothing> decide(Nothing remembered, Observation seen) {
    JobsOnTargets on = new JobsOnTargets(seen, claim);
    double[] fair = FairShares.synchronous(on);
    double[] rates = rule == Rule.FILLED ? MaxMinFill.fill(on, fair) : fair;
    return new Step<>(
        remembered,
        rule == Rule.EACH_TARGET
            ? RateAllocation.ofEntries(on, FairShares.onEachTarget(on))
            : RateAllocation.of(on, rates),
        new ProgressExplanation(on, rates, fair, CouponFigures.NONE, rule.words));
  }
}
