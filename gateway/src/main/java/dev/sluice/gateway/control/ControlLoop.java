package dev.sluice.gateway.control;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.InBranches;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.core.policy.cycle.LocalControl;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.policy.guarantee.WithGoals;
import dev.sluice.core.schedule.BranchShares;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.gateway.target.TargetStatistics;
import dev.sluice.jobs.EndedJobs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
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
    return kindInForce().dividesByBranch() && !plan.shares().isFlat();
  }

  private SchedulerKind kindInForce() {
    if (plan.observesOnly()) {
      return SchedulerKind.FIFO;
    }
    return remote == null ? plan.policy().info().scheduler() : remote.kind();
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
      target.reconfigure(remoteInForce(target.target().name()), nowNanos);
    }
  }

  /** What somebody else decided about a target, with what was made of it since. */
  private Shares remoteInForce(String target) {
    Shares decided = remote == null ? Shares.NONE : remote.on(target);
    return remoteLocal == null ? decided : remoteLocal.inForce(target, decided);
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
      enforce(plan.targets(), changed, this::remoteInForce, nowNanos);
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
    return kept.reserve(target, seen, owners(target.name()), periodNanos);
  }

  /** Whether the order in which requests are served is one that keeps what is reserved. */
  public synchronized boolean keepsPromises() {
    return kindInForce() == SchedulerKind.FAIR;
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
    return new JobClaims(overrides, plan.directory());
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

  /** How everything is. */
  public synchronized ControlStatus status(long nowNanos) {
    List<ControlStatus.TargetStatus> targets = new ArrayList<>();
    for (PolicyGroup group : groups) {
      for (ControlledTarget target : group.targets()) {
        targets.add(targetStatus(group, target, nowNanos));
      }
    }
    return new ControlStatus(
        policyName(),
        plan.policy().periodNanos(),
        plan.policy().settings(),
        plan.observesOnly(),
        overrides.jobs().entrySet().stream()
            .map(set ->
                new ControlStatus.JobSetting(
                    set.getKey(),
                    set.getValue().weight(),
                    set.getValue().limit(),
                    set.getValue().phaseTokens()))
            .toList(),
        targets);
  }

  /** How goals are kept, by target; none where there are none. */
  public synchronized Map<String, List<ControlStatus.GoalStatus>> goals() {
    Map<String, List<ControlStatus.GoalStatus>> kept = new LinkedHashMap<>();
    for (ControlledTarget target : plan.targets()) {
      String name = target.target().name();
      List<ControlStatus.GoalStatus> on =
          goals.on(name).stream().map(ControlStatus.GoalStatus::of).toList();
      if (!on.isEmpty()) {
        kept.put(name, on);
      }
    }
    return kept;
  }

  private String policyName() {
    return remote == null ? plan.policy().info().name() : remote.decider();
  }

  private ControlStatus.TargetStatus targetStatus(
      PolicyGroup group, ControlledTarget target, long nowNanos) {
    Target told = target.target();
    Shares shares = inForce(group, told.name());
    Function<JobId, JobOwner> owners = owners(told.name());
    boolean byBranch = dividesByBranch();
    List<ControlStatus.JobStatus> jobs = new ArrayList<>();
    activity
        .latest(told.name())
        .forEach(figures ->
            jobs.add(
                jobStatus(
                    figures,
                    shares,
                    byBranch ? plan.shares().path(owners.apply(figures.job())) : List.of())));
    return new ControlStatus.TargetStatus(
        told,
        target.belief(nowNanos),
        group.cycle().decisions(),
        remote == null ? group.cycle().trouble(nowNanos) : null,
        explanation(group),
        activity.queue(told.name()),
        goals.on(told.name()).stream().map(ControlStatus.GoalStatus::of).toList(),
        jobs);
  }

  private ControlStatus.JobStatus jobStatus(
      JobFigures figures, Shares shares, List<String> branch) {
    return new ControlStatus.JobStatus(
        figures,
        plan.directory().job(figures.job()),
        claims().weight(figures.job()),
        allowedPerSecond(shares, figures.job()),
        branch,
        plan.shares().sharesOn(branch));
  }

  /** What was served so far, and what holds. */
  public synchronized ServiceTotals totals(long nowNanos) {
    JobClaims claims = claims();
    List<ServiceTotals.TargetTotals> targets = new ArrayList<>();
    for (PolicyGroup group : groups) {
      for (ControlledTarget target : group.targets()) {
        TargetStatistics seen = target.statistics(nowNanos);
        Shares shares = inForce(group, seen.target());
        List<ServiceTotals.JobTotals> jobs = new ArrayList<>(seen.jobs().size());
        for (TargetStatistics.JobStatistics job : seen.jobs()) {
          jobs.add(
              new ServiceTotals.JobTotals(
                  job, claims.weight(job.job()), allowedPerSecond(shares, job.job())));
        }
        targets.add(
            new ServiceTotals.TargetTotals(
                target.target(),
                remote == null ? group.cycle().trouble(nowNanos) : null,
                remote == null && group.cycle().isLapsed(),
                seen.queued(),
                seen.inService(),
                jobs));
      }
    }
    return new ServiceTotals(
        policyName(), plan.policy().settings(), plan.observesOnly(), nowNanos, targets);
  }

  /** The targets on which nobody is limited, because no decision came for too long, and why. */
  public synchronized Map<String, String> lapsed(long nowNanos) {
    Map<String, String> lapsed = new HashMap<>();
    for (PolicyGroup group : groups) {
      if (remote == null && group.cycle().isLapsed()) {
        String why = String.valueOf(group.cycle().trouble(nowNanos));
        group.targets().forEach(target -> lapsed.put(target.target().name(), why));
      }
    }
    return lapsed;
  }

  private Shares inForce(PolicyGroup group, String target) {
    return remote == null ? group.cycle().inForce(target) : remoteInForce(target);
  }

  private static double allowedPerSecond(Shares shares, JobId job) {
    int index = shares.indexOf(job);
    return index < 0 ? Double.POSITIVE_INFINITY : shares.tokensPerSecond(index);
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

  private synchronized List<Account> accounts(JobId job, long nowNanos) {
    List<Account> accounts = new ArrayList<>();
    for (PolicyGroup group : groups) {
      Map<String, List<JobFigures>> history = new LinkedHashMap<>();
      List<LimitOnJob> limits = new ArrayList<>();
      for (ControlledTarget target : group.targets()) {
        String name = target.target().name();
        history.put(name, activity.history(name, job));
        target.limitsOn(job, nowNanos).forEach(effect -> limits.add(new LimitOnJob(name, effect)));
      }
      accounts.add(
          new Account(
              explanation(group),
              claims().weight(job),
              words(group, job, nowNanos),
              limits,
              limitsElsewhere(limits),
              history));
    }
    return accounts;
  }

  /** The limits of the configuration that are in force and not among these. */
  private List<String> limitsElsewhere(List<LimitOnJob> limits) {
    if (plan.observesOnly()) {
      return List.of();
    }
    Set<String> here = limits.stream().map(LimitOnJob::name).collect(Collectors.toSet());
    return plan.limits().stream().map(TbfRule::name).filter(name -> !here.contains(name)).toList();
  }

  /** What a group can say about a job, before its reasons are worked out. */
  private record Account(
      @Nullable Explanation explanation,
      long weight,
      String state,
      List<LimitOnJob> limits,
      List<String> limitsElsewhere,
      Map<String, List<JobFigures>> history) {
    JobExplanation of(JobId job) {
      Explanation.Reason reason = null;
      if (explanation != null) {
        reason =
            explanation.reasons().stream()
                .filter(given -> given.job().equals(job))
                .findFirst()
                .orElse(null);
      }
      String summary = explanation == null ? "nothing is decided yet" : explanation.summary();
      return new JobExplanation(
          job, summary, reason, weight, state, limits, limitsElsewhere, history);
    }
  }

  /** Of whoever decides, with each job's branch where these count. */
  private @Nullable Explanation explanation(PolicyGroup group) {
    Explanation given = remote == null ? group.cycle().explanation() : explained(remote, group);
    boolean alone = group.targets().size() == 1;
    if (given == null || !alone) {
      return given;
    }
    String target = group.targets().getFirst().target().name();
    Function<JobId, JobOwner> owners = owners(target);
    return WithGoals.of(
        dividesByBranch() ? inBranches(given, group) : given,
        goals.on(target),
        job -> promises().goals().of(job, owners.apply(job)));
  }

  private Explanation explained(RemoteDecision decision, PolicyGroup group) {
    Explanation told = decision.on(group.targets().stream().map(ControlledTarget::target).toList());
    return remoteLocal == null ? told : remoteLocal.explained(told, decision.shares());
  }

  private Explanation inBranches(Explanation given, PolicyGroup group) {
    Target target = group.targets().getFirst().target();
    Shares shares = inForce(group, target.name());
    double tokens = (double) target.tokensPerSecond() * shares.periodNanos() / 1e9;
    ShareGrouping grouping = plan.shares();
    Function<JobId, JobOwner> owners = owners(target.name());
    return new InBranches(given, tokens, () -> new BranchShares(grouping, shares, owners));
  }

  /** Whose each job is that was seen on a target, or that the directory knows. */
  private Function<JobId, JobOwner> owners(String target) {
    JobClaims claims = claims();
    Map<JobId, TargetStatistics.JobStatistics> seen = activity.seen(target);
    return job -> claims.owner(job, seen.get(job));
  }

  /** The guarantees of others who are busy on a target. */
  private Set<Guarantee> heldBackFor(String target, JobId job) {
    Set<Guarantee> others = new LinkedHashSet<>();
    Guarantees guarantees = promises().guarantees();
    if (guarantees.isEmpty() || !keepsPromises()) {
      return others;
    }
    Function<JobId, JobOwner> owners = owners(target);
    for (JobFigures busy : activity.latest(target)) {
      Guarantee guarantee = guarantees.of(busy.job(), owners.apply(busy.job()));
      if (guarantee != null) {
        others.add(guarantee);
      }
    }
    Guarantee own = guarantees.of(job, owners.apply(job));
    if (own != null) {
      others.remove(own);
    }
    return others;
  }

  private String words(PolicyGroup group, JobId job, long nowNanos) {
    StringBuilder words = new StringBuilder(policyName());
    if (remote == null) {
      words
          .append(" decides every ")
          .append(Quantities.formatDuration(plan.policy().periodNanos()));
    } else {
      words.append(" decides, about the targets of all its gateways together");
    }
    if (plan.observesOnly()) {
      words.append(", and nothing of it is enforced (observe-only)");
    }
    String trouble = remote == null ? group.cycle().trouble(nowNanos) : null;
    if (trouble != null) {
      words.append("; ").append(trouble);
    }
    JobOverrides.Setting set = overrides.jobs().get(job);
    if (set != null) {
      words.append("; ").append(set.words());
    }
    for (ControlledTarget target : group.targets()) {
      heldBackFor(target.target().name(), job)
          .forEach(other -> words.append("; held back for ").append(other.possessive()));
      CapacityBelief belief = target.belief(nowNanos);
      if (belief != null) {
        words
            .append("; ")
            .append(target.target().name())
            .append(' ')
            .append(belief.words(nowNanos));
      }
    }
    return words.toString();
  }
}
