package dev.sluice.gateway.control;

import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.target.ControlledTarget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A policy and the targets that it decides about together, and what holds while it does not decide.
 *
 * <p>A policy is code that may throw, loop or be slow, and requests must not notice. It runs on a
 * thread of its own; while it brings no decision the last one stays in force, and after {@link
 * #graceNanos} nobody is limited any more. With the next decision all is as before.
 *
 * <p>Not thread-safe: one thread calls it, and only the decision itself is taken on another.
 */
final class PolicyGroup {
  private static final long GRACE_NANOS_MIN = 5_000_000_000L;
  private static final int GRACE_PERIODS = 3;

  private final PolicyControl<?> control;
  private final List<ControlledTarget> targets;
  private final long periodNanos;
  private final Executor decider;
  private final Runnable whenDecided;

  private @Nullable Pending pending;
  private long decidedNanos;
  private @Nullable String problem;
  private @Nullable Decision decision;
  private long decisions;
  private boolean limitsEnded;

  /** A decision that is being taken. */
  private record Pending(FutureTask<Decision> task, long sinceNanos) {}

  /** A decision that was taken. */
  private record Decision(Map<String, Shares> shares, Explanation explanation) {}

  /**
   * @param decider runs the policy
   * @param whenDecided told from the decider's thread that {@link #collect} is worth it
   */
  PolicyGroup(
      Policy<?> policy,
      List<ControlledTarget> targets,
      long periodNanos,
      Executor decider,
      Runnable whenDecided,
      long nowNanos) {
    this.control =
        PolicyControl.of(
            policy, new Cluster(targets.stream().map(ControlledTarget::target).toList()));
    this.targets = List.copyOf(targets);
    this.periodNanos = periodNanos;
    this.decider = decider;
    this.whenDecided = whenDecided;
    this.decidedNanos = nowNanos;
  }

  /** How long the last decision stays in force when no other comes. */
  static long graceNanos(long periodNanos) {
    return Math.max(GRACE_NANOS_MIN, GRACE_PERIODS * periodNanos);
  }

  List<ControlledTarget> targets() {
    return targets;
  }

  /** Has the policy decide on what was seen, unless it is still at work on something older. */
  void decide(Observation seen) {
    if (pending != null) {
      return;
    }
    FutureTask<Decision> task =
        new FutureTask<>(() -> checked(seen)) {
          @Override
          protected void done() {
            whenDecided.run();
          }
        };
    pending = new Pending(task, seen.nowNanos());
    decider.execute(task);
  }

  /** A decision that no scheduler could carry out is none. */
  private Decision checked(Observation seen) {
    Explanation why = control.decide(seen);
    Map<String, Shares> decided = new HashMap<>();
    for (ControlledTarget target : targets) {
      String name = target.target().name();
      Shares shares = control.shares(name);
      for (int i = 0; i < shares.size(); i++) {
        shares.rate(i);
      }
      decided.put(name, shares);
    }
    return new Decision(decided, why);
  }

  /**
   * Takes note of a decision that was reached, or of none.
   *
   * @return whether there is something new to put in force
   */
  boolean collect(long nowNanos) {
    boolean changed = false;
    if (pending != null && pending.task.isDone()) {
      changed = takeUp(pending, nowNanos);
      pending = null;
    } else if (pending != null && nowNanos - pending.sinceNanos > periodNanos) {
      problem =
          "has been at work on one decision for "
              + Quantities.formatDuration(nowNanos - pending.sinceNanos);
    }
    boolean tooOld = nowNanos - decidedNanos > graceNanos(periodNanos);
    if (tooOld != limitsEnded) {
      limitsEnded = tooOld;
      changed = true;
    }
    return changed;
  }

  private boolean takeUp(Pending decided, long nowNanos) {
    try {
      decision = decided.task.get();
      decidedNanos = nowNanos;
      decisions++;
      problem = null;
      return true;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      problem = "failed: " + (cause == null ? e : cause);
    } catch (CancellationException e) {
      problem = "was stopped";
    } catch (InterruptedException e) {
      // Cannot be: the task is done, and nobody waits.
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** What is to be in force on a target of this group now. */
  Shares shares(String target) {
    return decision == null || limitsEnded
        ? Shares.NONE
        : decision.shares.getOrDefault(target, Shares.NONE);
  }

  /** Why each job has what it has; null before the first decision. */
  @Nullable Explanation explanation() {
    return decision == null ? null : decision.explanation;
  }

  long decisions() {
    return decisions;
  }

  /** How it is, in words, when not all is well; null when it is. */
  @Nullable String trouble(long nowNanos) {
    if (problem == null && !limitsEnded) {
      return null;
    }
    String what = problem == null ? "has not decided" : problem;
    String age = Quantities.formatDuration(Math.max(0, nowNanos - decidedNanos));
    if (limitsEnded) {
      return "the policy " + what + "; no decision for " + age + ", so nobody is limited";
    }
    long leftNanos = Math.max(0, graceNanos(periodNanos) - (nowNanos - decidedNanos));
    return "the policy "
        + what
        + "; the last decision, of "
        + age
        + " ago, stays in force for "
        + Quantities.formatDuration(leftNanos)
        + " more";
  }

  /** Decides nothing more. */
  void retire() {
    if (pending != null) {
      pending.task.cancel(true);
    }
  }
}
