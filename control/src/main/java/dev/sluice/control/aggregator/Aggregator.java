package dev.sluice.control.aggregator;

import dev.sluice.access.Refusals;
import dev.sluice.control.access.ToldNodes;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.link.LinkRole;
import dev.sluice.control.loop.Loop;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberServer;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.stage.StageJob;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobIntroduction;
import dev.sluice.control.v1.JobLimits;
import dev.sluice.control.v1.JobRefusal;
import dev.sluice.control.v1.JobUsage;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.NewcomerLimits;
import dev.sluice.control.v1.NodePlace;
import dev.sluice.control.v1.NodeRefusal;
import dev.sluice.control.v1.Refused;
import dev.sluice.control.v1.StageOrders;
import dev.sluice.control.v1.StageReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.lease.Leader;
import dev.sluice.store.lease.LeaderMemory;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Stands for many agents before one controller: adds up what their jobs do, and divides what each
 * job may do among them. It decides nothing. While it has no orders it gives none, so that limits
 * lapse behind it as they would without it.
 *
 * <p>Everything happens on one thread, which is also the one that moves the bytes.
 */
public final class Aggregator implements LinkRole, AutoCloseable {
  private static final long LAPSE_NANOS = 5_000_000_000L;

  private final AggregatorOptions options;
  private final ToldNodes nodes;
  private final NettyLoop loop;
  private final StageGroup group;
  private final ToldRefusals refused = new ToldRefusals();

  /** Of those who call; what is refused of their jobs, the controller knows already. */
  private final Refusals refusals = new Refusals();

  private final MemberServer server;
  private final ControllerLink link;

  private final Map<JobId, JobAbove> above = new HashMap<>();
  private int lastNumber;
  private long sequence;
  private long roundAbove;
  private Leader leader = Leader.NOBODY;

  /** Whom an agent has obeyed that will not obey our leader; told once, for it will call again. */
  private Leader behind = Leader.NOBODY;

  private long lookEveryNanos;
  private long lapseNanos = LAPSE_NANOS;
  private NewcomerLimits newcomers = NewcomerLimits.getDefaultInstance();
  private boolean connected;
  private boolean reportOwed;
  private long reportedNanos;
  private long dueNanos;
  private long turn;
  private Loop.@Nullable Timer timer;

  /**
   * Starts to listen, and to call the controller.
   *
   * @param nodes knows who may call, and is told of it by the controller
   * @param memory keeps whom this aggregator has obeyed
   */
  public Aggregator(
      AggregatorOptions options,
      ControllerLink.Addresses controllers,
      ToldNodes nodes,
      RandomGenerator random,
      LeaderMemory memory)
      throws IOException {
    this.options = options;
    this.nodes = nodes;
    this.loop = new NettyLoop("aggregator");
    this.group = new StageGroup(options.membersMax(), () -> loop.execute(this::look));
    loop.execute(() -> group.check(refused, loop.nowNanos()));
    try {
      this.server =
          new MemberServer(options.listen(), options.tls(), nodes, refusals, this::welcome, loop);
    } catch (IOException | RuntimeException e) {
      loop.close();
      throw e;
    }
    this.link = new ControllerLink(controllers, this, loop, random, memory);
    link.start();
  }

  /** The port that agents call. */
  public int port() {
    return server.port();
  }

  private MemberSession welcome(Hello hello, Mandate mandate, MemberLine line, long nowNanos)
      throws RefusedException {
    if (!connected) {
      throw new RefusedException(
          RefusedException.Kind.NOT_NOW, "this aggregator has no controller");
    }
    Leader obeyed = new Leader(hello.getEpoch(), hello.getLeader());
    if (obeyed.epoch() < 0 || obeyed.epoch() > leader.epoch() || isAnother(obeyed)) {
      // Our controller judges whether that can be, and leads above it if so.
      behind = obeyed;
      throw new RefusedException(
          RefusedException.Kind.NOT_NOW,
          hello.getMember()
              + " has obeyed leader "
              + Long.toUnsignedString(obeyed.epoch())
              + ", and this aggregator's is "
              + (isAnother(obeyed) ? "another " : "")
              + leader.epoch());
    }
    if (hello.getKind() != MemberKind.MEMBER_KIND_AGENT) {
      throw RefusedException.badMessage(
          "an aggregator stands for agents; " + hello.getKind() + " calls the controller");
    }
    return group.join(hello, mandate, line, nowNanos);
  }

  private boolean isAnother(Leader obeyed) {
    return obeyed.epoch() == leader.epoch() && !obeyed.mayBe(leader);
  }

  @Override
  public Hello hello(Leader obeyed) {
    above.clear();
    refused.clear();
    sequence = 0;
    reportedNanos = loop.nowNanos();
    // What was done while nobody asked happened in no round.
    group.jobs().forEach(job -> job.done().clear());
    return Hello.newBuilder()
        .setMember(options.name())
        .setKind(MemberKind.MEMBER_KIND_AGGREGATOR)
        .setHost(options.host())
        .setEpoch(obeyed.epoch())
        .setLeader(obeyed.mark())
        .build();
  }

  @Override
  public void ordered(ControllerMessage message, Leader by, long nowNanos) throws RefusedException {
    if (!message.hasStage()) {
      throw RefusedException.badMessage("orders for a gateway, and this is an aggregator");
    }
    StageOrders orders = message.getStage();
    Set<Integer> mentioned = new HashSet<>();
    Map<Integer, JobAbove> numbered = HashMap.newHashMap(above.size());
    above.values().forEach(job -> numbered.put(job.number(), job));
    for (JobLimits limits : orders.getLimitsList()) {
      JobAbove job = numbered.get(limits.getNumber());
      if (job != null) {
        take(limits, job);
        mentioned.add(job.number());
      }
    }
    takeRefusals(orders, nowNanos);
    if (orders.hasRoster()) {
      nodes.told(orders.getRoster());
    }
    connected = true;
    leader = by;
    roundAbove = orders.getRound();
    if (orders.hasNewcomers()) {
      newcomers = orders.getNewcomers();
    }
    if (orders.getLapseAfterMicros() > 0) {
      lapseNanos = Math.min(orders.getLapseAfterMicros(), Long.MAX_VALUE / 1_000) * 1_000;
      lookEveryNanos = Math.clamp(orders.getLookEveryMicros(), 0, 3_600_000_000L) * 1_000;
    }
    turn++;
    for (StageJob job : group.jobs()) {
      JobAbove known = above.get(job.id());
      if (known != null) {
        known.handOn(job, mentioned.contains(known.number()), turn);
      }
    }
    long reportInNanos = Math.min(orders.getReportInMicros(), 3_600_000_000L) * 1_000;
    dueNanos = nowNanos + reportInNanos;
    reportOwed = true;
    group.tellAll(
        new StageGroup.Orders(leader, reportInNanos, lapseNanos, lookEveryNanos, newcomers),
        nowNanos);
    if (timer != null) {
      timer.cancel();
    }
    timer = loop.schedule(this::due, reportInNanos);
  }

  private void takeRefusals(StageOrders orders, long nowNanos) {
    Map<Integer, List<NodeRefusal>> told = HashMap.newHashMap(orders.getRefusalsCount());
    for (JobRefusal refusal : orders.getRefusalsList()) {
      told.put(refusal.getNumber(), refusal.getNodesList());
    }
    if (!told.isEmpty()) {
      above.forEach((id, job) -> {
        List<NodeRefusal> ofJob = told.get(job.number());
        if (ofJob != null) {
          refused.told(id, ofJob);
        }
      });
    }
    group.lookAgain(nowNanos);
  }

  private static void take(JobLimits limits, JobAbove job) throws RefusedException {
    if (limits.getRatesCount() % 2 != 0) {
      throw RefusedException.badMessage("limits that do not come in pairs");
    }
    for (int i = 0; i < limits.getRatesCount(); i += 2) {
      RateKey key = RateKey.numbered(limits.getRates(i));
      long plusOne = limits.getRates(i + 1);
      if (key == null || plusOne < 0) {
        throw RefusedException.badMessage(
            "there is no limit number " + limits.getRates(i) + " of " + plusOne);
      }
      job.order(key, plusOne);
    }
  }

  private void due() {
    if (group.isComplete()) {
      report();
    } else {
      timer = loop.schedule(this::report, options.timeoutNanos());
    }
  }

  private void look() {
    if (group.isComplete() && loop.nowNanos() - dueNanos >= 0) {
      report();
    }
  }

  private void report() {
    if (!reportOwed || !link.isReady()) {
      return;
    }
    if (timer != null) {
      timer.cancel();
    }
    reportOwed = false;
    long nowNanos = loop.nowNanos();
    StageReport.Builder built =
        StageReport.newBuilder()
            .setSequence(++sequence)
            .setRound(roundAbove)
            .setElapsedMicros(Math.max(0, nowNanos - reportedNanos) / 1_000)
            .setAgents(group.agents())
            .setEpochBehind(behind.epoch())
            .setLeaderBehind(behind.mark());
    behind = Leader.NOBODY;
    reportedNanos = nowNanos;
    for (Refusals.Recent news : refusals.takeNews()) {
      built.addRefused(
          Refused.newBuilder()
              .setKind(news.kind().text())
              .setWho(news.who())
              .setWhy(news.why())
              .setTimes(news.times()));
    }
    group.jobs().forEach(job -> describe(job, built));
    group.uncounted().forEach(job -> describe(job, built));
    for (Iterator<Map.Entry<JobId, JobAbove>> all = above.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<JobId, JobAbove> entry = all.next();
      if (group.find(entry.getKey()) == null) {
        built.addEnded(entry.getValue().number());
        refused.forget(entry.getKey());
        all.remove();
      }
    }
    link.send(MemberMessage.newBuilder().setStage(built).build());
  }

  private void describe(StageJob job, StageReport.Builder built) {
    JobAbove known = above.get(job.id());
    boolean introduced = known == null;
    if (known == null) {
      known = new JobAbove(++lastNumber);
      above.put(job.id(), known);
    }
    // Asked in any case, so that it is not asked about what was told already.
    boolean resized = job.takeResized();
    if (introduced || resized) {
      Map<String, String> said = job.said();
      JobIntroduction.Builder introduction =
          JobIntroduction.newBuilder()
              .setNumber(known.number())
              .setJob(job.id().toString())
              .setUser(job.user())
              .setProcesses((int) Math.min(job.processes(), Integer.MAX_VALUE))
              .setNodes(said.size());
      // Those that were refused too: whoever refuses them may think otherwise later.
      said.forEach((node, user) ->
          introduction.addPlaces(
              NodePlace.newBuilder().setNode(node).setUser(user.equals(job.user()) ? "" : user)));
      built.addIntroduced(introduction);
    }
    if (!job.done().isEmpty()) {
      built.addUsages(
          JobUsage.newBuilder().setNumber(known.number()).addAllFigures(job.done().toFigures()));
      job.done().clear();
    }
  }

  @Override
  public void parted(String reason, long nowNanos) {
    connected = false;
    reportOwed = false;
  }

  @Override
  public void close() {
    link.close();
    server.close();
    loop.close();
  }
}
