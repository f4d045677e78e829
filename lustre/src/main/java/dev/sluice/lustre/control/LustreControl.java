package dev.sluice.lustre.control;

import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.cycle.ControlCycle;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.Shares;
import dev.sluice.jobs.EndedJobs;
import dev.sluice.jobs.JobDirectory;
import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreVersion;
import dev.sluice.lustre.config.JobLimit;
import dev.sluice.lustre.config.LustreConfiguration;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.lustre.tbf.JobPattern;
import dev.sluice.lustre.tbf.NrsPolicies;
import dev.sluice.lustre.tbf.OthersRules;
import dev.sluice.lustre.tbf.RequestMatch;
import dev.sluice.lustre.tbf.RuleNames;
import dev.sluice.lustre.tbf.RuleTable;
import dev.sluice.lustre.tbf.SeenRule;
import dev.sluice.lustre.tbf.VersionHazards;
import dev.sluice.lustre.tbf.WantedRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A policy for one service of a Lustre server: from what jobs were served to the rules that should
 * be there. Reads no clock and runs no program. Not thread-safe.
 *
 * <p>Policies want to know what jobs ask for, and Lustre only tells what it has served, and whether
 * requests wait. So a job that used up what its rule let pass, while requests waited, is taken to
 * want twice that, and at least its share by nodes; if it does not, the next period shows it.
 * Another one is taken to want a little more than it was served, so that it can grow without being
 * held back first.
 */
public final class LustreControl {
  /**
   * For how many periods the rule of an idle job stays, so that bursts do not come and go with it.
   */
  static final int LINGER_PERIODS = 10;

  /** What a job that is held back is taken to want, in multiples of what it was served. */
  private static final double HELD_BACK_FACTOR = 2;

  /** The part of what it was served that any other job may want more. */
  private static final double ROOM_TO_GROW = 0.2;

  /** A server that serves this part of what it can has nothing to spare. */
  private static final double BUSY_PART = 0.95;

  /** The part of its grant that a job on a busy server must have got to have wanted all of it. */
  private static final double CROWDED_PART = 0.5;

  /** Each of these is compared with all other jobs in every period. */
  private static final int WILDCARDS_MAX = 100;

  /** Below this rate, half a request a second is more than a dead band. */
  private static final double ROUGH_RATE = 10;

  /** More than any rule can have; stands for no limit where sums are made. */
  private static final double RATE_MAX = 1e9;

  private static final double NANOS_PER_SECOND = 1e9;

  private final LustreConfiguration configuration;
  private final LustreVersion version;
  private final EndedJobs ended;
  private final ControlCycle<?> cycle;
  private final RuleNames names;
  private final Standing standing;
  private final GivenCapacity capacity;
  private final boolean lookingOn;
  private final Throttling throttling = new Throttling();
  private final Attribution attribution = new Attribution();
  private final Compensation compensation = new Compensation();
  private final Overbooking overbooking = new Overbooking();
  private final Map<LustreJobId, ManagedJob> jobs = new TreeMap<>();
  private final Suspects suspects;

  /**
   * @param ordered what somebody else says that jobs may have at most
   * @param lookingOn whether somebody else may carry out what this only looks on: then rules that
   *     are called like ours are his
   */
  public LustreControl(
      LustreConfiguration configuration,
      LustreVersion version,
      JobDirectory directory,
      OrderedLimits ordered,
      boolean lookingOn) {
    this.configuration = configuration;
    this.standing = new Standing(configuration, directory, ordered);
    this.capacity = new GivenCapacity(configuration, 0);
    this.version = version;
    this.suspects = new Suspects(directory);
    this.ended = new EndedJobs(directory);
    this.cycle = cycle(configuration.policy().create());
    this.names = new RuleNames(configuration.rulePrefix());
    this.lookingOn = lookingOn;
  }

  private <S> ControlCycle<S> cycle(Policy<S> policy) {
    Cluster cluster = Cluster.of(configuration.target());
    return new ControlCycle<>(
        PolicyControl.of(policy, cluster),
        cluster,
        CycleSetting.of(configuration.policy().info(), configuration.periodNanos()),
        0);
  }

  /** Goes on from what was known of the service before a restart. */
  void remember(CapacityMemory.Known known) {
    capacity.remember(known, 0);
  }

  /**
   * Decides after a period.
   *
   * @param active what each job did in it
   * @param queue what the service says of its queue
   * @param held the rules that held during it
   * @param table the rules that there are, or would be had all been carried out
   */
  public Decision decide(
      List<JobActivity> active,
      QueueFacts queue,
      RatesHeld held,
      RuleTable table,
      long periodNanos,
      long nowNanos) {
    takeNote(active, held, periodNanos);
    long counted = active.stream().mapToLong(JobActivity::rpcs).sum();
    boolean attributes = queue.isKnown() && !configuration.service().countsAll();
    if (attributes) {
      attribution.attribute(jobs.values(), (double) queue.requests());
      if (attribution.isNoted()) {
        suspect();
      }
    }
    long served = Math.max(counted, queue.requests());
    List<ManagedJob> there = new ArrayList<>();
    long nodes = 0;
    for (ManagedJob job : jobs.values()) {
      if (job.isActive()) {
        job.idlePeriods = 0;
        job.suspected = false;
        job.nodes = standing.nodes(job);
        nodes += job.nodes;
        there.add(job);
      }
    }
    boolean isBusy = served >= BUSY_PART * capacity(periodNanos);
    boolean anyHeldBack = estimateDemand(there, queue, held, nodes, isBusy, periodNanos);
    double servedPart = served / capacity(periodNanos);
    capacity.observe((double) served, queue, anyHeldBack, periodNanos, nowNanos);
    compensation.observe(servedPart, anyHeldBack && !capacity.isCrowded());
    overbooking.observe(periodNanos, configuration.periodNanos());

    ended.changed();
    Target target = capacity.divided();
    List<JobDemand> demands =
        standing.guarantees().reserve(target, demands(there), standing::owner, periodNanos);
    Explanation explanation =
        cycle.decide(
            Map.of(target, cycle.told(demands, idle())), ended.take(), periodNanos, nowNanos);
    Rules rules = new Rules(table, there, nodes, periodNanos);
    rules.decide(cycle.inForce(target.name()));
    forget(table, rules.wanted);
    return new Decision(
        rules.wanted,
        rules.others.before(),
        rules.reports,
        served,
        attributes ? Math.round(attribution.uncounted()) : 0,
        queue,
        compensation.factor(),
        capacity.isExact(),
        capacity.belief(),
        explanation);
  }

  /** How many requests can be served in a period. */
  private double capacity(long periodNanos) {
    return capacity.perSecond() * (periodNanos / NANOS_PER_SECOND);
  }

  private void takeNote(List<JobActivity> active, RatesHeld held, long periodNanos) {
    for (ManagedJob job : jobs.values()) {
      job.activity = null;
      job.uncounted = 0;
      job.idlePeriods++;
      job.wasHeldBack = job.heldBack;
      job.heldBack = false;
    }
    for (JobActivity activity : active) {
      job(activity.job()).activity = activity;
    }
    for (ManagedJob job : jobs.values()) {
      SeenRule rule = rule(job, held.now());
      long rate = rule == null ? held.now().defaultRate() : held.rate(rule);
      int partitions =
          rule == null ? held.now().partitions() : Math.max(1, rule.servingPartitions());
      job.hasRule = rule != null;
      job.ruleMatched = rule != null && rule.servingPartitions() > 0;
      job.letPass = partitions * throttling.deliverable(rate, periodNanos);
    }
  }

  private ManagedJob job(LustreJobId id) {
    return jobs.computeIfAbsent(id, known -> new ManagedJob(known, JobPattern.of(known, version)));
  }

  private void suspect() {
    for (LustreJobId id : suspects.next(jobs::containsKey)) {
      ManagedJob suspect = job(id);
      suspect.suspected = true;
      suspect.nodes = standing.nodes(suspect);
    }
  }

  /** What each active job is taken to want; says whether any was held back. */
  private boolean estimateDemand(
      List<ManagedJob> there,
      QueueFacts queue,
      RatesHeld held,
      long nodes,
      boolean isBusy,
      long periodNanos) {
    boolean any = false;
    boolean learns = queue.isKnown() && queue.somebodyWaits() && !isBusy && !capacity.isCrowded();
    for (ManagedJob job : there) {
      SeenRule rule = rule(job, held.now());
      long rate = rule == null ? 0 : held.rate(rule);
      job.partitions = partitions(job, rule, held, periodNanos);
      if (learns && rule != null) {
        throttling.consider(job.served() / job.partitions, rate, periodNanos);
      }
      job.heldBack =
          rule != null && queue.somebodyWaits() && isHeldBack(job, rate, isBusy, periodNanos);
      any |= job.heldBack;
      double wanted =
          job.heldBack
              ? Math.max(HELD_BACK_FACTOR * job.served(), capacity(periodNanos) * job.nodes / nodes)
              : job.served() * (1 + ROOM_TO_GROW);
      job.wantedRpcs = (long) Math.min(Math.ceil(wanted), (double) JobDemand.TOKENS_MAX);
    }
    throttling.learn();
    return any;
  }

  /**
   * A job's rule may let more pass than it was granted, and then it is held back by the others if
   * at all: on a busy server, whoever got a good part of its grant may have wanted the rest.
   */
  private boolean isHeldBack(ManagedJob job, long rate, boolean isBusy, long periodNanos) {
    double grant = job.grantedPerSecond * (periodNanos / NANOS_PER_SECOND);
    return throttling.isHeldBack(job.served(), rate, job.wasHeldBack, periodNanos)
        || (isBusy && grant > 0 && job.served() >= CROWDED_PART * grant);
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
  private int partitions(
      ManagedJob job, @Nullable SeenRule rule, RatesHeld held, long periodNanos) {
    if (rule == null || rule.servingPartitions() == 0) {
      return (int) Math.min(job.nodes, held.now().partitions());
    }
    return throttling.usedPartitions(
        job.served(), held.rate(rule), rule.servingPartitions(), periodNanos);
  }

  private List<JobDemand> demands(List<ManagedJob> there) {
    List<JobDemand> demands = new ArrayList<>(there.size());
    for (ManagedJob job : there) {
      long arrived = Math.min(Math.round(job.served()), JobDemand.TOKENS_MAX);
      long waiting = job.wantedRpcs - Math.min(arrived, job.wantedRpcs);
      demands.add(
          new JobDemand(job.shown, standing.claim(job), arrived, waiting)
              .withService(new JobService(arrived, 0, JobService.NOT_KNOWN)));
    }
    return demands;
  }

  /** The jobs that have a rule and do nothing, for policies that decide about all there are. */
  private List<JobDemand> idle() {
    List<JobDemand> idle = new ArrayList<>();
    for (ManagedJob job : jobs.values()) {
      if (!job.isActive() && !job.suspected && job.idlePeriods < LINGER_PERIODS) {
        idle.add(new JobDemand(job.shown, standing.claim(job), 0, 0));
      }
    }
    return idle;
  }

  /** The rules that follow from one decision. */
  private final class Rules {
    private final RuleTable table;
    private final List<ManagedJob> there;
    private final long activeNodes;
    private final long periodNanos;
    private final OthersRules others;
    private final List<WantedRule> wanted = new ArrayList<>();
    private final List<JobReport> reports = new ArrayList<>();
    private int wildcards;

    /** What rounding has taken from the rates so far; less than nothing where it gave. */
    private double carried;

    Rules(RuleTable table, List<ManagedJob> there, long activeNodes, long periodNanos) {
      this.table = table;
      this.there = there;
      this.activeNodes = activeNodes;
      this.periodNanos = periodNanos;
      this.others = new OthersRules(table, LustreControl.this::isOurs);
    }

    void decide(Shares shares) {
      if (capacity.isOpen()) {
        there.forEach(job -> job.granted = Double.POSITIVE_INFINITY);
      } else {
        Grants.divide(
            there, shares, limitsNobody() ? Double.POSITIVE_INFINITY : capacity(periodNanos));
      }
      for (ManagedJob job : jobs.values()) {
        int index = shares.indexOf(job.shown);
        if (!job.isActive()) {
          job.granted =
              capacity.isOpen()
                  ? Double.POSITIVE_INFINITY
                  : index >= 0 && shares.isLimited(index) ? shares.tokens(index) : 0;
        }
        job.grantedPerSecond =
            job.granted > 0 ? job.granted * NANOS_PER_SECOND / periodNanos : idlePerSecond(job);
      }
      double factor = Math.max(1, unusedFactor()) * compensation.factor();
      for (ManagedJob job : jobs.values()) {
        job.perSecond = job.grantedPerSecond * (job.heldBack ? factor : 1);
      }
      overbooking.raise(
          jobs.values(), capacity.perSecond(), job -> guaranteedPerSecond(job, shares));
      for (ManagedJob job : jobs.values()) {
        job.perSecond = Math.min(job.perSecond, standing.limitPerSecond(job));
      }
      double least = raiseToFloors();
      Set<LustreJobId> tooMany = tooMany();
      for (ManagedJob job : jobs.values()) {
        String reason =
            tooMany.contains(job.id)
                ? "more than " + configuration.rulesMax() + " jobs are active"
                : leftAlone(job);
        boolean lingers = job.isActive() || job.suspected || rule(job, table) != null;
        WantedRule rule = null;
        if (reason == null
            && lingers
            && job.idlePeriods < LINGER_PERIODS
            && job.perSecond < Double.POSITIVE_INFINITY) {
          String name = names.name(job.id, this::isTaken);
          rule = new WantedRule(name, job.pattern, rate(job, least));
          wanted.add(rule);
        }
        report(job, rule, reason);
      }
      for (int i = 0; i < configuration.limits().size(); i++) {
        limitRequests(configuration.limits().get(i), i);
      }
    }

    /**
     * Writes a limit that is not about jobs as it is. On how many partitions its requests come is
     * what the server shows; until then it is taken to be all of them.
     */
    private void limitRequests(JobLimit limit, int number) {
      RequestMatch requests = limit.requests();
      if (requests == null) {
        return;
      }
      // No job's id is written with a blank in front.
      String name = names.name(new LustreJobId(" limit " + number), this::isTaken);
      SeenRule there = table.rule(name);
      int serving =
          there == null || there.servingPartitions() == 0
              ? table.partitions()
              : there.servingPartitions();
      long rate =
          Math.clamp(
              Math.round(throttling.rateFor((double) limit.perSecond() / serving)),
              1,
              VersionHazards.rateMax(version));
      wanted.add(new WantedRule(name, JobPattern.Requests.of(requests), rate));
    }

    private double guaranteedPerSecond(ManagedJob job, Shares shares) {
      int index = shares.indexOf(job.shown);
      return index < 0 ? 0 : shares.reserved(index) * NANOS_PER_SECOND / periodNanos;
    }

    private boolean limitsNobody() {
      return configuration.policy().info().scheduler() == SchedulerKind.FIFO;
    }

    /** Whether a rule has this name that is not the one that another of us has written. */
    private boolean isTaken(String name) {
      return table.has(name) && !(lookingOn && isOurs(name));
    }

    /**
     * Sees to it that all that is active gets something, and that all together it is no more than
     * before: the floor is lower where there are more jobs than the server can serve at that rate.
     *
     * @return the floor of each partition
     */
    private double raiseToFloors() {
      double floor = (double) configuration.floorPerSecond();
      // Below one request in a period a job would hear of its next rate only periods later.
      floor = Math.max(floor, NANOS_PER_SECOND / periodNanos);
      int partitions = 0;
      for (ManagedJob job : there) {
        partitions += job.partitions;
      }
      double[] amounts = new double[partitions];
      int next = 0;
      for (ManagedJob job : there) {
        double perPartition = Math.min(job.perSecond / job.partitions, RATE_MAX);
        Arrays.fill(amounts, next, next + job.partitions, perPartition);
        next += job.partitions;
      }
      double least = Floors.raise(amounts, floor, capacity.perSecond());
      next = 0;
      for (ManagedJob job : there) {
        boolean isLimited = job.perSecond < Double.POSITIVE_INFINITY;
        double limit = standing.limitPerSecond(job);
        job.perSecond = isLimited ? Math.min(limit, amounts[next] * job.partitions) : job.perSecond;
        next += job.partitions;
      }
      return least;
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
          .sorted(Comparator.comparingDouble(ManagedJob::served).reversed())
          .skip(configuration.rulesMax())
          .forEach(job -> rest.add(job.id));
      return rest;
    }

    /** Why a job gets no rule; null where it may have one. */
    private @Nullable String leftAlone(ManagedJob job) {
      if (!configuration.filter().equals(NrsPolicies.TBF_BY_JOB)) {
        return "limits are not by job here";
      }
      String ruling = others.ruling(job.id);
      if (ruling != null) {
        return "rule " + ruling + " of others matches it";
      }
      return switch (job.pattern) {
        case JobPattern.Exact _, JobPattern.Requests _ -> null;
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
      return capacity.perSecond() * job.nodes / (activeNodes + job.nodes);
    }

    /**
     * Where rates are small, what rounding takes from one it gives to the next, so that hundreds of
     * them add up to what was decided.
     */
    private long rate(ManagedJob job, double least) {
      double perPartition = Math.max(job.perSecond / job.partitions, job.isActive() ? 0 : least);
      double exact = throttling.rateFor(perPartition);
      long rounded = Math.round(exact);
      if (job.isActive() && exact < ROUGH_RATE) {
        rounded = Math.max(1, (long) (exact + carried / job.partitions));
        carried += (exact - rounded) * job.partitions;
      }
      return Math.clamp(rounded, 1, VersionHazards.rateMax(version));
    }

    private void report(ManagedJob job, @Nullable WantedRule rule, @Nullable String reason) {
      JobActivity activity = job.activity;
      if (job.isActive()) {
        JobLimit limit = standing.limit(job);
        reports.add(
            new JobReport(
                job.shown,
                standing.user(job),
                job.nodes,
                limit == null ? null : limit.name(),
                standing.orderedPerSecond(job),
                activity == null ? JobActivity.of(job.id, 0) : activity,
                Math.round(job.uncounted),
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
    return names.job(name) != null || (lookingOn && name.startsWith(configuration.rulePrefix()));
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
