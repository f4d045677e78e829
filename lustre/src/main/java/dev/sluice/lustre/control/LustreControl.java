package dev.sluice.lustre.control;

import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.adaptbf.AdapTbf;
import dev.sluice.core.policy.adaptbf.AdapTbfState;
import dev.sluice.core.policy.cycle.ControlCycle;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.core.schedule.Shares;
import dev.sluice.jobs.EndedJobs;
import dev.sluice.jobs.Job;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.lustre.tbf.JobPattern;
import dev.sluice.lustre.tbf.OthersRules;
import dev.sluice.lustre.tbf.RuleNames;
import dev.sluice.lustre.tbf.RuleTable;
import dev.sluice.lustre.tbf.SeenRule;
import dev.sluice.lustre.tbf.VersionHazards;
import dev.sluice.lustre.tbf.WantedRule;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * AdapTBF for one service of a Lustre server: from what jobs were served to the rules that should
 * be there. Reads no clock and runs no program. Not thread-safe.
 *
 * <p>The policy wants to know what jobs ask for, and Lustre only tells what it has served. So a job
 * that used up what its rule let pass is taken to want twice that, and at least its share by nodes;
 * if it does not, the next period shows it. Another one is taken to want a little more than it was
 * served, so that it can grow without being held back first.
 */
public final class LustreControl {
  /**
   * For how many periods the rule of an idle job stays, so that bursts do not come and go with it.
   */
  static final int LINGER_PERIODS = 10;

  /** What a job that is held back is taken to want, in multiples of what it was served. */
  private static final long HELD_BACK_FACTOR = 2;

  /** The part of what it was served that any other job may want more. */
  private static final double ROOM_TO_GROW = 0.2;

  /** A server that serves this part of what it can has nothing to spare. */
  private static final double BUSY_PART = 0.95;

  /** The part of its grant that a job on a busy server must have got to have wanted all of it. */
  private static final double CROWDED_PART = 0.5;

  /** Each of these is compared with all other jobs in every period. */
  private static final int WILDCARDS_MAX = 100;

  private static final double NANOS_PER_SECOND = 1e9;

  private final LustreConfiguration configuration;
  private final LustreVersion version;
  private final JobDirectory directory;
  private final EndedJobs ended;
  private final Target target;
  private final ControlCycle<AdapTbfState> cycle;
  private final RuleNames names;
  private final Compensation compensation = new Compensation();
  private final Map<LustreJobId, ManagedJob> jobs = new TreeMap<>();

  public LustreControl(
      LustreConfiguration configuration, LustreVersion version, JobDirectory directory) {
    this.configuration = configuration;
    this.version = version;
    this.directory = directory;
    this.ended = new EndedJobs(directory);
    this.target =
        new Target(
            configuration.service().text(),
            configuration.capacityPerSecond(),
            TokenUnit.OPERATIONS);
    Cluster cluster = Cluster.of(target);
    this.cycle =
        new ControlCycle<>(
            PolicyControl.of(new AdapTbf(configuration.recordRetentionNanos()), cluster),
            cluster,
            new CycleSetting(configuration.periodNanos(), false, 0),
            0);
    this.names = new RuleNames(configuration.rulePrefix());
  }

  /**
   * Decides after a period.
   *
   * @param active what each job did in it
   * @param inForce the rules that held during it
   * @param table the rules that there are, or would be had all been carried out
   */
  public Decision decide(
      List<JobActivity> active,
      RuleTable inForce,
      RuleTable table,
      long periodNanos,
      long nowNanos) {
    takeNote(active);
    long nodes = 0;
    long served = 0;
    for (ManagedJob job : jobs.values()) {
      if (job.isActive()) {
        job.nodes = nodes(job);
        nodes += job.nodes;
        served += job.rpcs();
      }
    }
    boolean isBusy = served >= BUSY_PART * capacity(periodNanos);
    boolean anyHeldBack = estimateDemand(inForce, nodes, isBusy, periodNanos);
    compensation.observe(served / capacity(periodNanos), anyHeldBack);

    ended.changed();
    Explanation explanation =
        cycle.decide(Map.of(target, demands()), ended.take(), periodNanos, nowNanos);
    Rules rules = new Rules(table, nodes, periodNanos);
    rules.decide(cycle.inForce(target.name()));
    forget(table, rules.wanted);
    return new Decision(
        rules.wanted,
        rules.others.before(),
        rules.reports,
        served,
        compensation.factor(),
        explanation);
  }

  /** How many requests can be served in a period. */
  private double capacity(long periodNanos) {
    return configuration.capacityPerSecond() * (periodNanos / NANOS_PER_SECOND);
  }

  private void takeNote(List<JobActivity> active) {
    for (ManagedJob job : jobs.values()) {
      job.activity = null;
      job.idlePeriods++;
      job.heldBack = false;
    }
    for (JobActivity activity : active) {
      ManagedJob job =
          jobs.computeIfAbsent(
              activity.job(), id -> new ManagedJob(id, JobPattern.of(id, version)));
      job.activity = activity;
      job.idlePeriods = 0;
    }
  }

  private long nodes(ManagedJob job) {
    Job known = directory.job(job.shown);
    return known == null ? 1 : Math.clamp(known.weight(), 1, JobClaim.NODES_MAX);
  }

  /** What each active job is taken to want; says whether any was held back. */
  private boolean estimateDemand(RuleTable table, long nodes, boolean isBusy, long periodNanos) {
    boolean any = false;
    for (ManagedJob job : jobs.values()) {
      if (!job.isActive()) {
        continue;
      }
      SeenRule rule = rule(job, table);
      long rpcs = job.rpcs();
      job.heldBack = rule != null && isHeldBack(job, rule, isBusy, periodNanos);
      job.partitions = partitions(job, rule, table, periodNanos);
      any |= job.heldBack;
      double wanted =
          job.heldBack
              ? Math.max(
                  (double) HELD_BACK_FACTOR * rpcs, capacity(periodNanos) * job.nodes / nodes)
              : rpcs * (1 + ROOM_TO_GROW);
      job.wantedRpcs = (long) Math.min(Math.ceil(wanted), (double) JobDemand.TOKENS_MAX);
    }
    return any;
  }

  /**
   * A job's rule may let more pass than it was granted, and then it is held back by the others if
   * at all: on a busy server, whoever got a good part of its grant may have wanted the rest.
   */
  private static boolean isHeldBack(
      ManagedJob job, SeenRule rule, boolean isBusy, long periodNanos) {
    double grant = job.grantedPerSecond * (periodNanos / NANOS_PER_SECOND);
    return Throttling.isHeldBack(job.rpcs(), rule.rate(), periodNanos)
        || (isBusy && grant > 0 && job.rpcs() >= CROWDED_PART * grant);
  }

  private @Nullable SeenRule rule(ManagedJob job, RuleTable table) {
    String name = names.known(job.id);
    return name == null ? null : table.rule(name);
  }

  /**
   * Over how many partitions a job's rate is divided. A server shows on which of them requests have
   * come that a rule matched, but not whether they still do; what the job was served tells. Before
   * that, a job is taken to use one for each node.
   */
  private static int partitions(
      ManagedJob job, @Nullable SeenRule rule, RuleTable table, long periodNanos) {
    if (rule == null || rule.servingPartitions() == 0) {
      return (int) Math.min(job.nodes, table.partitions());
    }
    return Throttling.usedPartitions(
        job.rpcs(), rule.rate(), rule.servingPartitions(), periodNanos);
  }

  private List<JobDemand> demands() {
    List<JobDemand> demands = new ArrayList<>(jobs.size());
    for (ManagedJob job : jobs.values()) {
      if (job.isActive()) {
        long arrived = Math.min(job.rpcs(), JobDemand.TOKENS_MAX);
        demands.add(
            new JobDemand(
                job.shown, job.nodes, arrived, job.wantedRpcs - Math.min(arrived, job.wantedRpcs)));
      }
    }
    return demands;
  }

  /** The rules that follow from one decision. */
  private final class Rules {
    private final RuleTable table;
    private final long activeNodes;
    private final long periodNanos;
    private final OthersRules others;
    private final List<WantedRule> wanted = new ArrayList<>();
    private final List<JobReport> reports = new ArrayList<>();
    private int wildcards;

    Rules(RuleTable table, long activeNodes, long periodNanos) {
      this.table = table;
      this.activeNodes = activeNodes;
      this.periodNanos = periodNanos;
      this.others = new OthersRules(table, LustreControl.this::isOurs);
    }

    void decide(Shares shares) {
      Set<LustreJobId> tooMany = tooMany();
      for (ManagedJob job : jobs.values()) {
        int index = job.isActive() ? shares.indexOf(job.shown) : -1;
        job.granted = index >= 0 ? shares.tokens(index) : 0;
        job.grantedPerSecond =
            job.isActive() ? job.granted * NANOS_PER_SECOND / periodNanos : idlePerSecond(job);
      }
      double factor = Math.max(1, unusedFactor()) * compensation.factor();
      for (ManagedJob job : jobs.values()) {
        double perSecond = job.grantedPerSecond * (job.heldBack ? factor : 1);
        String reason =
            tooMany.contains(job.id)
                ? "more than " + configuration.rulesMax() + " jobs are active"
                : leftAlone(job);
        boolean lingers = job.isActive() || rule(job, table) != null;
        WantedRule rule = null;
        if (reason == null && lingers && job.idlePeriods < LINGER_PERIODS) {
          String name = names.name(job.id, table::has);
          rule = new WantedRule(name, job.pattern, rate(perSecond, job.partitions));
          wanted.add(rule);
        }
        report(job, rule, reason);
      }
    }

    /**
     * By how much jobs that are held back may exceed their grants, so that all together use what
     * the others are expected to leave of theirs. Those may still use it, should they want to: then
     * the server serves both in proportion to their rates.
     */
    private double unusedFactor() {
      double heldBack = 0;
      double used = 0;
      for (ManagedJob job : jobs.values()) {
        if (job.heldBack) {
          heldBack += job.granted;
        } else if (job.isActive()) {
          used += Math.min(job.granted, (double) job.wantedRpcs);
        }
      }
      return heldBack == 0 ? 1 : (capacity(periodNanos) - used) / heldBack;
    }

    /** The least active, where there are more than rules are allowed. */
    private Set<LustreJobId> tooMany() {
      if (jobs.size() <= configuration.rulesMax()) {
        return Set.of();
      }
      Set<LustreJobId> rest = new HashSet<>();
      jobs.values().stream()
          .sorted(Comparator.comparingLong(ManagedJob::rpcs).reversed())
          .skip(configuration.rulesMax())
          .forEach(job -> rest.add(job.id));
      return rest;
    }

    /** Why a job gets no rule; null where it may have one. */
    private @Nullable String leftAlone(ManagedJob job) {
      String ruling = others.ruling(job.id);
      if (ruling != null) {
        return "rule " + ruling + " of others matches it";
      }
      return switch (job.pattern) {
        case JobPattern.Exact _ -> null;
        case JobPattern.Unwritable unwritable -> unwritable.reason();
        case JobPattern.Wildcard wildcard -> mistaken(job, wildcard);
      };
    }

    private @Nullable String mistaken(ManagedJob job, JobPattern.Wildcard pattern) {
      wildcards++;
      if (wildcards > WILDCARDS_MAX) {
        return "more than " + WILDCARDS_MAX + " jobs have ids that a rule cannot hold as they are";
      }
      for (ManagedJob other : jobs.values()) {
        if (!other.id.equals(job.id) && pattern.mayMatch(other.id)) {
          return "its id cannot be written into a rule as it is, and "
              + pattern.text()
              + " would match "
              + other.shown
              + ", too";
        }
      }
      return null;
    }

    /** What an idle job may begin with: its share as if it were active, too. */
    private double idlePerSecond(ManagedJob job) {
      return (double) configuration.capacityPerSecond() * job.nodes / (activeNodes + job.nodes);
    }

    private long rate(double perSecond, int partitions) {
      // Below one request in a period a job would hear of its next rate only periods later.
      long atLeast =
          Math.max(
              configuration.floorPerSecond(), (long) Math.ceil(NANOS_PER_SECOND / periodNanos));
      return Math.clamp(
          Math.round(perSecond / partitions), atLeast, VersionHazards.rateMax(version));
    }

    private void report(ManagedJob job, @Nullable WantedRule rule, @Nullable String reason) {
      JobActivity activity = job.activity;
      if (activity != null) {
        reports.add(
            new JobReport(
                job.shown,
                job.nodes,
                activity,
                job.heldBack,
                job.wantedRpcs,
                Math.round(job.granted),
                rule == null ? null : rule.name(),
                rule == null ? 0 : rule.rate(),
                job.partitions,
                reason));
      }
    }
  }

  /** Whether a rule with this name is one of ours. */
  private boolean isOurs(String name) {
    return names.job(name) != null;
  }

  /** The names of our rules that are there, may be there or should be. */
  public Collection<String> ownNames() {
    return names.names();
  }

  /** Jobs without work or rule are not kept, nor are names without a rule. */
  private void forget(RuleTable table, List<WantedRule> wanted) {
    Set<String> needed = HashSet.newHashSet(wanted.size());
    wanted.forEach(rule -> needed.add(rule.name()));
    names.releaseUnless(name -> needed.contains(name) || table.rule(name) != null);
    jobs.values().removeIf(job -> !job.isActive() && names.known(job.id) == null);
  }
}
