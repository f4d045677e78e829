package dev.sluice.gateway.target;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfRule;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the control loop sees of a target and may do to it. Safe for use by many threads; nothing
 * done here drops a request.
 */
public interface ControlledTarget {
  /** Its name and capacity. */
  Target target();

  /** What is believed of the storage where its capacity is found out; null where it was told. */
  default @Nullable CapacityBelief belief(long nowNanos) {
    return null;
  }

  /**
   * What became of goals since the last look. From now on it is counted of every job that has one.
   *
   * @param accounts who pays for each job; empty where it is not known
   */
  TargetGoals lookAtGoals(Goals goals, Function<JobId, String> accounts, long nowNanos);

  /** Hands out no more than so many tokens a second, whatever the storage can do. */
  void hold(long tokensPerSecond, long nowNanos);

  /** Another capacity. */
  void resize(Target target, long nowNanos);

  /**
   * Ends a period: what every job that was here lately wanted in it.
   *
   * @param nodes the claim of each job
   */
  List<JobDemand> endPeriod(ToLongFunction<JobId> nodes, long nowNanos);

  /**
   * What every job that was here lately wanted since the last look, whatever period it is: periods
   * do not notice.
   *
   * @param nodes the claim of each job
   */
  List<JobDemand> look(ToLongFunction<JobId> nodes);

  /** Puts a policy's decision in force. */
  void reconfigure(Shares shares, long nowNanos);

  /** Changes the order in which requests are served; those that wait are taken over. */
  void use(SchedulerKind kind, long nowNanos);

  /**
   * Groups jobs where they share by weight, from now on and for what waits too. Asked again when
   * more is known of jobs.
   *
   * @param accounts who pays for each job; empty where it is not known
   */
  void divideBy(ShareGrouping shares, Function<JobId, String> accounts, long nowNanos);

  /** Finds out how often each job does I/O here, or no longer does so. */
  void watchCadences(boolean watched, long nowNanos);

  /** Reports these priorities, instead of what is found out, of the jobs that are named. */
  void prioritise(Map<JobId, Cadence.Prioritised> priorities);

  /** Replaces the limits that hold whatever the policy decides. */
  void limit(List<TbfRule> limits, long nowNanos);

  /** What each limit does that has matched requests of this job, first match first. */
  List<RuleEffect> limitsOn(JobId job, long nowNanos);

  /** What happened here so far. */
  TargetStatistics statistics(long nowNanos);
}
