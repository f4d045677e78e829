package dev.sluice.control.gateways;

import dev.sluice.control.loop.Loop;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.TargetsOrders;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyControl;
import dev.sluice.core.policy.collect.Collected;
import dev.sluice.core.policy.collect.ReportCollector;
import dev.sluice.core.policy.collect.TargetReport;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The targets of all gateways, and the policy that decides about them together: once a period all
 * are asked what they saw; when more than four fifths have said so within a second, the policy
 * decides, and each gateway is told what holds on its targets. Who was late is asked again in the
 * next round.
 *
 * <p>A gateway that is gone counts as one that does not answer, for a few periods: a network that
 * breaks must not make a minority decide. All on the loop's thread, but for the decision itself.
 */
public final class TargetPlane {
  private static final System.Logger LOG = System.getLogger(TargetPlane.class.getName());

  /** How long a gateway that is gone still counts. */
  private static final int PERIODS_REMEMBERED = 3;

  private final PolicyChoice policy;
  private final PolicyControls controls;
  private final Executor decider;
  private final Loop loop;
  private final LongSupplier epochOfLeader;
  private final long epochOffsetNanos;

  /** In the order of their names, so that who calls again later is shown where it was. */
  private final Map<String, GatewayMember> members = new TreeMap<>();

  /** Targets that count, whether their gateway is there or not, and when it was there last. */
  private final Map<String, Known> known = new LinkedHashMap<>();

  private @Nullable PolicyControl<?> control;
  private @Nullable ReportCollector collector;
  private long collectorRound;
  private long round = 1;
  private long dueNanos;
  private boolean asked;
  private boolean deciding;
  private String trouble = "";
  private long decisions;
  private @Nullable Explanation explanation;
  private final Map<String, Shares> inForce = new LinkedHashMap<>();

  private record Known(Target target, long seenNanos) {}

  /**
   * How the plane is, for people.
   *
   * @param gateways the names of those that are connected
   * @param targets how many count, of gateways that are connected or were lately
   */
  public record State(
      String policy,
      List<String> gateways,
      int targets,
      long decisions,
      String trouble,
      String summary) {
    public State {
      gateways = List.copyOf(gateways);
    }
  }

  /** A gateway that is connected, and when we last heard of it. */
  public record Gateway(String name, String host, long heardNanos, List<GatewayTarget> targets) {
    public Gateway {
      targets = List.copyOf(targets);
    }
  }

  /**
   * A target of a gateway.
   *
   * @param shares what holds on it, as was decided last
   */
  public record GatewayTarget(Target target, Shares shares, TargetSeen seen) {}

  /**
   * No gateway is there.
   *
   * @param decider runs the policy, on a thread that it may block
   * @param epochOfLeader in which we lead now; negative where we do not
   * @param epochOffsetNanos what to add to the loop's times to have nanoseconds since 1970
   */
  public TargetPlane(
      PolicyChoice policy,
      PolicyControls controls,
      Executor decider,
      Loop loop,
      LongSupplier epochOfLeader,
      long epochOffsetNanos) {
    this.policy = policy;
    this.controls = controls;
    this.decider = decider;
    this.loop = loop;
    this.epochOfLeader = epochOfLeader;
    this.epochOffsetNanos = epochOffsetNanos;
    this.dueNanos = loop.nowNanos() + policy.periodNanos();
    Loop.Timer _ = loop.schedule(this::due, policy.periodNanos());
  }

  long round() {
    return round;
  }

  /** Lets a gateway in, in the place of one with its name. */
  public MemberSession join(Hello hello, MemberLine line, long nowNanos) throws RefusedException {
    GatewayMember member = new GatewayMember(this, hello, line, nowNanos);
    GatewayMember before = members.get(member.name());
    if (before != null) {
      before
          .line()
          .refuse(
              new RefusedException(
                  RefusedException.Kind.NOT_NOW,
                  member.name() + " has called again, and this call is over"));
      left(before, nowNanos);
    }
    members.put(member.name(), member);
    known.keySet().removeIf(name -> name.startsWith(member.name() + "/"));
    boolean changed = false;
    for (Target target : member.targets()) {
      changed |= !targets().contains(target);
      known.put(target.name(), new Known(target, nowNanos));
    }
    if (changed || control == null) {
      regroup();
    }
    member.tell(orders(member, Map.of(), nowNanos));
    return member;
  }

  private List<Target> targets() {
    return known.values().stream().map(Known::target).toList();
  }

  /** Goes on with the targets there are, and what the policy has learnt of jobs. */
  private void regroup() {
    asked = false;
    if (known.isEmpty()) {
      control = null;
      collector = null;
      return;
    }
    if (control == null) {
      control = controls.control(policy.create(), new Cluster(targets()));
    }
    collector = new ReportCollector(known.keySet(), policy.periodNanos());
  }

  void left(GatewayMember member, long nowNanos) {
    if (members.remove(member.name(), member)) {
      for (Target target : member.targets()) {
        known.computeIfPresent(target.name(), (_, old) -> new Known(old.target, nowNanos));
      }
    }
  }

  /** The time for reports has come: gateways send theirs now, because they were told to. */
  private void due() {
    long nowNanos = loop.nowNanos();
    dueNanos = Math.max(dueNanos + policy.periodNanos(), nowNanos);
    Loop.Timer _ = loop.schedule(this::due, dueNanos - nowNanos);
    forget(nowNanos);
    ReportCollector asking = collector;
    if (asking == null || deciding || epochOfLeader.getAsLong() < 0) {
      return;
    }
    if (!asked) {
      ask(asking, nowNanos);
    }
    look();
    Loop.Timer _ =
        loop.schedule(
            this::look, Math.min(ReportCollector.TIMEOUT_NANOS, policy.periodNanos() / 2) + 1);
  }

  private void ask(ReportCollector asking, long nowNanos) {
    collectorRound = asking.ask(List.of(), nowNanos);
    asked = true;
  }

  private void forget(long nowNanos) {
    boolean gone =
        known
            .entrySet()
            .removeIf(entry ->
                !members.containsKey(entry.getKey().substring(0, entry.getKey().indexOf('/')))
                    && nowNanos - entry.getValue().seenNanos
                        > PERIODS_REMEMBERED * policy.periodNanos());
    if (gone) {
      regroup();
    }
  }

  void reported(long ofRound, Map<String, List<JobDemand>> seen, long nowNanos) {
    ReportCollector asking = collector;
    if (asking == null || ofRound != round || deciding) {
      return;
    }
    if (!asked) {
      ask(asking, nowNanos);
    }
    seen.forEach((target, jobs) -> asking.report(new TargetReport(target, collectorRound, jobs)));
    look();
  }

  private void look() {
    ReportCollector asking = collector;
    PolicyControl<?> deciding = control;
    if (asking == null || deciding == null || !asked || this.deciding) {
      return;
    }
    switch (asking.collect(loop.nowNanos())) {
      case Collected.Nothing _ -> {}
      case Collected.Waiting _ -> {}
      case Collected.Refused refused -> {
        trouble = refused.reason();
        next(Map.of());
      }
      case Collected.Ready ready -> {
        trouble = String.join("; ", ready.notes());
        this.deciding = true;
        Cluster about = new Cluster(targets());
        decider.execute(() -> decide(deciding, about, ready));
      }
    }
  }

  /** On the decider's thread. */
  private void decide(PolicyControl<?> deciding, Cluster about, Collected.Ready ready) {
    Map<String, Shares> decided = new LinkedHashMap<>();
    Explanation why = null;
    String problem = "";
    try {
      deciding.over(about);
      why =
          deciding.decide(
              new Observation(
                  ready.seen().nowNanos() + epochOffsetNanos,
                  ready.seen().periodNanos(),
                  ready.seen().targets(),
                  ready.seen().ended()));
      for (String target : ready.seen().targets().keySet()) {
        decided.put(target, deciding.shares(target));
      }
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "the policy failed, and all stays as it is", e);
      problem = "the policy failed: " + e;
    }
    Explanation reasons = why;
    String whatWentWrong = problem;
    loop.execute(() -> {
      this.deciding = false;
      if (whatWentWrong.isEmpty()) {
        explanation = reasons;
        decisions++;
      } else {
        trouble = whatWentWrong;
      }
      next(decided);
    });
  }

  /** Tells everybody what was decided, and what the next round is. */
  private void next(Map<String, Shares> decided) {
    asked = false;
    round++;
    if (epochOfLeader.getAsLong() < 0) {
      // Decided, but not ours to order any more.
      return;
    }
    inForce.keySet().retainAll(known.keySet());
    inForce.putAll(decided);
    long nowNanos = loop.nowNanos();
    members.values().forEach(member -> member.tell(orders(member, decided, nowNanos)));
  }

  private TargetsOrders.Builder orders(
      GatewayMember member, Map<String, Shares> decided, long nowNanos) {
    TargetsOrders.Builder orders =
        TargetsOrders.newBuilder()
            .setEpoch(Math.max(0, epochOfLeader.getAsLong()))
            .setRound(round)
            .setReportInMicros(Math.max(0, dueNanos - nowNanos) / 1_000)
            .setLapseAfterMicros(lapseNanos() / 1_000)
            .setPolicy(policy.info().name())
            .setTrouble(trouble)
            .setSummary(summary());
    for (int i = 0; i < member.targets().size(); i++) {
      Shares shares = decided.get(member.targets().get(i).name());
      if (shares != null) {
        orders.addTargets(TargetMessages.write(i, shares));
      }
    }
    return orders;
  }

  /** As long as a gateway by itself would keep to a decision that no other follows. */
  private long lapseNanos() {
    return Math.max(5_000_000_000L, 3 * policy.periodNanos());
  }

  /** Sends everybody away, as when we may not give orders any more. */
  public void dismissAll(String reason, long nowNanos) {
    for (GatewayMember member : List.copyOf(members.values())) {
      member.line().refuse(new RefusedException(RefusedException.Kind.NOT_NOW, reason));
      left(member, nowNanos);
    }
  }

  /** How it is. */
  public State state() {
    return new State(
        policy.info().name(),
        new ArrayList<>(members.keySet()),
        known.size(),
        decisions,
        trouble,
        explanation == null ? "nothing is decided yet" : summary());
  }

  private String summary() {
    return explanation == null ? "" : explanation.summary();
  }

  /** What holds on each target, as was decided last. */
  public Map<String, Shares> inForce() {
    return new LinkedHashMap<>(inForce);
  }

  /** The gateways that are connected. */
  public List<Gateway> gateways() {
    List<Gateway> gateways = new ArrayList<>(members.size());
    for (GatewayMember member : members.values()) {
      List<GatewayTarget> seen = new ArrayList<>(member.targets().size());
      for (Target target : member.targets()) {
        seen.add(
            new GatewayTarget(
                target, inForce.getOrDefault(target.name(), Shares.NONE), member.seen(target)));
      }
      gateways.add(new Gateway(member.name(), member.host(), member.heardNanos(), seen));
    }
    return gateways;
  }

  /** Why the last decision is as it is; null before the first. */
  public @Nullable Explanation explanation() {
    return explanation;
  }
}
