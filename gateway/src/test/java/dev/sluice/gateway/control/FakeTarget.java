package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.guarantee.GoalLook;
import dev.sluice.core.policy.guarantee.GoalMeter;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.StepBack;
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
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A target that only remembers what it was told, and says what the test wants it to say. */
final class FakeTarget implements ControlledTarget {
  Target target;
  Shares shares = Shares.NONE;
  SchedulerKind kind = SchedulerKind.FIFO;
  List<TbfRule> limits = List.of();
  List<RuleEffect> effects = List.of();
  boolean watchesCadences;
  ShareGrouping grouping = ShareGrouping.FLAT;
  Function<JobId, String> paidBy = _ -> "";
  int divided;
  int reconfigured;
  int periods;

  /** How long requests of the first goal take; 0 where there are none. */
  long latencyNanos;

  long heldTo = StepBack.FREE;
  int looks;
  final Map<JobId, Long> arrived = new TreeMap<>();

  /** Since the last look. */
  final Map<JobId, Long> wanted = new TreeMap<>();

  final List<TargetStatistics.JobStatistics> statistics = new ArrayList<>();

  FakeTarget(String name) {
    this.target = new Target(name, 100_000_000, TokenUnit.BYTES);
  }

  @Override
  public synchronized Target target() {
    return target;
  }

  @Override
  public synchronized TargetGoals lookAtGoals(
      Goals goals, Function<JobId, String> accounts, long nowNanos) {
    GoalLook look = new GoalLook(goals);
    if (latencyNanos > 0) {
      GoalMeter meter = new GoalMeter(goals.all().getFirst());
      meter.served(1_000, latencyNanos);
      meter.served(1_000, latencyNanos);
      look.job(meter, false, 0);
    }
    look.job(null, true, 0);
    return new TargetGoals(look, (double) target.tokensPerSecond(), false, 10_000_000);
  }

  @Override
  public synchronized void hold(long tokensPerSecond, long nowNanos) {
    heldTo = tokensPerSecond;
  }

  @Override
  public synchronized void resize(Target resized, long nowNanos) {
    target = resized;
  }

  @Override
  public synchronized List<JobDemand> endPeriod(ToLongFunction<JobId> nodes, long nowNanos) {
    periods++;
    List<JobDemand> demands = new ArrayList<>();
    arrived.forEach(
        (job, tokens) -> demands.add(new JobDemand(job, nodes.applyAsLong(job), tokens, 0)));
    return demands;
  }

  @Override
  public synchronized List<JobDemand> look(ToLongFunction<JobId> nodes) {
    looks++;
    List<JobDemand> demands = new ArrayList<>();
    wanted.forEach(
        (job, tokens) -> demands.add(new JobDemand(job, nodes.applyAsLong(job), tokens, 0)));
    return demands;
  }

  @Override
  public synchronized void reconfigure(Shares decided, long nowNanos) {
    shares = decided;
    reconfigured++;
  }

  @Override
  public synchronized void use(SchedulerKind told, long nowNanos) {
    kind = told;
    shares = Shares.NONE;
  }

  @Override
  public synchronized void watchCadences(boolean watched, long nowNanos) {
    watchesCadences = watched;
  }

  @Override
  public void prioritise(Map<JobId, Cadence.Prioritised> priorities) {
    throw new UnsupportedOperationException("no test asks for it");
  }

  @Override
  public synchronized void divideBy(
      ShareGrouping shares, Function<JobId, String> accounts, long nowNanos) {
    grouping = shares;
    paidBy = accounts;
    divided++;
  }

  @Override
  public synchronized void limit(List<TbfRule> rules, long nowNanos) {
    limits = List.copyOf(rules);
  }

  @Override
  public synchronized List<RuleEffect> limitsOn(JobId job, long nowNanos) {
    return effects;
  }

  @Override
  public synchronized TargetStatistics statistics(long nowNanos) {
    return new TargetStatistics(target.name(), nowNanos, 3, 2, statistics);
  }

  /** The share of a job; negative when it has none of its own. */
  long tokens(String job) {
    int index = shares.indexOf(JobId.of(job));
    if (index < 0) {
      return -1;
    }
    return shares.isLimited(index) ? Math.round(shares.tokens(index)) : Shares.UNLIMITED;
  }

  long weight(String job) {
    int index = shares.indexOf(JobId.of(job));
    return index < 0 ? -1 : shares.weight(index);
  }
}
