package dev.sluice.control.gateways;

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
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.gateway.target.TargetGoals;
import dev.sluice.gateway.target.TargetStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A target on which jobs always do and want the same, and that remembers what it was told. */
public final class FakeTarget implements ControlledTarget {
  /** What each job has waiting, what each of its requests moves, and how long it waits. */
  static final int QUEUED = 3;

  static final long REQUEST_BYTES = 65_536;
  static final long WAIT_MILLIS = 20;

  private static final long REQUEST_EVERY_NANOS = 10_000_000;

  private final long beganNanos = System.nanoTime();
  private volatile Target target;
  private final List<JobId> jobs;
  private volatile List<JobDemand> seenAtLooks = List.of();
  private volatile Shares shares = Shares.NONE;
  private volatile SchedulerKind kind = SchedulerKind.FIFO;

  FakeTarget(Target target, String... jobs) {
    this.target = target;
    this.jobs = List.of(jobs).stream().map(JobId::of).toList();
  }

  Shares shares() {
    return shares;
  }

  SchedulerKind kind() {
    return kind;
  }

  @Override
  public Target target() {
    return target;
  }

  @Override
  public TargetGoals lookAtGoals(Goals goals, Function<JobId, String> accounts, long nowNanos) {
    throw new UnsupportedOperationException("no test asks for it");
  }

  @Override
  public void hold(long tokensPerSecond, long nowNanos) {
    // Nobody has a goal here.
  }

  @Override
  public void resize(Target other, long nowNanos) {
    target = other;
  }

  @Override
  public List<JobDemand> endPeriod(ToLongFunction<JobId> nodes, long nowNanos) {
    List<JobDemand> demands = new ArrayList<>();
    for (JobId job : jobs) {
      demands.add(new JobDemand(job, nodes.applyAsLong(job), target.tokensPerSecond(), 0));
    }
    return demands;
  }

  @Override
  public List<JobDemand> look(ToLongFunction<JobId> nodes) {
    return List.copyOf(seenAtLooks);
  }

  /** What is seen at every look from now on. */
  void lookSees(JobDemand... jobs) {
    seenAtLooks = List.of(jobs);
  }

  @Override
  public void reconfigure(Shares told, long nowNanos) {
    shares = told;
  }

  @Override
  public void use(SchedulerKind told, long nowNanos) {
    kind = told;
  }

  @Override
  public void watchCadences(boolean watched, long nowNanos) {}

  @Override
  public void prioritise(Map<JobId, Cadence.Prioritised> priorities) {}

  @Override
  public void divideBy(ShareGrouping shares, Function<JobId, String> accounts, long nowNanos) {}

  @Override
  public void limit(List<TbfRule> limits, long nowNanos) {}

  @Override
  public List<RuleEffect> limitsOn(JobId job, long nowNanos) {
    return List.of();
  }

  @Override
  public TargetStatistics statistics(long nowNanos) {
    long requests = Math.max(0, nowNanos - beganNanos) / REQUEST_EVERY_NANOS;
    return new TargetStatistics(
        target.name(),
        nowNanos,
        QUEUED * jobs.size(),
        1,
        jobs.stream()
            .map(job ->
                new TargetStatistics.JobStatistics(
                    job,
                    requests,
                    requests * REQUEST_BYTES,
                    0,
                    requests * WAIT_MILLIS * 1_000_000,
                    QUEUED,
                    nowNanos,
                    "anna",
                    "",
                    requests,
                    0,
                    0,
                    0,
                    1,
                    0,
                    0))
            .toList());
  }
}
