package dev.sluice.core.policy;

import dev.sluice.core.schedule.Shares;
import org.jspecify.annotations.Nullable;

/**
 * A policy at work on the targets that it decides about together, with what it remembers from one
 * decision to the next. The simulator and every data plane run their policies through it.
 *
 * <p>Where the memory fails, another policy that remembers nothing may stand in, decision by
 * decision, until the memory is back.
 *
 * @param <S> what the policy remembers
 */
public final class PolicyControl<S> {
  private final Policy<S> policy;
  private Cluster cluster;
  private final Memory<S> memory;
  private final @Nullable Policy<?> standIn;
  private Allocation allocation = Allocation.NONE;
  private @Nullable String memoryProblem;
  private long decisions;
  private long changes;

  private PolicyControl(
      Policy<S> policy, Memory<S> memory, @Nullable Policy<?> standIn, Cluster cluster) {
    this.policy = policy;
    this.memory = memory;
    this.standIn = standIn;
    this.cluster = cluster;
  }

  /** A control that has decided nothing yet, and forgets everything when it ends. */
  public static <S> PolicyControl<S> of(Policy<S> policy, Cluster cluster) {
    return new PolicyControl<>(
        policy, Memory.inProcess(policy.initialState(cluster)), null, cluster);
  }

  /**
   * A control that goes on from what a memory has.
   *
   * @param standIn decides while the memory fails, each time as if for the first time
   */
  public static <S> PolicyControl<S> remembering(
      Policy<S> policy, Memory<S> memory, Policy<?> standIn, Cluster cluster) {
    return new PolicyControl<>(policy, memory, standIn, cluster);
  }

  /** A control that goes on from what a memory has, which fails for nobody. */
  public static <S> PolicyControl<S> remembering(
      Policy<S> policy, Memory<S> memory, Cluster cluster) {
    return new PolicyControl<>(policy, memory, null, cluster);
  }

  /**
   * Decides, remembers, and answers why; what was decided is in {@link #shares}. A policy that
   * throws has decided nothing, and all is as it was before.
   */
  public Explanation decide(Observation seen) {
    cluster = seen.cluster();
    Step<?> step;
    try {
      step = decideAndKeep(seen);
      memoryProblem = null;
    } catch (MemoryException e) {
      if (standIn == null) {
        throw e;
      }
      memoryProblem = String.valueOf(e.getMessage());
      Step<?> forgetful = first(standIn, seen);
      step =
          new Step<>(
              forgetful.next(),
              forgetful.allocation(),
              new WithoutMemory(memoryProblem, forgetful.explanation()));
    }
    takeUp(step.allocation());
    return step.explanation();
  }

  private <T> Step<T> first(Policy<T> forgetful, Observation seen) {
    return forgetful.decide(forgetful.initialState(cluster), seen);
  }

  /** What is decided is kept before anybody hears of it. */
  private Step<S> decideAndKeep(Observation seen) {
    S before = memory.current(cluster);
    Step<S> step = policy.decide(before, seen);
    memory.keep(before, step.next());
    return step;
  }

  private void takeUp(Allocation decided) {
    for (String target : decided.targets().keySet()) {
      changes += allocation.on(target).differences(decided.on(target));
    }
    for (String target : allocation.targets().keySet()) {
      if (!decided.targets().containsKey(target)) {
        changes += allocation.on(target).size();
      }
    }
    allocation = decided;
    decisions++;
  }

  /** What is done between two decisions; null where nothing is. */
  public @Nullable LocalRule local() {
    return policy.local();
  }

  /** What the next decision starts from. */
  public S remembered() {
    return memory.current(cluster);
  }

  /** Why the last decision was taken without memory; null where it was not. */
  public @Nullable String memoryProblem() {
    return memoryProblem;
  }

  /** What each job may have on this target, as decided last. */
  public Shares shares(String target) {
    return allocation.on(target);
  }

  /** How many decisions were taken. */
  public long decisions() {
    return decisions;
  }

  /** How many jobs' shares were set, changed or taken away by all decisions. */
  public long changes() {
    return changes;
  }
}
