package dev.sluice.control.agent;

import dev.sluice.command.LinkStatus;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.link.LinkRole;
import dev.sluice.control.loop.Loop;
import dev.sluice.control.stage.OperationFigures;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobIntroduction;
import dev.sluice.control.v1.JobLimits;
import dev.sluice.control.v1.JobRefusal;
import dev.sluice.control.v1.JobUsage;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.StageOrders;
import dev.sluice.control.v1.StageReport;
import dev.sluice.control.wire.PromiseMessages;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.control.wire.Scopes;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Rate;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.stage.files.OperationUsage;
import dev.sluice.stage.limit.LimitChange;
import dev.sluice.store.lease.Leader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reports what a node's jobs do, and puts in force what comes back. Without orders for as long as
 * the last ones said, all limits are taken away: a controller that is gone stops nobody. All on the
 * loop's thread, but for {@link #status} and what newcomers are limited to.
 */
public final class AgentRole implements LinkRole {
  private static final System.Logger LOG = System.getLogger(AgentRole.class.getName());

  /**
   * Who rests looks a little before reports are due, one in so many parts of the time between
   * looks: nobody waits for it, and what it has to say is to be in this round.
   */
  private static final long LEAD_PARTS = 16;

  private static final long MICROS_MAX = 3_600_000_000L;
  private static final int REFUSED_TOLD_MAX = 3;

  private final String name;
  private final String host;
  private final NodeJobs jobs;
  private final Loop loop;
  private @Nullable ControllerLink link;

  private final Map<JobId, KnownJob> known = new HashMap<>();
  private int lastNumber;
  private long sequence;
  private long round;
  private long reportedNanos;
  private Loop.@Nullable Timer report;
  private Loop.@Nullable Timer lapse;
  private long lapseNanos;
  private long orderedNanos;

  /** How often to look while resting, and for how long to rest; 0 where we may not. */
  private long lookEveryNanos;

  private long restNanos;
  private long sentNanos;

  /** When we last had nothing to say, and were not to hear anything either; 0 where never. */
  private long restedNanos;

  /** Whether the last report in this call said that nothing has happened. */
  private boolean saidNothing;

  /** By number, why jobs of ours are not counted. */
  private final Map<Integer, String> refused = new TreeMap<>();

  /** What this call said last that is to be kept. */
  private Guarantees guarantees = Guarantees.NONE;

  private volatile List<LimitChange> newcomers = List.of();
  private volatile LinkStatus status = LinkStatus.NOT_YET;

  /** A job that the controller has heard of in this call. */
  private static final class KnownJob {
    final int number;
    Map<Operation, OperationUsage> counted = Map.of();
    int processes;

    /** Orders since it was introduced; what they do not mention is taken away after the second. */
    int orders;

    final Set<LimitKey> ordered = new HashSet<>();

    KnownJob(int number) {
      this.number = number;
    }
  }

  /**
   * A role that is not played yet.
   *
   * @param name under which the controller knows this node's credentials
   */
  public AgentRole(String name, String host, NodeJobs jobs, Loop loop) {
    this.name = name;
    this.host = host;
    this.jobs = jobs;
    this.loop = loop;
    this.reportedNanos = loop.nowNanos();
    jobs.limitNewcomers(() -> newcomers);
  }

  /**
   * Plays the role on a link.
   *
   * @param lapseAfterNanos how long limits that an agent before us left hold without orders
   */
  public void playOn(ControllerLink played, long lapseAfterNanos) {
    link = played;
    lapseNanos = lapseAfterNanos;
    loop.execute(this::armLapse);
    played.start();
  }

  /** How the link is; what has lapsed are the limits of all jobs. */
  public LinkStatus status() {
    return status;
  }

  @Override
  public Hello hello(Leader obeyed) {
    known.clear();
    refused.clear();
    sequence = 0;
    saidNothing = false;
    lookEveryNanos = 0;
    guarantees = Guarantees.NONE;
    return Hello.newBuilder()
        .setMember(name)
        .setKind(MemberKind.MEMBER_KIND_AGENT)
        .setHost(host)
        .setEpoch(obeyed.epoch())
        .setLeader(obeyed.mark())
        .setRests(true)
        .setKeepsGuarantees(jobs.keepsGuarantees())
        .build();
  }

  @Override
  public void ordered(ControllerMessage message, Leader by, long nowNanos) throws RefusedException {
    if (!message.hasStage()) {
      throw RefusedException.badMessage("orders for a gateway, and this is an agent");
    }
    StageOrders orders = message.getStage();
    if (orders.getRound() <= round && sequence > 0) {
      throw RefusedException.badMessage(
          "orders of round " + orders.getRound() + " came after those of " + round);
    }
    Map<Integer, List<LimitChange>> changes = new HashMap<>();
    for (JobLimits limits : orders.getLimitsList()) {
      changes.put(limits.getNumber(), changes(limits.getRatesList()));
    }
    if (orders.hasNewcomers()) {
      newcomers = changes(orders.getNewcomers().getRatesList());
    }
    if (orders.hasPromises()) {
      guarantees = PromiseMessages.read(orders.getPromises()).guarantees();
    }
    round = orders.getRound();
    if (orders.getLapseAfterMicros() > 0) {
      lapseNanos = Math.min(orders.getLapseAfterMicros(), Long.MAX_VALUE / 1_000) * 1_000;
      lookEveryNanos = Math.clamp(orders.getLookEveryMicros(), 0, MICROS_MAX) * 1_000;
      restNanos = Math.clamp(orders.getRestMicros(), 0, MICROS_MAX) * 1_000;
    }
    orderedNanos = nowNanos;
    jobs.guarantee(guarantees);
    enforce(changes, nowNanos);
    for (JobRefusal refusal : orders.getRefusalsList()) {
      if (refusal.getNodesCount() == 0) {
        refused.remove(refusal.getNumber());
      } else {
        refused.put(refusal.getNumber(), refusal.getNodes(0).getReason());
      }
    }
    status = LinkStatus.ordered(orders.getEpoch(), nowNanos, refusedInWords());
    armLapse();
    if (report != null) {
      report.cancel();
    }
    long inNanos = Math.min(orders.getReportInMicros(), MICROS_MAX) * 1_000;
    if (saidNothing) {
      inNanos -= lookEveryNanos / LEAD_PARTS;
    }
    if (inNanos <= 0) {
      report();
    } else {
      report = loop.schedule(this::report, inNanos);
    }
  }

  private String refusedInWords() {
    if (refused.isEmpty()) {
      return "";
    }
    int more = refused.size() - REFUSED_TOLD_MAX;
    return "it does not count some of our jobs: "
        + refused.values().stream().limit(REFUSED_TOLD_MAX).collect(Collectors.joining("; "))
        + (more > 0 ? "; and " + more + " others" : "");
  }

  private static List<LimitChange> changes(List<Long> pairs) throws RefusedException {
    if (pairs.size() % 2 != 0) {
      throw RefusedException.badMessage("limits that do not come in pairs");
    }
    List<LimitChange> changes = new ArrayList<>(pairs.size() / 2);
    for (int i = 0; i < pairs.size(); i += 2) {
      LimitKey key = Scopes.key(pairs.get(i));
      if (key == null) {
        throw RefusedException.badMessage("there is no limit number " + pairs.get(i));
      }
      long rate = pairs.get(i + 1);
      if (rate < 0 || rate > Rate.TOKENS_PER_SECOND_MAX + 1) {
        throw RefusedException.badMessage(
            key + ": a limit of " + Long.toUnsignedString(rate) + " a second");
      }
      changes.add(rate == 0 ? LimitChange.none(key) : LimitChange.perSecond(key, rate - 1));
    }
    return changes;
  }

  private void enforce(Map<Integer, List<LimitChange>> changes, long nowNanos) {
    for (NodeJob job : jobs.all()) {
      KnownJob told = known.get(job.id());
      if (told == null) {
        continue;
      }
      List<LimitChange> wanted = changes.getOrDefault(told.number, List.of());
      for (LimitChange change : wanted) {
        if (change.millionths().isPresent()) {
          told.ordered.add(change.key());
        } else {
          told.ordered.remove(change.key());
        }
      }
      told.orders++;
      boolean first = told.orders <= 2;
      if (first && (!wanted.isEmpty() || told.orders == 2)) {
        // What an agent before us, or the limits for newcomers, have left.
        told.orders = 2;
        wanted = new ArrayList<>(wanted);
        for (LimitKey key : job.limited()) {
          if (!told.ordered.contains(key)) {
            wanted.add(LimitChange.none(key));
          }
        }
      }
      if (!wanted.isEmpty()) {
        job.change(wanted, nowNanos);
      }
    }
  }

  private void report() {
    ControllerLink current = link;
    if (current == null || !current.isReady()) {
      return;
    }
    long nowNanos = loop.nowNanos();
    StageReport.Builder built =
        StageReport.newBuilder()
            .setRound(round)
            .setElapsedMicros(Math.max(0, nowNanos - reportedNanos) / 1_000);
    reportedNanos = nowNanos;
    Set<JobId> here = new HashSet<>();
    for (NodeJob job : jobs.all()) {
      here.add(job.id());
      try {
        describe(job, built);
      } catch (IOException e) {
        LOG.log(System.Logger.Level.WARNING, "job {0} is not counted: {1}", job.id(), e);
      }
    }
    for (Iterator<Map.Entry<JobId, KnownJob>> all = known.entrySet().iterator(); all.hasNext(); ) {
      Map.Entry<JobId, KnownJob> entry = all.next();
      if (!here.contains(entry.getKey())) {
        built.addEnded(entry.getValue().number);
        refused.remove(entry.getValue().number);
        all.remove();
      }
    }
    boolean nothing =
        built.getIntroducedCount() == 0
            && built.getUsagesCount() == 0
            && built.getEndedCount() == 0;
    if (nothing && saidNothing && mayRest(nowNanos)) {
      report = loop.schedule(this::report, lookEveryNanos);
      current.rest(lookEveryNanos);
      restedNanos = nowNanos;
      return;
    }
    saidNothing = nothing;
    sentNanos = nowNanos;
    current.send(MemberMessage.newBuilder().setStage(built.setSequence(++sequence)).build());
  }

  /** Whether the next look comes early enough to say that we are still there. */
  private boolean mayRest(long nowNanos) {
    return lookEveryNanos > 0
        && nowNanos - sentNanos + lookEveryNanos <= restNanos + lookEveryNanos / 2;
  }

  private void describe(NodeJob job, StageReport.Builder built) throws IOException {
    Map<Operation, OperationUsage> counted = job.usage();
    int processes = job.processes();
    KnownJob told = known.get(job.id());
    boolean introduced = told == null;
    if (told == null) {
      told = new KnownJob(++lastNumber);
      // What it did before the controller heard of it happened in no round.
      told.counted = counted;
      known.put(job.id(), told);
    }
    if (introduced || processes != told.processes) {
      told.processes = processes;
      built.addIntroduced(
          JobIntroduction.newBuilder()
              .setNumber(told.number)
              .setJob(job.id().toString())
              .setUser(job.user())
              .setProcesses(processes)
              .setNodes(1));
    }
    OperationFigures lately = new OperationFigures();
    for (Map.Entry<Operation, OperationUsage> entry : counted.entrySet()) {
      OperationUsage before = told.counted.getOrDefault(entry.getKey(), OperationUsage.NOTHING);
      OperationUsage more = entry.getValue().minus(before);
      if (!more.equals(OperationUsage.NOTHING)) {
        // A job may write into its own counters what it likes, but not make us say nonsense.
        lately.add(
            Scopes.number(entry.getKey()),
            sensible(more.calls()),
            sensible(more.bytes()),
            sensible(more.waitedNanos() / 1_000));
      }
    }
    told.counted = counted;
    if (!lately.isEmpty()) {
      built.addUsages(
          JobUsage.newBuilder().setNumber(told.number).addAllFigures(lately.toFigures()));
    }
  }

  private static long sensible(long figure) {
    return Math.clamp(figure, 0, 1L << 50);
  }

  @Override
  public void parted(String reason, long nowNanos) {
    if (report != null) {
      report.cancel();
    }
    status = status.parted(reason);
  }

  private void armLapse() {
    if (lapse == null) {
      lapse = loop.schedule(this::look, lapseNanos);
    }
  }

  /**
   * One timer looks now and then, instead of one that is set anew with all orders. Limits hold as
   * long as no orders are due, because we rest on a connection that stands, and for the time that
   * they hold without orders after that.
   */
  private void look() {
    lapse = null;
    long nowNanos = loop.nowNanos();
    long dueNanos = restedNanos - orderedNanos > 0 ? restedNanos : orderedNanos;
    long leftNanos = lapseNanos - (nowNanos - dueNanos);
    if (orderedNanos != 0 && leftNanos > 0) {
      lapse = loop.schedule(this::look, leftNanos);
      return;
    }
    lapse(nowNanos);
  }

  private void lapse(long nowNanos) {
    newcomers = List.of();
    jobs.guarantee(Guarantees.NONE);
    int freed = 0;
    for (NodeJob job : jobs.all()) {
      List<LimitChange> all = new ArrayList<>();
      job.limited().forEach(key -> all.add(LimitChange.none(key)));
      if (!all.isEmpty()) {
        job.change(all, nowNanos);
        freed++;
      }
    }
    LinkStatus before = status;
    status = before.withoutOrders(before.trouble());
    LOG.log(
        System.Logger.Level.WARNING,
        "no orders for {0}: the limits of {1} jobs are taken away until there are some",
        Quantities.formatDuration(lapseNanos),
        freed);
    if (link != null && before.connected()) {
      link.hangUp("no orders came");
    }
  }
}
