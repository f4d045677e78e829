package dev.sluice.control.gateways;

import dev.sluice.command.LinkStatus;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.link.LinkRole;
import dev.sluice.control.loop.Loop;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobActivity;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.TargetActivity;
import dev.sluice.control.v1.TargetDemand;
import dev.sluice.control.v1.TargetShares;
import dev.sluice.control.v1.TargetsOrders;
import dev.sluice.control.v1.TargetsReport;
import dev.sluice.control.wire.PromiseMessages;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Target;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.ControlLoop;
import dev.sluice.gateway.control.ServiceTotals;
import dev.sluice.gateway.target.ControlledTarget;
import dev.sluice.history.model.Sample;
import dev.sluice.history.sample.Sampler;
import dev.sluice.store.lease.Leader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reports what a gateway's targets saw, and puts in force what a controller decided about them and
 * all others. Without orders for as long as the last ones said, the gateway's own policy decides
 * again. All on the loop's thread, but for what says otherwise.
 */
public final class GatewayRole implements LinkRole {
  private static final System.Logger LOG = System.getLogger(GatewayRole.class.getName());

  private final String name;
  private final String host;
  private final boolean obeys;
  private final ControlLoop control;
  private final Loop loop;
  private final Sampler sampler = new Sampler();
  private @Nullable ControllerLink link;

  private List<Target> told = List.of();

  /** What this call said that is to be kept. */
  private Promises promises = Promises.NONE;

  private long sequence;
  private long round;
  private long orderedNanos;
  private long lapseNanos;
  private Loop.@Nullable Timer report;
  private Loop.@Nullable Timer lapse;
  private volatile LinkStatus status = LinkStatus.NOT_YET;

  /** Open until the first orders hold, or nobody who could give some was to be reached. */
  private final CountDownLatch settled = new CountDownLatch(1);

  private int callsInVain;

  /**
   * A role that is not played yet.
   *
   * @param obeys whether the controller decides; else it is only told what happens
   */
  public GatewayRole(String name, String host, boolean obeys, ControlLoop control, Loop loop) {
    this.name = name;
    this.host = host;
    this.obeys = obeys;
    this.control = control;
    this.loop = loop;
  }

  /** Plays the role on a link. */
  public void playOn(ControllerLink played) {
    link = played;
    played.start();
  }

  /** How the link is; what lapses are the controller's decisions. */
  public LinkStatus status() {
    return status;
  }

  /**
   * Waits until the first orders hold, but no longer than this, and not where all that could give
   * some were called in vain. On any thread but the loop's.
   */
  void awaitOrders(Duration most) {
    try {
      if (!settled.await(most.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.log(System.Logger.Level.WARNING, "no orders yet; goes on without");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Target> targets() {
    return control.plan().targets().stream().map(ControlledTarget::target).toList();
  }

  @Override
  public Hello hello(Leader obeyed) {
    sequence = 0;
    round = 0;
    promises = Promises.NONE;
    told = targets();
    Hello.Builder hello =
        Hello.newBuilder()
            .setMember(name)
            .setKind(MemberKind.MEMBER_KIND_GATEWAY)
            .setHost(host)
            .setEpoch(obeyed.epoch())
            .setLeader(obeyed.mark());
    for (Target target : told) {
      hello.addTargets(
          dev.sluice.control.v1.Target.newBuilder()
              .setName(target.name())
              .setCapacityPerSecond(target.tokensPerSecond())
              .setBytes(target.unit().tokensPerByte() > 0));
    }
    return hello.build();
  }

  @Override
  public void ordered(ControllerMessage message, Leader by, long nowNanos) throws RefusedException {
    if (!message.hasTargets()) {
      throw RefusedException.badMessage("orders for an agent, and this is a gateway");
    }
    TargetsOrders orders = message.getTargets();
    if (orders.getRound() <= round) {
      throw RefusedException.badMessage(
          "orders of round " + orders.getRound() + " came after those of " + round);
    }
    Map<String, Shares> decided = new HashMap<>();
    for (TargetShares target : orders.getTargetsList()) {
      if (target.getTarget() < 0 || target.getTarget() >= told.size()) {
        throw RefusedException.badMessage("there is no target number " + target.getTarget());
      }
      decided.put(told.get(target.getTarget()).name(), TargetMessages.read(target));
    }
    if (orders.hasPromises()) {
      promises = PromiseMessages.read(orders.getPromises());
    }
    round = orders.getRound();
    if (obeys && !orders.getPolicy().isEmpty()) {
      control.obey(policy(orders), decided, orders.getSummary(), nowNanos);
    }
    control.promise(promises, nowNanos);
    status = LinkStatus.ordered(orders.getEpoch(), nowNanos, orders.getTrouble());
    settled.countDown();
    orderedNanos = nowNanos;
    lapseNanos = Math.min(orders.getLapseAfterMicros(), 86_400_000_000L) * 1_000;
    if (lapse == null) {
      lapse = loop.schedule(this::look, lapseNanos);
    }
    if (report != null) {
      report.cancel();
    }
    report =
        loop.schedule(this::report, Math.min(orders.getReportInMicros(), 3_600_000_000L) * 1_000);
  }

  private static PolicyChoice policy(TargetsOrders orders) throws RefusedException {
    try {
      PolicyFactory factory = PolicyRegistry.named(orders.getPolicy());
      // Its solver, and with it the programs, are where it decides.
      Map<String, String> settings = new HashMap<>(orders.getSettingsMap());
      settings.remove("solver");
      PolicyChoice choice =
          new PolicyChoice(
              factory,
              orders.getPeriodNanos() == 0 ? factory.info().periodNanos() : orders.getPeriodNanos(),
              settings);
      choice.create();
      return choice;
    } catch (IllegalArgumentException e) {
      throw RefusedException.badMessage(String.valueOf(e.getMessage()));
    }
  }

  private void report() {
    ControllerLink current = link;
    if (current == null || !current.isReady()) {
      return;
    }
    List<Target> now = targets();
    if (!areSame(now, told)) {
      current.hangUp("the targets have changed");
      return;
    }
    told = now;
    Map<String, List<JobDemand>> seen =
        control.obeys() ? control.endPeriod(loop.nowNanos()) : control.lastSecond();
    Map<String, TargetActivity> active = activity();
    TargetsReport.Builder built =
        TargetsReport.newBuilder().setSequence(++sequence).setRound(round);
    for (int i = 0; i < told.size(); i++) {
      TargetDemand.Builder target =
          TargetDemand.newBuilder()
              .setTarget(i)
              .setCapacityPerSecond(told.get(i).tokensPerSecond());
      TargetActivity since = active.get(told.get(i).name());
      if (since != null) {
        target.setActivity(since);
      }
      for (JobDemand job : seen.getOrDefault(told.get(i).name(), List.of())) {
        target.addJobs(TargetMessages.write(job));
      }
      built.addTargets(target);
    }
    current.send(MemberMessage.newBuilder().setTargets(built).build());
  }

  /** Whether they are the same but for what they can serve, which every report says. */
  private static boolean areSame(List<Target> now, List<Target> before) {
    if (now.size() != before.size()) {
      return false;
    }
    for (int i = 0; i < now.size(); i++) {
      if (!now.get(i).name().equals(before.get(i).name())
          || !now.get(i).unit().equals(before.get(i).unit())) {
        return false;
      }
    }
    return true;
  }

  /** What each target served since the last report; nothing at the first. */
  private Map<String, TargetActivity> activity() {
    ServiceTotals totals = control.totals(loop.nowNanos());
    Sample sample = sampler.look(GatewayTotals.of(totals, 0));
    Map<String, TargetActivity> active = new HashMap<>();
    if (sample == null) {
      return active;
    }
    Map<String, Integer> inService = new HashMap<>();
    totals.targets().forEach(one -> inService.put(one.target().name(), one.inService()));
    for (Sample.OfTarget target : sample.targets()) {
      TargetActivity.Builder built =
          TargetActivity.newBuilder()
              .setSpanMicros(1_000L * sample.spanMillis())
              .setQueued(target.queued())
              .setInService(inService.getOrDefault(target.name(), 0));
      target.jobs().forEach(job -> built.addJobs(activity(job)));
      active.put(target.name(), built.build());
    }
    return active;
  }

  private static JobActivity activity(Sample.OfJob job) {
    return JobActivity.newBuilder()
        .setJob(job.id())
        .setUser(job.user())
        .setOperations(job.operations())
        .setReadBytes(job.readBytes())
        .setWrittenBytes(job.writtenBytes())
        .setWaitedMicros(job.waitedMicros())
        .setQueued(job.queued())
        .build();
  }

  @Override
  public void parted(String reason, long nowNanos) {
    status = status.parted(reason);
    callsInVain++;
    if (link == null || callsInVain >= link.addresses()) {
      settled.countDown();
    }
    if (report != null) {
      report.cancel();
    }
  }

  private void look() {
    lapse = null;
    long nowNanos = loop.nowNanos();
    long leftNanos = lapseNanos - (nowNanos - orderedNanos);
    if (leftNanos > 0) {
      lapse = loop.schedule(this::look, leftNanos);
      return;
    }
    if (control.obeys()) {
      LOG.log(
          System.Logger.Level.WARNING,
          "no orders for {0}: our own policy decides until there are some",
          Quantities.formatDuration(lapseNanos));
      control.decideAgain(nowNanos);
    }
    control.promise(Promises.NONE, nowNanos);
    status = status.withoutOrders("no orders for " + Quantities.formatDuration(lapseNanos));
    if (link != null) {
      link.hangUp("no orders came");
    }
  }
}
