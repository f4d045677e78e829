package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PeriodsPassed;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.collect.Collected;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.target.ControlledTarget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * A policy and the targets that it decides about together, and what holds while it does not decide.
 *
 * <p>A target that is alone is asked directly. Several are asked for reports, and a decision is
 * about those that answered in time; the others stay as they are.
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
  private final PeriodsPassed passed;
  private final DecisionSetting setting;
  private final ReportingTargets reports;

  private @Nullable Pending pending;
  private long decidedNanos;

  /** When reports are due that are waited for; the largest number while none are. */
  private long reportsDueNanos = Long.MAX_VALUE;

  private List<String> notes = List.of();
  private @Nullable String problem;
  private @Nullable Decision decision;
  private long decisions;
  private boolean limitsEnded;

  /** A decision that is being taken. */
  private record Pending(FutureTask<Decision> task, long sinceNanos) {}

  /**
   * A decision that was taken.
   *
   * @param withoutMemory why it was taken without what the policy remembers; null where it was not
   */
  private record Decision(
      Map<String, Shares> shares, Explanation explanation, @Nullable String withoutMemory) {}

  PolicyGroup(
      Policy<?> policy,
      List<ControlledTarget> targets,
      long periodNanos,
      DecisionSetting setting,
      long nowNanos) {
    this.targets = List.copyOf(targets);
    this.control = setting.controls().control(policy, cluster());
    this.periodNanos = periodNanos;
    this.passed = new PeriodsPassed(periodNanos);
    this.setting = setting;
    this.reports = new ReportingTargets(targets, periodNanos, setting);
    this.decidedNanos = nowNanos;
  }

  /** The targets with what they can serve now. */
  private Cluster cluster() {
    return new Cluster(targets.stream().map(ControlledTarget::target).toList());
  }

  /** How long the last decision stays in force when no other comes. */
  static long graceNanos(long periodNanos) {
    return Math.max(GRACE_NANOS_MIN, GRACE_PERIODS * periodNanos);
  }

  List<ControlledTarget> targets() {
    return targets;
  }

  /** Asks the targets what they saw; {@link #collect} has the policy decide when it is known. */
  void ask(JobClaims claims, List<JobId> ended, long nowNanos) {
    reports.ask(claims, ended, nowNanos);
  }

  /** When {@link #collect} is worth it, whatever else happens. */
  long reportsDueNanos() {
    return reportsDueNanos;
  }

  /** Has the policy decide on what was seen on the targets just now. */
  void decide(Map<String, List<JobDemand>> seen, List<JobId> ended, long nowNanos) {
    decide(new Observation(nowNanos, passed.lookNanos(nowNanos), seen, ended));
  }

  /** Has the policy decide on what was seen, unless it is still at work on something older. */
  private void decide(Observation seen) {
    if (pending != null) {
      return;
    }
    Cluster about = cluster();
    FutureTask<Decision> task =
        new FutureTask<>(() -> checked(sinceEpoch(seen), about)) {
          @Override
          protected void done() {
            setting.whenDecided().run();
          }
        };
    pending = new Pending(task, seen.nowNanos());
    setting.decider().execute(task);
  }

  private Observation sinceEpoch(Observation seen) {
    return new Observation(
        seen.nowNanos() + setting.epochOffsetNanos(),
        seen.periodNanos(),
        seen.targets(),
        seen.ended());
  }

  /** A decision that no scheduler could carry out is none. */
  private Decision checked(Observation seen, Cluster about) {
    control.over(about);
    Explanation why = control.decide(seen);
    Map<String, Shares> decided = new HashMap<>();
    for (ControlledTarget target : targets) {
      String name = target.target().name();
      if (!seen.targets().containsKey(name)) {
        continue;
      }
      Shares shares = control.shares(name);
      for (int i = 0; i < shares.size(); i++) {
        shares.rate(i);
      }
      decided.put(name, shares);
    }
    return new Decision(decided, why, control.memoryProblem());
  }

  /**
   * Takes note of a decision that was reached, or of none.
   *
   * @return whether there is something new to put in force
   */
  boolean collect(long nowNanos) {
    takeReports(nowNanos);
    boolean changed = false;
    if (pending != null && pending.task.isDone()) {
      changed = takeUp(pending, nowNanos);
      pending = null;
    } else if (pending != null && nowNanos - pending.sinceNanos > periodNanos) {
      problem =
          "the policy has been at work on one decision for "
              + Quantities.formatDuration(nowNanos - pending.sinceNanos);
    }
    boolean tooOld = nowNanos - decidedNanos > graceNanos(periodNanos);
    if (tooOld != limitsEnded) {
      limitsEnded = tooOld;
      changed = true;
    }
    return changed;
  }

  private void takeReports(long nowNanos) {
    reportsDueNanos = Long.MAX_VALUE;
    switch (reports.collect(nowNanos)) {
      case Collected.Nothing _ -> {}
      case Collected.Waiting waiting -> reportsDueNanos = waiting.untilNanos();
      case Collected.Refused refused -> problem = refused.reason();
      case Collected.Ready ready -> {
        notes = ready.notes();
        decide(ready.seen());
      }
    }
  }

  private boolean takeUp(Pending decided, long nowNanos) {
    try {
      decision = joined(decision, decided.task.get());
      decidedNanos = nowNanos;
      decisions++;
      problem = null;
      return true;
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      problem = "the policy failed: " + (cause == null ? e : cause);
    } catch (CancellationException e) {
      problem = "the policy was stopped";
    } catch (InterruptedException e) {
      // Cannot be: the task is done, and nobody waits.
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** On targets that a decision is not about, the one before holds on. */
  private static Decision joined(@Nullable Decision before, Decision next) {
    Map<String, Shares> shares = new HashMap<>(before == null ? Map.of() : before.shares);
    shares.putAll(next.shares);
    return new Decision(shares, next.explanation, next.withoutMemory);
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

  /** Whether nobody is limited, because no decision came for too long. */
  boolean limitsLapsed() {
    return limitsEnded;
  }

  long decisions() {
    return decisions;
  }

  /** How it is, in words, when not all is well; null when it is. */
  @Nullable String trouble(long nowNanos) {
    if (problem == null && !limitsEnded) {
      return imperfection();
    }
    String what = problem == null ? "the policy has not decided" : problem;
    String age = Quantities.formatDuration(Math.max(0, nowNanos - decidedNanos));
    if (limitsEnded) {
      return what + "; no decision for " + age + ", so nobody is limited";
    }
    long leftNanos = Math.max(0, graceNanos(periodNanos) - (nowNanos - decidedNanos));
    return what
        + "; the last decision, of "
        + age
        + " ago, stays in force for "
        + Quantities.formatDuration(leftNanos)
        + " more";
  }

  /** What is wrong although there is a decision; null when nothing is. */
  private @Nullable String imperfection() {
    List<String> words = new ArrayList<>(notes);
    if (decision != null && decision.withoutMemory != null) {
      words.addFirst(decision.withoutMemory + "; fair shares hold until it is back");
    }
    return words.isEmpty() ? null : String.join("; ", words);
  }

  /** Decides nothing more. */
  void retire() {
    if (pending != null) {
      pending.task.cancel(true);
    }
  }
}
