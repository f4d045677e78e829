package dev.sluice.core.policy.cycle;

import dev.sluice.core.model.Target;
import dev.sluice.core.policy.BetweenDecisions;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.LocalStep;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.schedule.Shares;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The fast horizon at work: on each target alone, what is in force between two decisions. A control
 * cycle has one where its policy wants it, and so has who obeys decisions that others take. Not
 * thread-safe; the caller brings the time.
 */
public final class LocalControl {
  private final LocalRule rule;
  private final Map<String, Look> looks = new HashMap<>();
  private long dueNanos;
  private @Nullable String problem;

  /**
   * A look at a target.
   *
   * @param decided what it went by: a later decision makes it void
   * @param step null for the first, before which nobody knows how long demand came together
   */
  private record Look(long nowNanos, Shares decided, @Nullable LocalStep step) {
    @SuppressWarnings("ReferenceEquality") // This very decision: a later one may give the same.
    boolean isOf(Shares last) {
      return decided == last;
    }
  }

  /** Has looked at nothing yet; the first look is due now. */
  public LocalControl(LocalRule rule, long nowNanos) {
    this.rule = rule;
    this.dueNanos = nowNanos;
  }

  /** Whether it is time to look. */
  public boolean isDue(long nowNanos) {
    return nowNanos >= dueNanos;
  }

  /** When to look next. */
  public long dueNanos() {
    return dueNanos;
  }

  /** All targets are looked at now; who comes late skips the looks that have passed. */
  public void begin(long nowNanos) {
    long periods = Math.max(0, nowNanos - dueNanos) / rule.periodNanos() + 1;
    dueNanos += periods * rule.periodNanos();
  }

  /**
   * Looks at a target.
   *
   * @param seen what jobs wanted there since the last look
   * @param decided what was decided last about it
   * @param epochNanos now, in nanoseconds since 1970
   * @return whether something else is to be in force there now
   */
  @SuppressWarnings("ReferenceEquality") // What is not changed is the same.
  public boolean look(
      Target target, List<JobDemand> seen, Shares decided, long epochNanos, long nowNanos) {
    Shares before = inForce(target.name(), decided);
    Look last = looks.get(target.name());
    LocalStep step = null;
    if (last != null && nowNanos > last.nowNanos) {
      long spanNanos = Math.min(nowNanos - last.nowNanos, Observation.PERIOD_NANOS_MAX);
      try {
        step = rule.adjust(decided, Observation.of(target, epochNanos, spanNanos, seen));
        problem = null;
      } catch (RuntimeException | StackOverflowError | LinkageError e) {
        // What was decided holds without it.
        problem = "between decisions the policy failed: " + e;
      }
    }
    looks.put(target.name(), new Look(nowNanos, decided, step));
    Shares after = inForce(target.name(), decided);
    return after != before;
  }

  /** What is to be in force on a target about which this was decided last. */
  public Shares inForce(String target, Shares decided) {
    Look look = looks.get(target);
    return look == null || look.step == null || !look.isOf(decided) ? decided : look.step.shares();
  }

  /** What went wrong at the last look, in words; null where nothing did. */
  public @Nullable String problem() {
    return problem;
  }

  /** Forgets all targets but these. */
  void retain(Set<String> targets) {
    looks.keySet().retainAll(targets);
  }

  /**
   * A decision's explanation with what was made of it since.
   *
   * @param decided by target, what was decided last
   */
  @SuppressWarnings("ReferenceEquality") // What is not changed is the same.
  public Explanation explained(Explanation decision, Map<String, Shares> decided) {
    Map<String, Explanation> since = new HashMap<>();
    decided.forEach((target, shares) -> {
      Look look = looks.get(target);
      if (look != null && look.step != null && look.isOf(shares) && look.step.shares() != shares) {
        since.put(target, look.step.explanation());
      }
    });
    return since.isEmpty() ? decision : new BetweenDecisions(decision, since);
  }
}
