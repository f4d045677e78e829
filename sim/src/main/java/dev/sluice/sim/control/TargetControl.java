package dev.sluice.sim.control;

import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;

/**
 * A policy that decides about one target, with what it remembers from one decision to the next.
 *
 * @param <S> what the policy remembers
 */
public final class TargetControl<S> {
  private final Policy<S> policy;
  private final String target;
  private S state;
  private Shares shares = Shares.NONE;
  private long decisions;
  private long changes;

  private TargetControl(Policy<S> policy, Target target) {
    this.policy = policy;
    this.target = target.name();
    this.state = policy.initialState(Cluster.of(target));
  }

  /** A control for this target that has decided nothing yet. */
  public static <S> TargetControl<S> of(Policy<S> policy, Target target) {
    return new TargetControl<>(policy, target);
  }

  /** Decides, remembers, and answers why; what was decided is in {@link #shares}. */
  public Explanation decide(Observation seen) {
    Step<S> step = policy.decide(state, seen);
    Shares before = shares;
    state = step.next();
    shares = step.allocation().on(target);
    decisions++;
    changes += differences(before, shares);
    return step.explanation();
  }

  /** What each job may have, as decided last. */
  public Shares shares() {
    return shares;
  }

  public long decisions() {
    return decisions;
  }

  /** How many rates or weights were set, changed or taken away by all decisions. */
  public long changes() {
    return changes;
  }

  /** Both list jobs in ascending order, so one walk along both finds what differs. */
  private static long differences(Shares before, Shares after) {
    long count = 0;
    int b = 0;
    int a = 0;
    while (b < before.size() && a < after.size()) {
      int order = before.job(b).compareTo(after.job(a));
      if (order == 0) {
        boolean same =
            before.tokens(b) == after.tokens(a)
                && before.periodNanos() == after.periodNanos()
                && before.weight(b) == after.weight(a);
        count += same ? 0 : 1;
        a++;
        b++;
      } else {
        count++;
        if (order < 0) {
          b++;
        } else {
          a++;
        }
      }
    }
    return count + (before.size() - b) + (after.size() - a);
  }
}
