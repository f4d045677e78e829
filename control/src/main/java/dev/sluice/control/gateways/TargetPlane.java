package dev.sluice.control.gateways;

import dev.sluice.access.Refusals;
import dev.sluice.control.loop.Loop;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.stage.JobCheck;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.TargetsOrders;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.collect.TargetReport;
import dev.sluice.core.policy.cycle.ControlCycle;
import dev.sluice.core.policy.cycle.CycleSetting;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.lease.Leader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Drives a control cycle over the targets of all gateways: once a period they tell what they saw,
 * and each gateway is told what holds on its targets. Who was late is asked again in the next
 * round.
 *
 * <p>A gateway that is gone counts as one that does not answer, for a few periods: a network that
 * breaks must not make a minority decide. So does one that is there and says nothing; and who has
 * been waited for in vain too often ({@link Attendance}) takes part if he is in time, and is not
 * waited for for long. Which targets there are is settled when a round begins: who comes and goes
 * meanwhile spoils no round. All on the loop's thread, but for the decision itself.
 */
public final class TargetPlane {
  private static final System.Logger LOG = System.getLogger(TargetPlane.class.getName());

  /** How long a gateway that is gone still counts. */
  private static final int PERIODS_REMEMBERED = 3;

  /** What part of a period a report may come before it is due: timers are not exact. */
  private static final int EARLY_PART = 16;

  private final PolicyChoice policy;
  private final PolicyControls controls;
  private final Executor decider;
  private final Loop loop;
  private final Supplier<@Nullable Leader> leading;
  private final Refusals refusals;
  private final CycleSetting setting;
  private final Attendance attendance = new Attendance();

  /** In the order of their names, so that who calls again later is shown where it was. */
  private final Map<String, GatewayMember> members = new TreeMap<>();

  /** Targets that count, whether their gateway is there or not, and when it was there last. */
  private final Map<String, Known> known = new LinkedHashMap<>();

  /** Null until the first gateway has come; it is kept while none is there. */
  private @Nullable ControlCycle<?> cycle;

  /** Whether other targets count than at the beginning of the last round. */
  private boolean othersCount;

  /** Whose the targets are that are asked in this round, and who has answered for all of his. */
  private final Map<String, String> inRound = new LinkedHashMap<>();

  private final Set<String> answered = new HashSet<>();

  private JobCheck check = JobCheck.NONE;

  /** What all gateways are to keep. */
  private Promises promises = Promises.NONE;

  private long cycleRound;
  private long round = 1;
  private long dueNanos;
  private boolean asked;

  private record Known(String gateway, Target target, long seenNanos) {}

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
   * @param leading as whom we lead now; null where we do not
   * @param refusals where it is noted down what gateways are not believed
   * @param epochOffsetNanos what to add to the loop's times to have nanoseconds since 1970
   */
  public TargetPlane(
      PolicyChoice policy,
      PolicyControls controls,
      Executor decider,
      Loop loop,
      Supplier<@Nullable Leader> leading,
      Refusals refusals,
      long epochOffsetNanos) {
    this.policy = policy;
    this.controls = controls;
    this.decider = decider;
    this.loop = loop;
    this.leading = leading;
    this.refusals = refusals;
    this.setting = CycleSetting.of(policy.info(), policy.periodNanos(), epochOffsetNanos);
    this.dueNanos = loop.nowNanos() + policy.periodNanos();
    Loop.Timer _ = loop.schedule(this::due, policy.periodNanos());
  }

  long round() {
    return round;
  }

  long periodNanos() {
    return policy.periodNanos();
  }

  /** Has somebody say, from now on, what is known of jobs. */
  public void check(JobCheck wanted) {
    check = wanted;
  }

  JobCheck check() {
    return check;
  }

  void refused(String gateway, String host, String why, long nowNanos) {
    refusals.refused(Refusals.Kind.JOB, gateway, "on " + host, why, nowNanos);
  }

  /** Has all gateways keep this from their next orders on. */
  public void promise(Promises promised) {
    promises = promised;
  }

  /**
   * Lets a gateway in, in the place of one with its name.
   *
   * @param mandate what its key allows
   */
  public MemberSession join(Hello hello, Mandate mandate, MemberLine line, long nowNanos)
      throws RefusedException {
    GatewayMember member = new GatewayMember(this, hello, mandate, line, nowNanos);
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
    Map<String, Shares> held = stillHeld(member);
    // Who was waited for in vain too often counts when it has reported.
    count(attendance.isWaitedFor(member.name()) ? member.targets() : List.of(), member, nowNanos);
    if (cycle == null) {
      regroup(nowNanos);
    }
    member.tell(orders(member, held, nowNanos), promises);
    return member;
  }

  /**
   * What was decided about a gateway's targets while it was away, or for one that had its name: so
   * that it need not wait for the next decision where that one still counts.
   */
  private Map<String, Shares> stillHeld(GatewayMember member) {
    Map<String, Shares> held = new LinkedHashMap<>();
    for (Target target : member.targets()) {
      if (known.containsKey(target.name())) {
        held.put(target.name(), inForce(target.name()));
      }
    }
    return held;
  }

  /** These of a gateway's targets count from the next round on, and no others of it. */
  private void count(List<Target> counted, GatewayMember of, long nowNanos) {
    Set<String> names = new HashSet<>();
    for (Target target : counted) {
      names.add(target.name());
      Known before = known.put(target.name(), new Known(of.name(), target, nowNanos));
      othersCount |= before == null;
    }
    othersCount |=
        known
            .entrySet()
            .removeIf(
                one -> one.getValue().gateway.equals(of.name()) && !names.contains(one.getKey()));
  }

  private List<Target> targets() {
    return known.values().stream().map(Known::target).toList();
  }

  /** Goes on with the targets there are, and what the policy has learnt of jobs. */
  private void regroup(long nowNanos) {
    othersCount = false;
    if (known.isEmpty()) {
      return;
    }
    Cluster cluster = new Cluster(targets());
    if (cycle == null) {
      cycle =
          new ControlCycle<>(
              controls.control(policy.create(), cluster), cluster, setting, nowNanos);
    } else {
      cycle.over(cluster);
    }
  }

  void left(GatewayMember member, long nowNanos) {
    if (members.remove(member.name(), member)) {
      for (Target target : member.targets()) {
        known.computeIfPresent(
            target.name(), (_, old) -> new Known(old.gateway, old.target, nowNanos));
      }
    }
  }

  /** The time for reports has come: gateways send theirs now, because they were told to. */
  private void due() {
    long nowNanos = loop.nowNanos();
    dueNanos = Math.max(dueNanos + policy.periodNanos(), nowNanos);
    Loop.Timer _ = loop.schedule(this::due, dueNanos - nowNanos);
    forget(nowNanos);
    ControlCycle<?> asking = cycle;
    if (asking == null || known.isEmpty() || asking.isDeciding() || !leads()) {
      return;
    }
    if (!asked) {
      ask(asking, nowNanos);
    }
    look();
    lookAgain(asking, nowNanos);
  }

  /** Looks when the time is up for those that have not reported. */
  private void lookAgain(ControlCycle<?> asking, long nowNanos) {
    if (asked) {
      Loop.Timer _ = loop.schedule(this::look, Math.max(0, asking.dueNanos() - nowNanos) + 1);
    }
  }

  private boolean leads() {
    return leading.get() != null;
  }

  private void ask(ControlCycle<?> asking, long nowNanos) {
    if (othersCount) {
      regroup(nowNanos);
    }
    Set<String> unawaited = new HashSet<>();
    known.forEach((target, of) -> {
      if (!attendance.isWaitedFor(of.gateway)) {
        unawaited.add(target);
      }
    });
    inRound.clear();
    known.forEach((target, of) -> inRound.put(target, of.gateway));
    answered.clear();
    cycleRound = asking.ask(List.of(), unawaited, nowNanos);
    asked = true;
  }

  /** Those that have gone a while ago, or have said nothing for as long, count no more. */
  private void forget(long nowNanos) {
    othersCount |=
        known
            .values()
            .removeIf(one ->
                attendance.isSilent(one.gateway)
                    || (!members.containsKey(one.gateway)
                        && nowNanos - one.seenNanos > PERIODS_REMEMBERED * policy.periodNanos()));
  }

  void reported(
      GatewayMember member, long ofRound, Map<Target, List<JobDemand>> seen, long nowNanos) {
    attendance.reported(member.name());
    count(member.targets(), member, nowNanos);
    ControlCycle<?> asking = cycle;
    // Who reports long before it is time would have the time for the others' reports end too soon.
    boolean tooEarly = !asked && dueNanos - nowNanos > policy.periodNanos() / EARLY_PART;
    if (asking == null || ofRound != round || asking.isDeciding() || tooEarly) {
      return;
    }
    if (!asked) {
      ask(asking, nowNanos);
    }
    Set<String> reported = new HashSet<>();
    seen.forEach((target, jobs) -> {
      if (inRound.containsKey(target.name())) {
        reported.add(target.name());
        asking.report(new TargetReport(target, cycleRound, jobs));
      }
    });
    if (Collections.frequency(inRound.values(), member.name()) == reported.size()) {
      answered.add(member.name());
    }
    look();
    // Who is not waited for has less time from when all others have reported.
    lookAgain(asking, nowNanos);
  }

  /** A round is over: it is noted down who was asked and has not answered. */
  private void roundOver() {
    Set<String> missing = new HashSet<>(inRound.values());
    missing.removeAll(answered);
    missing.forEach(attendance::missed);
    inRound.clear();
  }

  private void look() {
    ControlCycle<?> looking = cycle;
    if (looking == null || !asked || looking.isDeciding()) {
      return;
    }
    ControlCycle<?>.Decision decision = looking.next(loop.nowNanos());
    if (decision != null) {
      decider.execute(() -> {
        ControlCycle.Taken taken = decision.take();
        loop.execute(() -> decided(looking, taken));
      });
    } else if (!looking.isCollecting()) {
      // Too few have reported: nothing is changed, and a new round begins.
      next(looking, Map.of());
    }
  }

  private void decided(ControlCycle<?> by, ControlCycle.Taken taken) {
    if (taken.failure() != null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "the policy failed, and all stays as it is",
          taken.failure());
    }
    by.takeUp(taken, loop.nowNanos());
    next(by, taken.shares());
  }

  /** Tells everybody what was decided, and what the next round is. */
  private void next(ControlCycle<?> by, Map<String, Shares> decided) {
    asked = false;
    roundOver();
    round++;
    long nowNanos = loop.nowNanos();
    boolean lapsed = by.passTime(nowNanos);
    if (!leads()) {
      // Decided, but not ours to order any more.
      return;
    }
    Map<String, Shares> told = lapsed ? nobodyLimited() : decided;
    members.values().forEach(member -> member.tell(orders(member, told, nowNanos), promises));
  }

  private Map<String, Shares> nobodyLimited() {
    Map<String, Shares> none = new LinkedHashMap<>();
    known.keySet().forEach(target -> none.put(target, Shares.NONE));
    return none;
  }

  private TargetsOrders.Builder orders(
      GatewayMember member, Map<String, Shares> decided, long nowNanos) {
    Leader us = Objects.requireNonNullElse(leading.get(), Leader.NOBODY);
    TargetsOrders.Builder orders =
        TargetsOrders.newBuilder()
            .setEpoch(us.epoch())
            .setLeader(us.mark())
            .setRound(round)
            .setReportInMicros(Math.max(0, dueNanos - nowNanos) / 1_000)
            .setLapseAfterMicros(setting.graceNanos() / 1_000)
            .setPolicy(policy.info().name())
            .putAllSettings(policy.settings())
            .setPeriodNanos(policy.periodNanos())
            .setTrouble(trouble(member, nowNanos))
            .setSummary(summary());
    for (int i = 0; i < member.targets().size(); i++) {
      Shares shares = decided.get(member.targets().get(i).name());
      if (shares != null) {
        orders.addTargets(TargetMessages.write(i, shares));
      }
    }
    return orders;
  }

  private String trouble(GatewayMember member, long nowNanos) {
    String words = trouble(nowNanos);
    String objections = member.objections();
    return words.isEmpty() || objections.isEmpty() ? words + objections : words + "; " + objections;
  }

  private String trouble(long nowNanos) {
    String words = cycle == null ? null : cycle.trouble(nowNanos);
    return words == null ? "" : words;
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
        cycle == null ? 0 : cycle.decisions(),
        trouble(loop.nowNanos()),
        explanation() == null ? "nothing is decided yet" : summary());
  }

  private String summary() {
    Explanation why = explanation();
    return why == null ? "" : why.summary();
  }

  /** What holds on each target, as was decided last. */
  public Map<String, Shares> inForce() {
    return cycle == null ? Map.of() : cycle.inForce();
  }

  /** The gateways that are connected. */
  public List<Gateway> gateways() {
    List<Gateway> gateways = new ArrayList<>(members.size());
    for (GatewayMember member : members.values()) {
      List<GatewayTarget> seen = new ArrayList<>(member.targets().size());
      for (Target target : member.targets()) {
        seen.add(new GatewayTarget(target, inForce(target.name()), member.seen(target)));
      }
      gateways.add(new Gateway(member.name(), member.host(), member.heardNanos(), seen));
    }
    return gateways;
  }

  private Shares inForce(String target) {
    return cycle == null ? Shares.NONE : cycle.inForce(target);
  }

  /** Why the last decision is as it is; null before the first. */
  public @Nullable Explanation explanation() {
    return cycle == null ? null : cycle.explanation();
  }
}
