package dev.sluice.core.policy;

import dev.sluice.core.schedule.Shares;

/**
 * A policy at work on the targets that it decides about together, with what it remembers from one
 * decision to the next. The simulator and every data plane run their policies through it.
 *
 * @param <S> what the policy remembers
 */
public final class PolicyControl<S> {
  private final Policy<S> policy;
  private S state;
  private Allocation allocation = Allocation.NONE;
  private long decisions;
  private long changes;

  private PolicyControl(Policy<S> policy, Cluster cluster) {
    this.policy = policy;
    this.state = policy.initialState(cluster);
  }

  /** A control that has decided nothing yet. */
  public static <S> PolicyControl<S> of(Policy<S> policy, Cluster cluster) {
    return new PolicyControl<>(policy, cluster);
  }

  /**
   * Decides, remembers, and answers why; what was decided is in {@link #shares}. A policy that
   * throws has decided nothing, and all is as it was before.
   */
  public Explanation decide(Observation seen) {
    Step<S> step = policy.decide(state, seen);
    for (String target : step.allocation().targets().keySet()) {
      changes += differences(allocation.on(target), step.allocation().on(target));
    }
    for (String target : allocation.targets().keySet()) {
      if (!step.allocation().targets().containsKey(target)) {
        changes += allocation.on(target).size();
      }
    }
    state = step.next();
    allocation = step.allocation();
    decisions++;
    return step.explanation();
  }

  /** What each job may have on this target, as decided last. */
  public Shares shares(String target) {
    return allocation.on(target);
  }

  /** How many decisions were taken. */
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
