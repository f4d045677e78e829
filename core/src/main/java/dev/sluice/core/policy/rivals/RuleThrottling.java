package dev.sluice.core.policy.rivals;

import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.progress.Expansion;
import dev.sluice.core.policy.progress.FairShares;
import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.ProgressExplanation;
import dev.sluice.core.policy.progress.ProgressExplanation.CouponFigures;
import dev.sluice.core.policy.progress.RateAllocation;
import dev.sluice.core.policy.progress.ShareBasis;
import org.jspecify.annotations.Nullable;

/** Throttling by a simple rule, without coupons: some lose a part of their fair rate to others. */
final class RuleThrottling implements Policy<RuleThrottling.State> {
  private final Victims victims;
  private final double throttlePart;
  private final ShareBasis claim;
  private final Growth growth;
  private final @Nullable LocalRule local;
  private final @Nullable StateCodec<State> codec;

  /**
   * A rule, and how much its victims may lose.
   *
   * @param throttlePart of its fair rate
   * @param local null where nothing is done between decisions
   * @param codec null for a rule that goes by nothing that is remembered
   */
  RuleThrottling(
      Victims victims,
      double throttlePart,
      ShareBasis claim,
      Growth growth,
      @Nullable LocalRule local,
      @Nullable StateCodec<State> codec) {
    this.victims = victims;
    this.throttlePart = throttlePart;
    this.claim = claim;
    this.growth = growth;
    this.local = local;
    this.codec = codec;
  }

  /** Who gets what the victims lose, and the gaps. */
  interface Growth {
    /**
     * The rates of all; what there is to say about them goes into {@code how}.
     *
     * @param floors what each has at least
     */
    double[] rates(
        JobsOnTargets on, double[] fair, double[] floors, boolean[] victims, StringBuilder how);
  }

  /** As in GIFT: the highest bandwidth. A victim that is in nobody's way loses nothing. */
  static Growth byProgram(PackingSolver solver) {
    return (on, fair, floors, _, how) -> {
      Expansion expansion = Expansion.of(on, fair, floors, Expansion.Objective.GAIN, solver);
      how.append(expansion.how());
      return expansion.rates();
    };
  }

  /** As in the prototype of GIFT's authors: every victim loses, the others share what is left. */
  static Growth alike() {
    return (on, _, floors, victims, how) -> {
      how.append("what they lose is shared fairly by the others, target by target");
      return FairShares.synchronousBeside(on, victims, floors);
    };
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
  record State(long decisions, Appearances appearances) {}

  @Override
  public State initialState(Cluster cluster) {
    return new State(0, Appearances.NONE);
  }

  @Override
  public @Nullable LocalRule local() {
    return local;
  }

  @Override
  public @Nullable StateCodec<State> codec() {
    return codec;
  }

  @Override
  public Step<State> decide(State state, Observation seen) {
    JobsOnTargets on = new JobsOnTargets(seen, claim);
    double[] fair = FairShares.synchronous(on);
    double[] floors = fair.clone();
    boolean[] chosen = victims.choose(on, state);
    for (int i = 0; i < floors.length; i++) {
      floors[i] *= chosen[i] ? 1 - throttlePart : 1;
    }
    StringBuilder how = new StringBuilder(victims.words()).append("; ");
    double[] rates = growth.rates(on, fair, floors, chosen, how);
    return new Step<>(
        new State(state.decisions() + 1, state.appearances().with(on)),
        RateAllocation.of(on, rates),
        new ProgressExplanation(on, rates, fair, CouponFigures.NONE, how.toString()));
  }
}
