package dev.sluice.core.policy.rivals;

import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.progress.Claim;
import dev.sluice.core.policy.progress.Expansion;
import dev.sluice.core.policy.progress.FairShares;
import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.ProgressExplanation;
import dev.sluice.core.policy.progress.ProgressExplanation.CouponFigures;
import dev.sluice.core.policy.progress.RateAllocation;

/**
 * The highest effective bandwidth when a simple rule says who may be throttled, as in GIFT but
 * without coupons.
 */
final class RuleThrottling implements Policy<RuleThrottling.State> {
  private final Victims victims;
  private final double throttlePart;
  private final Claim claim;
  private final PackingSolver solver;

  /**
   * A rule, and how much its victims may lose.
   *
   * @param throttlePart of its fair rate
   */
  RuleThrottling(Victims victims, double throttlePart, Claim claim, PackingSolver solver) {
    this.victims = victims;
    this.throttlePart = throttlePart;
    this.claim = claim;
    this.solver = solver;
  }

  /** Who may be throttled. */
  interface Victims {
    boolean[] choose(JobsOnTargets on, State state);

    String words();
  }

  /**
   * What is remembered.
   *
   * @param decisions how many there were
   * @param appearances how often each application did I/O
   */
  record State(Cluster cluster, long decisions, Appearances appearances) {}

  @Override
  public State initialState(Cluster cluster) {
    return new State(cluster, 0, Appearances.NONE);
  }

  @Override
  public Step<State> decide(State state, Observation seen) {
    JobsOnTargets on = new JobsOnTargets(state.cluster(), seen, claim);
    double[] fair = FairShares.synchronous(on);
    double[] floors = fair.clone();
    boolean[] chosen = victims.choose(on, state);
    for (int i = 0; i < floors.length; i++) {
      floors[i] *= chosen[i] ? 1 - throttlePart : 1;
    }
    Expansion expansion = Expansion.of(on, fair, floors, Expansion.Objective.GAIN, solver);
    return new Step<>(
        new State(state.cluster(), state.decisions() + 1, state.appearances().with(on)),
        RateAllocation.of(on, expansion.rates()),
        new ProgressExplanation(
            on,
            expansion.rates(),
            fair,
            CouponFigures.NONE,
            victims.words() + "; " + expansion.how()));
  }
}
