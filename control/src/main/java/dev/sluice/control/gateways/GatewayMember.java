package dev.sluice.control.gateways;

import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.TargetDemand;
import dev.sluice.control.v1.TargetsOrders;
import dev.sluice.control.v1.TargetsReport;
import dev.sluice.control.wire.PromiseMessages;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.TargetNames;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A gateway that is connected to us. Not thread-safe. */
final class GatewayMember implements MemberSession {
  private static final int TARGETS_MAX = 10_000;
  private static final int JOBS_MAX = 100_000;

  /** How many of the jobs of which not all is believed it is told of by name. */
  private static final int OBJECTIONS_TOLD_MAX = 3;

  /**
   * How often what a target can serve a job must be said to have been served to be worth a word:
   * what storage can do is found out by and by, and is exceeded a little until then.
   */
  private static final int SERVED_ASTOUNDING = 2;

  private final TargetPlane plane;
  private final String name;
  private final String host;
  private final MemberLine line;

  /** Which targets it may have; null where nobody said. */
  private final @Nullable TargetNames own;

  private final GatewayClaims claims;

  /** What is not believed of what it last said, by job. */
  private SortedMap<JobId, String> objections = Collections.emptySortedMap();

  /**
   * Its targets under names that no other gateway's targets have, in its own order, with what each
   * can serve as it said last.
   */
  private List<Target> targets;

  private long sequenceHeard;
  private long sequenceSaid;
  private long roundHeard;
  private long heardNanos;

  /** What it was told to keep. */
  private Promises promisesTold = Promises.NONE;

  /** What it last said of each target, by the target's name. */
  private Map<String, TargetSeen> activity = Map.of();

  GatewayMember(TargetPlane plane, Hello hello, Mandate mandate, MemberLine line, long nowNanos)
      throws RefusedException {
    this.plane = plane;
    this.name = hello.getMember();
    this.host = hello.getHost();
    this.line = line;
    this.own = mandate.targets();
    this.claims = new GatewayClaims(name, mandate);
    this.targets = targets(hello);
    this.heardNanos = nowNanos;
  }

  private List<Target> targets(Hello hello) throws RefusedException {
    if (hello.getTargetsCount() == 0 || hello.getTargetsCount() > TARGETS_MAX) {
      throw RefusedException.badMessage(
          hello.getTargetsCount() + " targets; expected 1 to " + TARGETS_MAX);
    }
    List<Target> targets = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (dev.sluice.control.v1.Target said : hello.getTargetsList()) {
      if (said.getName().isEmpty() || !names.add(said.getName())) {
        throw RefusedException.badMessage("a target without a name of its own");
      }
      if (own != null && !own.capacities().containsKey(said.getName())) {
        throw new RefusedException(
            RefusedException.Kind.NOT_ALLOWED,
            "target " + said.getName() + " is not one of those of " + name + ": " + own.text());
      }
      targets.add(
          new Target(
              hello.getMember() + "/" + said.getName(),
              capacity(said.getName(), said.getCapacityPerSecond()),
              said.getBytes() ? TokenUnit.BYTES : TokenUnit.OPERATIONS));
    }
    return targets;
  }

  /** What a target can serve: what the gateway's key says, else what the gateway does. */
  private long capacity(String target, long perSecond) throws RefusedException {
    if (perSecond < 1 || perSecond > Rate.TOKENS_PER_SECOND_MAX) {
      throw RefusedException.badMessage(
          "target " + target + ": a capacity of " + Long.toUnsignedString(perSecond) + " a second");
    }
    long said = own == null ? TargetNames.NOT_SAID : own.capacities().getOrDefault(target, 0L);
    return said == TargetNames.NOT_SAID ? perSecond : said;
  }

  String name() {
    return name;
  }

  String host() {
    return host;
  }

  /** When we last heard of it. */
  long heardNanos() {
    return heardNanos;
  }

  /** What it last said of a target. */
  TargetSeen seen(Target target) {
    return activity.getOrDefault(target.name(), TargetSeen.NOTHING);
  }

  MemberLine line() {
    return line;
  }

  List<Target> targets() {
    return targets;
  }

  @Override
  public void received(MemberMessage message, long nowNanos) throws RefusedException {
    if (!message.hasTargets()) {
      throw RefusedException.badMessage(
          "expected a report about targets, not " + message.getContentCase());
    }
    TargetsReport report = message.getTargets();
    if (report.getSequence() != sequenceHeard + 1) {
      throw RefusedException.badMessage(
          "report "
              + Long.toUnsignedString(report.getSequence())
              + " came after report "
              + sequenceHeard);
    }
    if (report.getRound() <= roundHeard || report.getRound() > plane.round()) {
      throw RefusedException.badMessage(
          "a report of round "
              + Long.toUnsignedString(report.getRound())
              + "; expected one after "
              + roundHeard
              + " and not after "
              + plane.round());
    }
    List<Target> now = withCapacities(report);
    SortedMap<JobId, String> disbelieved = new TreeMap<>();
    Map<Target, List<JobDemand>> seen = seen(report, now, disbelieved, nowNanos);
    if (seen.size() != now.size()) {
      throw RefusedException.badMessage(
          "a report about " + seen.size() + " of " + now.size() + " targets; expected all");
    }
    activity = activity(report);
    targets = now;
    heardNanos = nowNanos;
    sequenceHeard++;
    roundHeard = report.getRound();
    object(disbelieved, nowNanos);
    plane.reported(this, report.getRound(), seen, nowNanos);
  }

  /** Notes down what is not believed, where that is not what it was. */
  private void object(SortedMap<JobId, String> disbelieved, long nowNanos) {
    disbelieved.forEach((job, why) -> {
      if (!why.equals(objections.get(job))) {
        plane.refused(name, host, why, nowNanos);
      }
    });
    objections = disbelieved;
  }

  /** What is not believed of what it says, in words; empty where all is. */
  String objections() {
    if (objections.isEmpty()) {
      return "";
    }
    StringBuilder words = new StringBuilder("it counts some of our jobs otherwise: ");
    words.append(
        objections.values().stream().limit(OBJECTIONS_TOLD_MAX).collect(Collectors.joining("; ")));
    int more = objections.size() - OBJECTIONS_TOLD_MAX;
    return words + (more > 0 ? "; and " + more + " more" : "");
  }

  /** The targets with what a report says that they can serve now. */
  private List<Target> withCapacities(TargetsReport report) throws RefusedException {
    List<Target> now = new ArrayList<>(targets);
    for (TargetDemand said : report.getTargetsList()) {
      if (said.getTarget() < 0 || said.getTarget() >= now.size()) {
        throw RefusedException.badMessage(
            "there is no target number " + Integer.toUnsignedString(said.getTarget()));
      }
      if (said.getCapacityPerSecond() != 0) {
        Target before = now.get(said.getTarget());
        now.set(
            said.getTarget(),
            new Target(
                before.name(),
                capacity(before.name().substring(name.length() + 1), said.getCapacityPerSecond()),
                before.unit()));
      }
    }
    return now;
  }

  private Map<Target, List<JobDemand>> seen(
      TargetsReport report, List<Target> now, Map<JobId, String> disbelieved, long nowNanos)
      throws RefusedException {
    Map<Target, List<JobDemand>> seen = new LinkedHashMap<>();
    // Timers are not exact: a report that is a little early may still be of a whole period.
    double seconds = Math.max(plane.periodNanos(), nowNanos - heardNanos) / 1e9;
    for (TargetDemand target : report.getTargetsList()) {
      if (target.getJobsCount() > JOBS_MAX) {
        throw new RefusedException(
            RefusedException.Kind.TOO_MANY, "more than " + JOBS_MAX + " jobs on one target");
      }
      List<JobDemand> jobs = new ArrayList<>(target.getJobsCount());
      Set<JobId> here = new HashSet<>();
      for (dev.sluice.control.v1.JobDemand said : target.getJobsList()) {
        GatewayClaims.Believed believed = claims.look(TargetMessages.read(said), plane.check());
        JobId job = believed.demand().job();
        if (!here.add(job)) {
          throw RefusedException.badMessage("a report with job " + job + " twice on a target");
        }
        if (believed.objection() != null) {
          disbelieved.put(job, believed.objection());
        }
        jobs.add(believed.demand());
      }
      Target of = now.get(target.getTarget());
      double mostTokens = of.tokensPerSecond() * seconds;
      for (JobDemand job : jobs) {
        if (job.service().servedTokens() > SERVED_ASTOUNDING * mostTokens) {
          disbelieved.putIfAbsent(
              job.job(),
              "job " + job.job() + " is served more on " + of.name() + " than that can serve");
        }
      }
      if (seen.put(of, GatewayClaims.servable(jobs, mostTokens)) != null) {
        throw RefusedException.badMessage("a report with a target twice");
      }
    }
    return seen;
  }

  private Map<String, TargetSeen> activity(TargetsReport report) throws RefusedException {
    Map<String, TargetSeen> said = new HashMap<>();
    for (TargetDemand target : report.getTargetsList()) {
      if (target.hasActivity()) {
        said.put(targets.get(target.getTarget()).name(), TargetSeen.of(target.getActivity()));
      }
    }
    return said;
  }

  @Override
  public void ended(long nowNanos) {
    plane.left(this, nowNanos);
  }

  /** Sends orders, with what it is to keep where that has changed. */
  void tell(TargetsOrders.Builder orders, Promises promises) {
    if (line.isReady()) {
      if (!promises.equals(promisesTold)) {
        orders.setPromises(PromiseMessages.write(promises));
        promisesTold = promises;
      }
      line.send(
          ControllerMessage.newBuilder().setTargets(orders.setSequence(++sequenceSaid)).build());
    }
  }
}
