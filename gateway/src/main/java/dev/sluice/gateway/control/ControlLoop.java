package dev.sluice.gateway.control;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.core.policy.cycle.LocalControl;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.jobs.EndedJobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Collects what was seen on the targets, has the policy decide, and puts in force what it decided,
 * once a period. Policy, limits, weights and targets may be changed at any time; no request notices
 * but by its turn.
 *
 * <p>Safe for use by many threads. It has no clock: {@link #tick} is called when time has passed,
 * and says when it wants to be called next.
 */
public final class ControlLoop {
  private static final long SAMPLE_NANOS = 1_000_000_000L;

  private final DecisionSetting setting;

  private ControlPlan plan;
  private JobOverrides overrides = JobOverrides.NONE;
  private List<PolicyGroup> groups = List.of();
  private EndedJobs endedJobs;
  private long sampleNanos;
  private final LastMinute activity = new LastMinute();
  private final GoalsInForce goals = new GoalsInForce();

  /** Null when there may be a target that has not heard of them. */
  private @Nullable List<TbfRule> limitsInForce;

  /** What somebody else decides for our targets; null while our own policy does. */
  private @Nullable RemoteDecision remote;

  /** What a controller has us keep beside what the plan says. */
  private Promises toldPromises = Promises.NONE;

  /** What is done between the decisions of somebody else; null where nothing is. */
  private @Nullable LocalControl remoteLocal;

  /** What the groups count, so that a change is noticed; that of a capacity they notice. */
  private List<TokenUnit> decidedAbout = List.of();

  public ControlLoop(ControlPlan plan, DecisionSetting setting, long nowNanos) {
    this.plan = plan;
    this.setting = setting;
    this.endedJobs = new EndedJobs(plan.directory());
    this.sampleNanos = nowNanos + SAMPLE_NANOS;
    regroup(nowNanos);
    divideTargets(nowNanos);
    enforceLimits(nowNanos);
    followGoals(nowNanos);
  }

  private void followGoals(long nowNanos) {
    goals.follow(promises().goals(), plan.targets(), keepsPromises(), nowNanos);
  }

  /** Follows another plan from now on. What it has in common with the one before stays as it is. */
  public synchronized void follow(ControlPlan changed, long nowNanos) {
    ControlPlan before = plan;
    plan = changed;
    if (!before.directory().equals(changed.directory())) {
      endedJobs = new EndedJobs(changed.directory());
    }
    boolean same =
        before.policy().equals(changed.policy())
            && before.observesOnly() == changed.observesOnly()
            && before.targets().equals(changed.targets())
            && decidedAbout.equals(units());
    if (!same) {
      regroup(nowNanos);
    }
    jobsChanged();
    divideTargets(nowNanos);
    enforceLimits(nowNanos);
    followGoals(nowNanos);
  }

  /** Has the targets group jobs by what the plan says and by what is known of jobs now. */
  private void divideTargets(long nowNanos) {
    JobClaims claims = claims();
    plan.targets().forEach(target -> target.divideBy(plan.shares(), claims::account, nowNanos));
  }

  /** Whether the order in which requests are served is one that goes by the branches of jobs. */
  public synchronized boolean dividesByBranch() {
    return view().dividesByBranch();
  }

  public synchronized ControlPlan plan() {
    return plan;
  }

  /** Has another policy decide. */
  public synchronized void decideBy(PolicyChoice policy, long nowNanos) {
    follow(plan.withPolicy(policy), nowNanos);
  }

  /** Has what there is divided by other branches, or by other weights of theirs. */
  public synchronized void divideBy(ShareGrouping shares, long nowNanos) {
    follow(plan.dividedBy(shares), nowNanos);
  }

  /** Enforces nothing, or again what is decided. */
  public synchronized void observeOnly(boolean only, long nowNanos) {
    follow(plan.observing(only), nowNanos);
  }

  /** Sets a job's weight, its limit on every target, or both; what is null stays as it is. */
  public synchronized void setJob(
      JobId job, @Nullable Long weight, @Nullable TbfLimit limit, long nowNanos) {
    overrides = overrides.with(job, weight, limit);
    jobsChanged();
    enforceLimits(nowNanos);
  }

  /** Notes what phases of a job come to on a target, as somebody says; policies may use it. */
  public synchronized void hint(JobId job, long phaseTokens) {
    overrides = overrides.withPhase(job, phaseTokens);
    jobsChanged();
  }

  /** Forgets what was set for a job. */
  public synchronized void clearJob(JobId job, long nowNanos) {
    overrides = overrides.without(job);
    jobsChanged();
    enforceLimits(nowNanos);
  }

  private List<TokenUnit> units() {
    return plan.targets().stream().map(target -> target.target().unit()).toList();
  }

  /** Begins anew with this plan's policy, which remembers only what its memory has kept. */
  private void regroup(long nowNanos) {
    groups.forEach(PolicyGroup::retire);
    SchedulerKind kind =
        plan.observesOnly() ? SchedulerKind.FIFO : plan.policy().info().scheduler();
    List<PolicyGroup> made = new ArrayList<>();
    Policy<?> policy = plan.policy().create();
    switch (plan.policy().info().scope()) {
      case EACH_TARGET_ALONE ->
          plan.targets().forEach(target -> made.add(group(policy, List.of(target), nowNanos)));
      case ALL_TARGETS -> made.add(group(policy, plan.targets(), nowNanos));
    }
    groups = made;
    limitsInForce = null;
    decidedAbout = units();
    for (ControlledTarget target : plan.targets()) {
      target.use(kind, nowNanos);
      target.watchCadences(
          plan.policy().info().needs().contains(PolicyInfo.Need.CADENCE), nowNanos);
      target.reconfigure(Shares.NONE, nowNanos);
    }
    putRemoteInForce(nowNanos);
  }

  /**
   * Obeys somebody who decides about many gateways together, instead of our own policy, until
   * {@link #decideAgain}.
   *
   * @param policy by what is decided; what it does between decisions is done here
   * @param decided what holds on the targets that were decided about; the others stay as they are
   * @param summary what was decided over all, in words
   */
  public synchronized void obey(
      PolicyChoice policy, Map<String, Shares> decided, String summary, long nowNanos) {
    SchedulerKind kind = policy.info().scheduler();
    if (remote == null || !remote.policy().equals(policy)) {
      LocalRule local = policy.create().local();
      remoteLocal =
          local == null || local.periodNanos() >= policy.periodNanos()
              ? null
              : new LocalControl(local, nowNanos);
    }
    Map<String, Shares> shares = new HashMap<>(remote == null ? Map.of() : remote.shares());
    shares.putAll(decided);
    boolean first = remote == null || remote.kind() != kind;
    remote = new RemoteDecision(policy, shares, summary);
    if (first) {
      putRemoteInForce(nowNanos);
    } else if (!plan.observesOnly()) {
      for (ControlledTarget target : plan.targets()) {
        Shares changed = decided.get(target.target().name());
        if (changed != null) {
          target.reconfigure(changed, nowNanos);
        }
      }
    }
    followGoals(nowNanos);
  }

  private void putRemoteInForce(long nowNanos) {
    if (remote == null || plan.observesOnly()) {
      return;
    }
    for (ControlledTarget target : plan.targets()) {
      target.use(remote.kind(), nowNanos);
      target.reconfigure(view().remoteInForce(target.target().name()), nowNanos);
    }
  }

  /** Our own policy decides again. */
  public synchronized void decideAgain(long nowNanos) {
    if (remote != null) {
      remote = null;
      remoteLocal = null;
      regroup(nowNanos);
      followGoals(nowNanos);
    }
  }

  /** Whether somebody else decides. */
  public synchronized boolean obeys() {
    return remote != null;
  }

  /**
   * Ends a period for whoever decides instead of us: what jobs wanted on each target.
   *
   * @throws IllegalStateException while our own policy decides, whose periods these are
   */
  public synchronized Map<String, List<JobDemand>> endPeriod(long nowNanos) {
    if (remote == null) {
      throw new IllegalStateException("our own policy decides");
    }
    JobClaims claims = claims();
    Map<String, List<JobDemand>> seen = new LinkedHashMap<>();
    for (ControlledTarget target : plan.targets()) {
      Target now = target.target();
      List<JobDemand> wanted =
          target.endPeriod(claims::weight, nowNanos).stream().map(claims::described).toList();
      seen.put(now.name(), reserved(now, wanted, remote.policy().periodNanos()));
    }
    return seen;
  }

  /** What jobs did in the last second on each target, for whoever only looks. */
  public synchronized Map<String, List<JobDemand>> lastSecond() {
    JobClaims claims = claims();
    Map<String, List<JobDemand>> seen = new LinkedHashMap<>();
    for (ControlledTarget target : plan.targets()) {
      List<JobDemand> jobs = new ArrayList<>();
      boolean bytes = target.target().unit().tokensPerByte() > 0;
      for (JobFigures figures : activity.latest(target.target().name())) {
        double tokens = bytes ? figures.bytesPerSecond() : figures.operationsPerSecond();
        jobs.add(
            claims.described(
                new JobDemand(
                    figures.job(),
                    1,
                    (long) Math.clamp(tokens, 0, (double) JobDemand.TOKENS_MAX),
                    0)));
      }
      seen.put(target.target().name(), jobs);
    }
    return seen;
  }

  private PolicyGroup group(Policy<?> policy, List<ControlledTarget> targets, long nowNanos) {
    // What is only looked at happened to nobody, and must not be remembered as if it had.
    DecisionSetting used =
        plan.observesOnly()
            ? new DecisionSetting(
                setting.decider(),
                setting.whenDecided(),
                PolicyControls.FORGETFUL,
                setting.epochOffsetNanos())
            : setting;
    CycleSetting cycle =
        CycleSetting.of(
            plan.policy().info(), plan.policy().periodNanos(), setting.epochOffsetNanos());
    return new PolicyGroup(policy, targets, cycle, used, nowNanos);
  }

  private void enforceLimits(long nowNanos) {
    List<TbfRule> limits = new ArrayList<>();
    if (!plan.observesOnly()) {
      limits.addAll(overrides.limits());
      limits.addAll(plan.limits());
    }
    // Setting them again would fill their buckets anew.
    if (!limits.equals(limitsInForce)) {
      plan.targets().forEach(target -> target.limit(limits, nowNanos));
      limitsInForce = limits;
    }
  }

  /**
   * Does what is due.
   *
   * @return when to call it next, at the latest
   */
  public synchronized long tick(long nowNanos) {
    if (remote != null) {
      // Whoever decides instead of us counts the periods as well.
      groups.forEach(group -> group.cycle().postpone(nowNanos));
    }
    collect(nowNanos);
    if (endedJobs.changed()) {
      jobsChanged();
      divideTargets(nowNanos);
    }
    // All begin and end their periods together.
    if (remote == null && groups.stream().anyMatch(group -> group.cycle().isDue(nowNanos))) {
      decide(nowNanos);
    }
    collect(nowNanos);
    look(nowNanos);
    goals.look(plan.targets(), claims()::account, nowNanos);
    if (nowNanos >= sampleNanos) {
      sampleNanos = nowNanos + SAMPLE_NANOS;
      activity.sample(plan.targets(), nowNanos);
    }
    long dueNanos = Math.min(sampleNanos, goals.dueNanos());
    for (PolicyGroup group : groups) {
      dueNanos = Math.min(dueNanos, group.cycle().dueNanos());
      if (remote == null) {
        dueNanos = Math.min(dueNanos, group.cycle().lookDueNanos());
      }
    }
    return remoteLocal == null ? dueNanos : Math.min(dueNanos, remoteLocal.dueNanos());
  }

  /** Does what policies do between two decisions, whoever takes these. */
  private void look(long nowNanos) {
    if (remote == null) {
      groups.stream()
          .filter(group -> group.cycle().isLookDue(nowNanos))
          .forEach(group -> {
            Map<Target, List<JobDemand>> seen = lookAt(group.targets());
            Set<String> changed = group.cycle().look(seen, nowNanos);
            enforce(group.targets(), changed, group.cycle()::inForce, nowNanos);
          });
    } else if (remoteLocal != null && remoteLocal.isDue(nowNanos)) {
      remoteLocal.begin(nowNanos);
      Set<String> changed = new HashSet<>();
      for (Map.Entry<Target, List<JobDemand>> seen : lookAt(plan.targets()).entrySet()) {
        String name = seen.getKey().name();
        long epochNanos = nowNanos + setting.epochOffsetNanos();
        if (remoteLocal.look(
            seen.getKey(), seen.getValue(), remote.on(name), epochNanos, nowNanos)) {
          changed.add(name);
        }
      }
      enforce(plan.targets(), changed, view()::remoteInForce, nowNanos);
    }
  }

  private Map<Target, List<JobDemand>> lookAt(List<ControlledTarget> targets) {
    JobClaims claims = claims();
    Map<Target, List<JobDemand>> seen = new LinkedHashMap<>();
    for (ControlledTarget target : targets) {
      seen.put(
          target.target(), target.look(claims::weight).stream().map(claims::described).toList());
    }
    return seen;
  }

  private void enforce(
      List<ControlledTarget> targets,
      Set<String> changed,
      Function<String, Shares> inForce,
      long nowNanos) {
    for (ControlledTarget target : targets) {
      String name = target.target().name();
      if (changed.contains(name) && !plan.observesOnly()) {
        target.reconfigure(inForce.apply(name), nowNanos);
      }
    }
  }

  private void jobsChanged() {
    groups.forEach(group -> group.cycle().jobsChanged());
  }

  private void decide(long nowNanos) {
    List<JobId> ended = endedJobs.take();
    for (PolicyGroup group : groups) {
      switch (plan.policy().info().scope()) {
        case EACH_TARGET_ALONE -> decideAlone(group, ended, nowNanos);
        case ALL_TARGETS -> group.ask(claims(), ended, nowNanos);
      }
    }
  }

  private void decideAlone(PolicyGroup group, List<JobId> ended, long nowNanos) {
    JobClaims claims = claims();
    ControlledTarget target = group.targets().getFirst();
    List<JobDemand> seen = target.endPeriod(claims::weight, nowNanos);
    List<JobDemand> told =
        group
            .cycle()
            .told(
                seen,
                () ->
                    plan.directory().jobs().stream()
                        .map(job -> new JobDemand(job.id(), claims.weight(job.id()), 0, 0))
                        .iterator());
    Target now = target.target();
    group.see(Map.of(now, reserved(now, told, plan.policy().periodNanos())), ended, nowNanos);
  }

  /** What was seen of jobs, with what promises reserve for them. */
  private List<JobDemand> reserved(Target target, List<JobDemand> seen, long periodNanos) {
    Promises kept = keepsPromises() ? promises() : promises().withoutGoals();
    return kept.reserve(target, seen, view().owners(target.name()), periodNanos);
  }

  /** Whether the order in which requests are served is one that keeps what is reserved. */
  public synchronized boolean keepsPromises() {
    return view().keepsPromises();
  }

  /**
   * Keeps what a controller promises, whoever decides: for whom its promises are, before those of
   * the plan.
   */
  public synchronized void promise(Promises told, long nowNanos) {
    if (!told.equals(toldPromises)) {
      toldPromises = told;
      followGoals(nowNanos);
    }
  }

  /** All that is to be kept. */
  public synchronized Promises promises() {
    return toldPromises.before(plan.promises());
  }

  private JobClaims claims() {
    return view().claims();
  }

  private void collect(long nowNanos) {
    for (PolicyGroup group : groups) {
      if (group.collect(nowNanos) && !plan.observesOnly() && remote == null) {
        for (ControlledTarget target : group.targets()) {
          target.reconfigure(group.cycle().inForce(target.target().name()), nowNanos);
        }
      }
    }
  }

  /** Stops deciding; what is in force stays. */
  public synchronized void retire() {
    groups.forEach(PolicyGroup::retire);
    groups = List.of();
  }

  private ControlView view() {
    return new ControlView(
        plan, overrides, groups, remote, remoteLocal, promises(), activity, goals);
  }

  /** How everything is. */
  public synchronized ControlStatus status(long nowNanos) {
    return view().status(nowNanos);
  }

  /** How goals are kept, by target; none where there are none. */
  public synchronized Map<String, List<ControlStatus.GoalStatus>> goals() {
    return view().goalsKept();
  }

  /** What was served so far, and what holds. */
  public synchronized ServiceTotals totals(long nowNanos) {
    return view().totals(nowNanos);
  }

  /** The targets on which nobody is limited, because no decision came for too long, and why. */
  public synchronized Map<String, String> lapsed(long nowNanos) {
    return view().lapsed(nowNanos);
  }

  /**
   * Why a job has what it has on each target, and what it did in the last minute; none when nobody
   * heard of it.
   */
  public List<JobExplanation> explain(JobId job, long nowNanos) {
    // Reasons are worked out when asked for, which may take a while: not while others wait.
    return accounts(job, nowNanos).stream()
        .map(account -> account.of(job))
        .filter(explanation -> !explanation.isEmpty())
        .toList();
  }

  private synchronized List<ControlView.Account> accounts(JobId job, long nowNanos) {
    return view().accounts(job, nowNanos);
  }
}
