package dev.sluice.app.decide;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cadence;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobClaim;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.JobOwner;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.LimitsReader;
import dev.sluice.document.PromisesReader;
import dev.sluice.document.ShareGroupingReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A question to a policy: a target, several, or a resource, and what was seen of them, period by
 * period. docs/decide.md describes the format.
 *
 * @param counted what a token stands for in this document
 * @param unit what a figure of 1 in tokens a second is called in the document: capacities without a
 *     unit may be parts of anything, and are read as whole numbers of small parts
 * @param shares by what jobs are grouped where they share by weight
 * @param owners whose the jobs of each step are
 * @param promises minimums and latencies, for policies that reserve
 * @param limits what holds whatever a policy decides
 */
record DecideDocument(
    Cluster cluster,
    Counted counted,
    double unit,
    List<Observation> steps,
    ShareGrouping shares,
    List<Map<JobId, JobOwner>> owners,
    Promises promises,
    List<TbfRule> limits) {
  private static final int STEPS_MAX = 1_000_000;

  /** Of jobs side by side. */
  DecideDocument(Cluster cluster, Counted counted, double unit, List<Observation> steps) {
    this(cluster, counted, unit, steps, ShareGrouping.FLAT, List.of(), Promises.NONE, List.of());
  }

  /** Reads the document; periods last {@code defaultPeriodNanos} unless it says otherwise. */
  static DecideDocument read(DocumentNode root, long defaultPeriodNanos) {
    DocumentMap map =
        root.map(
            "target",
            "targets",
            "resource",
            "period",
            "shares",
            "guarantees",
            "goals",
            "limits",
            "steps",
            "jobs",
            "ended");
    DocumentNode periodNode = map.optional("period");
    long periodNanos =
        periodNode == null
            ? defaultPeriodNanos
            : periodNode.durationNanos(1, Observation.PERIOD_NANOS_MAX);

    DocumentNode several = map.optional("targets");
    DocumentNode resource = map.optional("resource");
    DocumentNode shares = map.optional("shares");
    if (several != null || resource != null) {
      for (String key : List.of("shares", "guarantees", "goals", "limits")) {
        if (map.optional(key) != null) {
          throw map.keyError(key, "expected only with one target, which jobs share by weight");
        }
      }
      DocumentNode one = map.optional("target");
      if (one != null) {
        throw one.error(
            "expected target or " + (several == null ? "resource" : "targets") + ", not both");
      }
    }
    if (resource != null) {
      if (several != null) {
        throw several.error("expected targets or resource, not both");
      }
      // Rates are a second's: shorter periods would need parts of an operation.
      long atLeastOneSecond =
          periodNode == null ? Math.max(periodNanos, Rate.NANOS_PER_SECOND) : periodNanos;
      return ofResource(resource, map, atLeastOneSecond);
    }
    if (several != null) {
      DecideTargets targets = DecideTargets.read(several);
      JobsReader jobs = new OnSeveralTargets(targets);
      return new DecideDocument(
          targets.cluster(),
          targets.counted(),
          targets.unit(),
          new Reader(targets.cluster(), jobs, periodNanos).steps(map));
    }
    DocumentMap target = map.required("target").map("name", "capacity");
    Quantities.CountedRate capacity = capacity(target.required("capacity"));
    String name = name(target, "target");
    List<Map<JobId, JobOwner>> owners = new ArrayList<>();
    JobsReader jobs = new OnOneTarget(name, capacity.counted(), owners);
    Target only = new Target(name, capacity.perSecond(), capacity.unit());
    Cluster cluster = Cluster.of(only);
    return new DecideDocument(
        cluster,
        capacity.counted(),
        1,
        new Reader(cluster, jobs, periodNanos).steps(map),
        ShareGroupingReader.read(shares),
        owners,
        PromisesReader.read(map, List.of(only)),
        limits(map.optional("limits"), only));
  }

  private static List<TbfRule> limits(@Nullable DocumentNode node, Target target) {
    List<TbfRule> limits = LimitsReader.read(node);
    for (TbfRule limit : limits) {
      if (node != null
          && (limit.secondLimit() != null || !limit.limit().unit().equals(target.unit()))) {
        throw node.error(
            "expected of limit \""
                + limit.name()
                + "\" one rate, in what the target is counted in");
      }
    }
    return limits;
  }

  private static DecideDocument ofResource(
      DocumentNode node, DocumentMap document, long periodNanos) {
    DocumentMap resource = node.map("name", "max");
    Quantities.CountedRate maximum = capacity(resource.required("max"));
    String name = name(resource, "resource");
    JobsReader jobs = new OfResource(name, maximum.counted(), periodNanos);
    Cluster cluster = Cluster.of(new Target(name, maximum.perSecond(), maximum.unit()));
    return new DecideDocument(
        cluster, maximum.counted(), 1, new Reader(cluster, jobs, periodNanos).steps(document));
  }

  private static Quantities.CountedRate capacity(DocumentNode node) {
    Quantities.CountedRate capacity = node.rate();
    if (capacity.perSecond() < 1 || capacity.perSecond() > Rate.TOKENS_PER_SECOND_MAX) {
      throw node.error("expected a capacity of 1 to " + Rate.TOKENS_PER_SECOND_MAX + " a second");
    }
    return capacity;
  }

  private static String name(DocumentMap map, String unnamed) {
    DocumentNode node = map.optional("name");
    if (node == null) {
      return unnamed;
    }
    if (node.text().isEmpty()) {
      throw node.error("expected a name");
    }
    return node.text();
  }

  /** Reads what is written about one job. */
  private interface JobsReader {
    /** Adds what the job did to the demand on each target. */
    void read(JobId job, DocumentNode node, Map<String, List<JobDemand>> targets);

    /** The targets, without anybody on them. */
    Map<String, List<JobDemand>> targets();
  }

  private record Reader(Cluster cluster, JobsReader jobs, long periodNanos) {

    List<Observation> steps(DocumentMap map) {
      DocumentNode several = map.optional("steps");
      if (several == null) {
        return List.of(step(map, 1));
      }
      DocumentNode alone = map.optional("jobs");
      if (alone != null) {
        throw alone.error("expected jobs inside steps, or jobs without steps, not both");
      }
      List<DocumentNode> items = several.list();
      if (items.isEmpty() || items.size() > STEPS_MAX) {
        throw several.error("expected 1 to " + STEPS_MAX + " steps");
      }
      List<Observation> steps = new ArrayList<>();
      for (DocumentNode item : items) {
        steps.add(step(item.map("jobs", "ended"), steps.size() + 1));
      }
      return steps;
    }

    private Observation step(DocumentMap map, int number) {
      Map<String, List<JobDemand>> targets = jobs.targets();
      for (Map.Entry<String, DocumentNode> entry :
          map.required("jobs").openMap().entries().entrySet()) {
        jobs.read(id(entry.getKey(), entry.getValue()), entry.getValue(), targets);
      }
      List<JobId> ended = new ArrayList<>();
      DocumentNode endedNode = map.optional("ended");
      if (endedNode != null) {
        for (DocumentNode item : endedNode.list()) {
          ended.add(item.parsed(JobId::of));
        }
      }
      return new Observation(number * periodNanos, periodNanos, cluster, targets, ended);
    }

    private static JobId id(String name, DocumentNode node) {
      try {
        return JobId.of(name);
      } catch (IllegalArgumentException e) {
        throw node.error("expected a job id as the key; " + e.getMessage());
      }
    }
  }

  private static long perSecond(DocumentNode node, Counted counted) {
    Quantities.CountedRate rate = node.rate();
    if (rate.counted() != counted && rate.counted() != Counted.TOKENS) {
      throw node.error("expected a rate in the same unit as the resource");
    }
    if (rate.perSecond() > Rate.TOKENS_PER_SECOND_MAX) {
      throw node.error("expected a rate of at most " + Rate.TOKENS_PER_SECOND_MAX + " a second");
    }
    return rate.perSecond();
  }

  /**
   * Jobs as one target sees them: by what they want of it.
   *
   * @param owners gets whose the jobs of each step are
   */
  private record OnOneTarget(String target, Counted counted, List<Map<JobId, JobOwner>> owners)
      implements JobsReader {
    @Override
    public Map<String, List<JobDemand>> targets() {
      owners.add(new HashMap<>());
      return Map.of(target, new ArrayList<>());
    }

    @Override
    public void read(JobId job, DocumentNode node, Map<String, List<JobDemand>> targets) {
      DocumentMap map =
          node.map(
              "nodes",
              "demand",
              "backlog",
              "guarantee",
              "latency",
              "period",
              "priority",
              "account",
              "user",
              "group");
      DocumentNode guarantee = map.optional("guarantee");
      JobDemand demand =
          new JobDemand(
                  job, nodes(map), tokens(map.required("demand")), tokens(map.optional("backlog")))
              .withCadence(cadence(map))
              .withService(service(map))
              .withReserved(
                  guarantee == null
                      ? JobClaim.NOT_RESERVED
                      : DecideDocument.perSecond(guarantee, counted));
      targets.values().forEach(jobs -> jobs.add(demand));
      owners
          .getLast()
          .put(
              job,
              new JobOwner(
                  ShareGroupingReader.name(map.optional("account"), ""),
                  ShareGroupingReader.name(map.optional("user"), ""),
                  ShareGroupingReader.name(map.optional("group"), "")));
    }

    /** How it was served, as far as anybody says so. */
    private static JobService service(DocumentMap map) {
      DocumentNode latency = map.optional("latency");
      return latency == null
          ? JobService.NONE
          : new JobService(0, 0, latency.durationNanos(1, Observation.PERIOD_NANOS_MAX));
    }

    /** What is known of how often the job does I/O: a priority somebody gave, else a period. */
    private static Cadence cadence(DocumentMap map) {
      DocumentNode priority = map.optional("priority");
      if (priority != null) {
        return new Cadence.Prioritised(
            priority.number(Cadence.Prioritised.PRIORITY_MIN, Cadence.Prioritised.PRIORITY_MAX));
      }
      DocumentNode period = map.optional("period");
      return period == null
          ? Cadence.UNKNOWN
          : new Cadence.Every(period.durationNanos(1, Long.MAX_VALUE), 1);
    }

    private long tokens(@Nullable DocumentNode node) {
      return node == null ? 0 : DecideDocument.tokens(node, counted);
    }
  }

  /** Jobs by what they were assigned of a resource, and by what they use of it. */
  private record OfResource(String resource, Counted counted, long periodNanos)
      implements JobsReader {
    @Override
    public Map<String, List<JobDemand>> targets() {
      return Map.of(resource, new ArrayList<>());
    }

    @Override
    public void read(JobId job, DocumentNode node, Map<String, List<JobDemand>> targets) {
      DocumentMap map = node.map("demand", "usage", "priority");
      DocumentNode demand = map.optional("demand");
      DocumentNode usage = map.optional("usage");
      DocumentNode priority = map.optional("priority");
      JobDemand read =
          new JobDemand(job, 1, usage == null ? 0 : usedTokens(usage), 0)
              .withWeight(priority == null ? 1 : priority.whole(1, JobClaim.WEIGHT_MAX))
              .withReserved(demand == null ? JobClaim.NOT_RESERVED : perSecond(demand, counted));
      targets.values().forEach(jobs -> jobs.add(read));
    }

    /** What was used in a period, so that the policies of other papers understand it too. */
    private long usedTokens(DocumentNode node) {
      BigDecimal tokens =
          BigDecimal.valueOf(perSecond(node, counted))
              .multiply(BigDecimal.valueOf(periodNanos))
              .divide(BigDecimal.valueOf(Rate.NANOS_PER_SECOND));
      if (tokens.stripTrailingZeros().scale() > 0
          || tokens.compareTo(BigDecimal.valueOf(JobDemand.TOKENS_MAX)) > 0) {
        throw node.error(
            "expected a rate that makes a whole number, at most "
                + JobDemand.TOKENS_MAX
                + ", in a period");
      }
      return tokens.longValue();
    }
  }

  /** Tokens as a number, or bytes as people write them where a token is a byte. */
  private static long tokens(DocumentNode node, Counted counted) {
    if (counted != Counted.BYTES) {
      return node.whole(0, JobDemand.TOKENS_MAX);
    }
    long bytes = node.parsed(Quantities::parseBytes);
    if (bytes > JobDemand.TOKENS_MAX) {
      throw node.error("expected at most " + JobDemand.TOKENS_MAX + " bytes");
    }
    return bytes;
  }

  /**
   * Jobs by the processes that they have on each target, each of which wants all it can get, or by
   * what they want of each.
   */
  private record OnSeveralTargets(DecideTargets told) implements JobsReader {
    @Override
    public Map<String, List<JobDemand>> targets() {
      Map<String, List<JobDemand>> targets = new LinkedHashMap<>();
      told.cluster().targets().forEach(target -> targets.put(target.name(), new ArrayList<>()));
      return targets;
    }

    @Override
    public void read(JobId job, DocumentNode node, Map<String, List<JobDemand>> targets) {
      DocumentMap map = node.map("targets", "demand", "nodes", "weight", "application");
      DocumentNode weight = map.optional("weight");
      DocumentNode application = map.optional("application");
      DocumentNode demand = map.optional("demand");
      DocumentNode on = demand == null ? map.required("targets") : demand;
      Map<String, DocumentNode> entries = on.openMap().entries();
      if (entries.isEmpty()) {
        throw on.error("expected at least one target");
      }
      for (Map.Entry<String, DocumentNode> entry : entries.entrySet()) {
        List<JobDemand> jobs = targets.get(entry.getKey());
        if (jobs == null) {
          throw entry
              .getValue()
              .error(
                  "expected one of the targets "
                      + String.join(", ", targets.keySet())
                      + " as the key");
        }
        jobs.add(
            new JobDemand(
                job,
                new JobClaim(
                    nodes(map),
                    weight == null ? 1 : weight.whole(1, JobClaim.WEIGHT_MAX),
                    JobClaim.NOT_RESERVED,
                    application == null ? job : application.parsed(JobId::of),
                    demand == null ? entry.getValue().whole(1, JobClaim.PROCESSES_MAX) : 1),
                demand == null ? JobDemand.TOKENS_MAX : tokens(entry.getValue()),
                0));
      }
    }

    /** In the unit of the capacities, which plain numbers are given in parts of. */
    private long tokens(DocumentNode node) {
      if (told.counted() == Counted.BYTES || told.unit() == 1) {
        return DecideDocument.tokens(node, told.counted());
      }
      double most = (double) JobDemand.TOKENS_MAX * told.unit();
      return (long) (node.number(0, most) / told.unit());
    }
  }

  private static long nodes(DocumentMap map) {
    DocumentNode nodes = map.optional("nodes");
    return nodes == null ? 1 : nodes.whole(1, JobClaim.NODES_MAX);
  }
}
