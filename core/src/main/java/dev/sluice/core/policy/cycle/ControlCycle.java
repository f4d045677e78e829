package dev.sluice.core.policy.cycle;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.collect.Collected;
import dev.sluice.core.policy.collect.ReportCollector;
import dev.sluice.core.policy.collect.TargetReport;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The way from what was seen on targets to what is in force on them: observe, decide, remember,
 * apply. The simulator, the gateway, the controller and the Lustre driver all go it; what differs
 * among them is how a target is asked and told, and on which threads.
 *
 * <ul>
 *   <li>Observe: {@link #ask} begins a round, {@link #report} takes what targets answer, and {@link
 *       #next} says when that suffices; or a driver that sees all at once tells it to {@link #see}.
 *       Who looks late sees several periods' demand, and the policy is told of how many.
 *   <li>Decide and remember: a {@link Decision} is taken wherever the driver likes, because a
 *       policy is code that may throw, loop or be slow. What it remembers is kept before anybody
 *       hears of what it decided.
 *   <li>Apply: {@link #inForce} is what holds on a target. A decision is about the targets that
 *       were seen, and on others the one before holds on. One that no other follows for {@link
 *       CycleSetting#graceNanos} lapses, and nobody is limited until the next.
 *   <li>Between decisions: a policy that has a fast horizon is asked by {@link #look} what to make
 *       of its last decision, on each target alone.
 * </ul>
 *
 * <p>Targets may come and go at any time ({@link #over}), and what each can serve comes with what
 * is seen of it: what the policy has learnt of jobs stays. Jobs that ended are told until a
 * decision has heard of them.
 *
 * <p>Not thread-safe, but for a decision that is being taken; the caller brings the time.
 *
 * @param <S> what the policy remembers
 */
public final class ControlCycle<S> {
  private final PolicyControl<S> control;
  private final CycleSetting setting;
  private final PeriodsPassed passed;

  /** Null where nothing is done between decisions. */
  private final @Nullable LocalControl local;

  private Cluster cluster;
  private ReportCollector collector;

  private long periodEndNanos;
  private boolean jobsChanged = true;
  private final Set<JobId> ended = new LinkedHashSet<>();

  private @Nullable Decision underWay;
  private Map<String, Shares> decided = Map.of();
  private @Nullable Explanation explanation;
  private @Nullable String withoutMemory;
  private long decidedNanos;
  private long decisions;
  private boolean lapsed;
  private List<String> notes = List.of();
  private @Nullable String problem;

  /** A cycle that has decided nothing yet; its first period begins now. */
  public ControlCycle(
      PolicyControl<S> control, Cluster cluster, CycleSetting setting, long nowNanos) {
    this.control = control;
    this.cluster = cluster;
    this.setting = setting;
    this.passed = new PeriodsPassed(setting.periodNanos());
    LocalRule rule = control.local();
    this.local =
        rule == null || rule.periodNanos() >= setting.periodNanos()
            ? null
            : new LocalControl(rule, nowNanos);
    this.collector = collector(cluster);
    this.periodEndNanos = nowNanos + setting.periodNanos();
    this.decidedNanos = nowNanos;
  }

  private ReportCollector collector(Cluster asked) {
    return new ReportCollector(names(asked), setting.periodNanos());
  }

  private static Set<String> names(Cluster cluster) {
    Set<String> names = new LinkedHashSet<>();
    cluster.targets().forEach(target -> names.add(target.name()));
    return names;
  }

  /**
   * Decides about these targets from now on. Where they are others than before, a round that is
   * open is given up. What each can serve need not be told here: it comes with what is seen of it.
   */
  public void over(Cluster targets) {
    Set<String> names = names(targets);
    if (!names.equals(names(cluster))) {
      collector = collector(targets);
      Map<String, Shares> kept = new HashMap<>(decided);
      kept.keySet().retainAll(names);
      decided = kept;
      if (local != null) {
        local.retain(names);
      }
    }
    cluster = targets;
  }

  /** Jobs have come, gone, or have another claim. */
  public void jobsChanged() {
    jobsChanged = true;
  }

  /**
   * Whether it is time to look at the targets: the period is over, or jobs have changed and the
   * policy need not wait until their demand is seen.
   */
  public boolean isDue(long nowNanos) {
    return nowNanos >= periodEndNanos || (jobsChanged && setting.decidesWithoutDemand());
  }

  /** Somebody else decides meanwhile: the period begins anew. */
  public void postpone(long nowNanos) {
    periodEndNanos = nowNanos + setting.periodNanos();
  }

  /** When the driver should look again at the latest: a period or the time for reports ends. */
  public long dueNanos() {
    return Math.min(periodEndNanos, collector.dueNanos());
  }

  /** Who comes late skips the periods that have passed: their demand is in this one. */
  private void beginPeriod(long nowNanos) {
    jobsChanged = false;
    if (nowNanos >= periodEndNanos) {
      long missed = (nowNanos - periodEndNanos) / setting.periodNanos();
      periodEndNanos += (missed + 1) * setting.periodNanos();
    }
  }

  /**
   * What a policy is told of a target.
   *
   * @param seen the jobs that the target tells of
   * @param there all jobs that there are, wanting nothing: told where the policy decides without
   *     demand, for then a job's part must be there when its first request comes
   */
  public List<JobDemand> told(List<JobDemand> seen, Iterable<JobDemand> there) {
    if (!setting.decidesWithoutDemand()) {
      return seen;
    }
    Set<JobId> known = new HashSet<>();
    seen.forEach(demand -> known.add(demand.job()));
    List<JobDemand> all = new ArrayList<>(seen);
    for (JobDemand idle : there) {
      if (known.add(idle.job())) {
        all.add(idle);
      }
    }
    return all;
  }

  /**
   * Begins a round of reports; one that is still open is given up.
   *
   * @param over jobs that ended since the last time
   * @return the number that reports of this round must have
   */
  public long ask(List<JobId> over, long nowNanos) {
    return ask(over, Set.of(), nowNanos);
  }

  /**
   * The same, where not all targets are waited for.
   *
   * @param unawaited the names of those whose reports count only if they come in time
   */
  public long ask(List<JobId> over, Set<String> unawaited, long nowNanos) {
    ended.addAll(over);
    beginPeriod(nowNanos);
    return collector.ask(passed.lookNanos(nowNanos), unawaited, nowNanos);
  }

  /** What a target answered. */
  public void report(TargetReport report) {
    collector.report(report);
  }

  /**
   * The decision that is to be taken now, by what targets have reported; null where they have not,
   * or where one is being taken.
   */
  public @Nullable Decision next(long nowNanos) {
    return switch (collector.collect(nowNanos)) {
      case Collected.Nothing _ -> null;
      case Collected.Waiting _ -> null;
      case Collected.Refused refused -> {
        problem = refused.reason();
        yield null;
      }
      case Collected.Ready ready -> {
        notes = ready.notes();
        yield decision(ready.seen(), ready.spanNanos(), nowNanos);
      }
    };
  }

  /**
   * The decision that is to be taken by what was seen just now on all targets; null where one is
   * being taken.
   *
   * @param over jobs that ended since the last time
   */
  public @Nullable Decision see(
      Map<Target, List<JobDemand>> seen, List<JobId> over, long nowNanos) {
    ended.addAll(over);
    beginPeriod(nowNanos);
    return decision(seen, passed.lookNanos(nowNanos), nowNanos);
  }

  private @Nullable Decision decision(
      Map<Target, List<JobDemand>> seen, long spanNanos, long nowNanos) {
    if (underWay != null) {
      return null;
    }
    cluster = withCapacities(seen.keySet());
    underWay = new Decision(seen, spanNanos, nowNanos);
    return underWay;
  }

  /**
   * The targets with what was seen that they can serve now; of the others, with what was before.
   */
  private Cluster withCapacities(Set<Target> seen) {
    if (seen.containsAll(cluster.targets())) {
      return cluster;
    }
    Map<String, Target> now = HashMap.newHashMap(seen.size());
    seen.forEach(target -> now.put(target.name(), target));
    return new Cluster(
        cluster.targets().stream().map(target -> now.getOrDefault(target.name(), target)).toList());
  }

  /** A decision that is to be taken, on whatever thread. */
  public final class Decision {
    private final Observation seen;
    private final long sinceNanos;

    private Decision(Map<Target, List<JobDemand>> seen, long spanNanos, long nowNanos) {
      Map<String, List<JobDemand>> byName = LinkedHashMap.newLinkedHashMap(seen.size());
      seen.forEach((target, jobs) -> byName.put(target.name(), jobs));
      this.seen =
          new Observation(
              nowNanos + setting.epochOffsetNanos(),
              spanNanos,
              cluster,
              byName,
              List.copyOf(ended));
      this.sinceNanos = nowNanos;
    }

    /** Has the policy decide and remember. Of a policy that fails, {@link Taken} tells. */
    public Taken take() {
      try {
        Explanation why = control.decide(seen);
        Map<String, Shares> shares = new HashMap<>();
        for (String target : seen.targets().keySet()) {
          shares.put(target, control.shares(target));
        }
        return new Taken(shares, why, control.memoryProblem(), null);
      } catch (RuntimeException | StackOverflowError | LinkageError e) {
        return new Taken(Map.of(), null, null, e);
      }
    }
  }

  /**
   * What came of a decision.
   *
   * @param explanation null where the policy failed
   * @param withoutMemory why the policy had to do without what it remembers; null where it did not
   * @param failure null where the policy decided
   */
  public record Taken(
      Map<String, Shares> shares,
      @Nullable Explanation explanation,
      @Nullable String withoutMemory,
      @Nullable Throwable failure) {}

  /**
   * Takes note of what came of the decision that was being taken.
   *
   * @return whether something else is in force now
   */
  public boolean takeUp(Taken taken, long nowNanos) {
    Decision of = underWay;
    if (of == null) {
      throw new IllegalStateException("no decision is being taken");
    }
    underWay = null;
    if (taken.failure() != null) {
      problem = "the policy failed: " + taken.failure();
      return false;
    }
    Map<String, Shares> joined = new HashMap<>(decided);
    joined.putAll(taken.shares());
    if (joined.size() > cluster.targets().size()) {
      joined.keySet().retainAll(names(cluster));
    }
    decided = joined;
    explanation = taken.explanation();
    withoutMemory = taken.withoutMemory();
    ended.removeAll(of.seen.ended());
    decidedNanos = nowNanos;
    decisions++;
    lapsed = false;
    problem = null;
    return true;
  }

  /** The decision that was being taken will not come. */
  public void giveUp(String why) {
    underWay = null;
    problem = why;
  }

  /**
   * Observes, decides and takes it up at once, for a driver that waits for its policy and knows how
   * long the demand took to come together.
   *
   * @throws RuntimeException as the policy throws it; all is as it was before
   */
  public Explanation decide(
      Map<Target, List<JobDemand>> seen, List<JobId> over, long spanNanos, long nowNanos) {
    ended.addAll(over);
    beginPeriod(nowNanos);
    Decision decision = decision(seen, spanNanos, nowNanos);
    if (decision == null) {
      throw new IllegalStateException("a decision is being taken");
    }
    Taken taken = decision.take();
    takeUp(taken, nowNanos);
    if (taken.explanation() == null) {
      throw taken.failure() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException("the policy failed", taken.failure());
    }
    return taken.explanation();
  }

  /**
   * Time has passed: a policy that takes too long is spoken of, and what no decision has renewed
   * for too long lapses.
   *
   * @return whether something else is in force now
   */
  public boolean passTime(long nowNanos) {
    if (underWay != null && nowNanos - underWay.sinceNanos > setting.periodNanos()) {
      problem =
          "the policy has been at work on one decision for "
              + Quantities.formatDuration(nowNanos - underWay.sinceNanos);
    }
    boolean tooOld = nowNanos - decidedNanos > setting.graceNanos();
    boolean changed = tooOld && !lapsed;
    lapsed |= tooOld;
    return changed;
  }

  /** Whether it is time to {@link #look} at the targets between two decisions. */
  public boolean isLookDue(long nowNanos) {
    return local != null && local.isDue(nowNanos);
  }

  /** When to {@link #look} next; the largest number where nothing is done between decisions. */
  public long lookDueNanos() {
    return local == null ? Long.MAX_VALUE : local.dueNanos();
  }

  /**
   * Does what the policy does between two decisions, on each of these targets alone.
   *
   * @param seen what jobs wanted there since the last look
   * @return the names of those on which something else is in force now
   */
  public Set<String> look(Map<Target, List<JobDemand>> seen, long nowNanos) {
    LocalControl fast = local;
    if (fast == null) {
      return Set.of();
    }
    fast.begin(nowNanos);
    Set<String> changed = new HashSet<>();
    seen.forEach((target, jobs) -> {
      Shares last = decided.getOrDefault(target.name(), Shares.NONE);
      long epochNanos = nowNanos + setting.epochOffsetNanos();
      if (fast.look(target, jobs, last, epochNanos, nowNanos) && !lapsed) {
        changed.add(target.name());
      }
    });
    return changed;
  }

  /** What is to be in force on a target now. */
  public Shares inForce(String target) {
    if (lapsed) {
      return Shares.NONE;
    }
    Shares last = decided.getOrDefault(target, Shares.NONE);
    return local == null ? last : local.inForce(target, last);
  }

  /** What is to be in force now, by target. */
  public Map<String, Shares> inForce() {
    Map<String, Shares> all = new HashMap<>();
    if (!lapsed) {
      decided.keySet().forEach(target -> all.put(target, inForce(target)));
    }
    return all;
  }

  /** Whether reports are waited for. */
  public boolean isCollecting() {
    return collector.isOpen();
  }

  /** Whether a decision is being taken. */
  public boolean isDeciding() {
    return underWay != null;
  }

  /** Why each job has what it has; null before the first decision. */
  public @Nullable Explanation explanation() {
    return explanation == null || local == null
        ? explanation
        : local.explained(explanation, decided);
  }

  /** What the policy remembers now; not while a decision is being taken. */
  public S remembered() {
    return control.remembered();
  }

  /** Whether nobody is limited, because no decision came for too long. */
  public boolean isLapsed() {
    return lapsed;
  }

  /** How many decisions were taken. */
  public long decisions() {
    return decisions;
  }

  /** How many jobs' shares were set, changed or taken away by all decisions. */
  public long changes() {
    return control.changes();
  }

  /** How it is, in words, when not all is well; null when it is. */
  public @Nullable String trouble(long nowNanos) {
    if (problem == null && !lapsed) {
      return imperfection();
    }
    String what = problem == null ? "the policy has not decided" : problem;
    String age = Quantities.formatDuration(Math.max(0, nowNanos - decidedNanos));
    if (lapsed) {
      return what + "; no decision for " + age + ", so nobody is limited";
    }
    long leftNanos = Math.max(0, setting.graceNanos() - (nowNanos - decidedNanos));
    return what
        + "; the last decision, of "
        + age
        + " ago, stays in force for "
        + Quantities.formatDuration(leftNanos)
        + " more";
  }

  /** What is wrong although there is a decision; null when nothing is. */
  private @Nullable String imperfection() {
    List<String> words = new ArrayList<>(notes);
    if (local != null && local.problem() != null) {
      words.add(local.problem());
    }
    if (withoutMemory != null) {
      words.addFirst(withoutMemory + "; fair shares hold until it is back");
    }
    return words.isEmpty() ? null : String.join("; ", words);
  }
}
