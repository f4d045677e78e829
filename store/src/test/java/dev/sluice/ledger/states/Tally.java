package dev.sluice.ledger.states;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Allocation;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.StateCodec;
import dev.sluice.core.policy.StateReader;
import dev.sluice.core.policy.StateWriter;
import dev.sluice.core.policy.Step;
import java.util.List;

/** A policy that counts its decisions, in steps that can be set. */
record Tally(long by) implements Policy<Tally.Count>, StateCodec<Tally.Count> {
  static final Cluster CLUSTER = Cluster.of(new Target("t", 100, TokenUnit.OPERATIONS));
  static final Cluster FASTER = Cluster.of(new Target("t", 200, TokenUnit.OPERATIONS));

  /** How far it has counted. */
  record Count(long count) {}

  @Override
  public Count initialState(Cluster cluster) {
    return new Count(0);
  }

  @Override
  public StateCodec<Count> codec() {
    return this;
  }

  @Override
  public Step<Count> decide(Count state, Observation seen) {
    return new Step<>(
        new Count(state.count() + by),
        Allocation.NONE,
        new Explanation() {
          @Override
          public String summary() {
            return "counted";
          }

          @Override
          public List<Reason> reasons() {
            return List.of();
          }
        });
  }

  @Override
  public String name() {
    return "tally";
  }

  @Override
  public void write(Count state, StateWriter out) {
    out.line("count").whole(by).whole(state.count());
  }

  @Override
  public Count read(StateReader in, Cluster cluster) {
    long then = in.line("count").whole(1, Long.MAX_VALUE);
    if (then != by) {
      throw in.unfit("it counts by " + then + ", and now by " + by);
    }
    return new Count(in.whole(0, Long.MAX_VALUE));
  }
}
