package dev.sluice.gateway.control;

import dev.sluice.core.capacity.CapacityBelief;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.InBranches;
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
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.gateway.target.TargetStatistics;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link ControlLoop} knows at a moment, to be told: how targets and jobs are, what was
 * served, and why each job has what it has. It is looked at while nobody changes anything.
 *
 * @param remote what somebody else decides for our targets; null while our own policy does
 * @param remoteLocal what is done between the decisions of somebody else; null where nothing is
 * @param promises all that is to be kept
 */
record ControlView(
    ControlPlan plan,
    JobOverrides overrides,
    List<PolicyGroup> groups,
    @Nullable RemoteDecision remote,
    @Nullable LocalControl remoteLocal,
    Promises promises,
    LastMinute activity,
    GoalsInForce goals) {

  /** In what order requests are served. */
  SchedulerKind kindInForce() {
    if (plan.observesOnly()) {
      return SchedulerKind.FIFO;
    }
    return remote == null ? plan.policy().info().scheduler() : remote.kind();
  }

  /** Whether that is one that goes by the branches of jobs. */
  boolean dividesByBranch() {
    return kindInForce().dividesByBranch() && !plan.shares().isFlat();
  }

  /** Whether that is one that keeps what is reserved. */
  boolean keepsPromises() {
    return kindInForce().keepsReserves();
  }

  JobClaims claims() {
    return new JobClaims(overrides, plan.directory());
  }

  /** What somebody else decided about a target, with what was made of it since. */
  Shares remoteInForce(String target) {
    Shares decided = remote == null ? Shares.NONE : remote.on(target);
    return remoteLocal == null ? decided : remoteLocal.inForce(target, decided);
  }

  /** How everything is. */
  ControlStatus status(long nowNanos) {
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
  Map<String, List<ControlStatus.GoalStatus>> goalsKept() {
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
  ServiceTotals totals(long nowNanos) {
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
  Map<String, String> lapsed(long nowNanos) {
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

  /** What can be said of a job on each target. */
  List<Account> accounts(JobId job, long nowNanos) {
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

  /** What a group can say about a job, before its reasons are worked out: that may take a while. */
  record Account(
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
        job -> promises.goals().of(job, owners.apply(job)));
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
  Function<JobId, JobOwner> owners(String target) {
    JobClaims claims = claims();
    Map<JobId, TargetStatistics.JobStatistics> seen = activity.seen(target);
    return job -> claims.owner(job, seen.get(job));
  }

  /** The guarantees of others who are busy on a target. */
  private Set<Guarantee> heldBackFor(String target, JobId job) {
    Set<Guarantee> others = new LinkedHashSet<>();
    Guarantees guarantees = promises.guarantees();
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
            .append(belief.words(Quantities.Counted.BYTES, nowNanos));
      }
    }
    return words.toString();
  }
}
