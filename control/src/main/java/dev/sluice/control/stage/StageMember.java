package dev.sluice.control.stage;

import dev.sluice.access.Refusals;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
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
import dev.sluice.control.v1.NodeRoster;
import dev.sluice.control.v1.Refused;
import dev.sluice.control.v1.StageOrders;
import dev.sluice.control.v1.StageReport;
import dev.sluice.control.wire.PromiseMessages;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.lease.Leader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An agent, or an aggregator of many, that is connected to us: what it reports is checked and taken
 * in here, and what it must be told is gathered. Not thread-safe.
 */
final class StageMember implements MemberSession {
  /** A bound on what one agent makes us keep; more than a node runs. */
  private static final int AGENT_JOBS_MAX = 4_096;

  /** A bound on what one aggregator makes us keep. */
  private static final int AGGREGATOR_JOBS_MAX = 65_536;

  private static final int NAME_LENGTH_MAX = 255;
  private static final long COUNT_MAX = 10_000_000;
  private static final long ELAPSED_MICROS_MAX = 3_600_000_000L;
  private static final long NANOS_PER_MICRO = 1_000;

  /** A report is about no less than the time since the one before, divided by this. */
  private static final long TRUSTED_HASTE = 2;

  private final StageGroup group;
  private final String name;
  private final String host;
  private final boolean aggregates;

  /** For whom it may speak. */
  private final Mandate mandate;

  private final long nodesMax;

  private final MemberLine line;
  private final Map<Integer, MemberJob> jobs = new HashMap<>();
  private final List<MemberJob> untold = new ArrayList<>();

  private long sequenceHeard;
  private long sequenceSaid;
  private long roundHeard;
  private long heardNanos;
  private int agents = 1;
  private long elapsedMicros = 1;

  /** Whether what it did lately was looked at, so that the next report begins anew. */
  private boolean lookedAt = true;

  /** Whether it keeps quiet while it has nothing to say, if it is let. */
  private final boolean mayRest;

  /** Whether its last report said that nothing has happened. */
  private boolean saidNothing;

  /** Whether it has reported and was told nothing since. */
  private boolean unanswered;

  private boolean awaited;

  /** Of its jobs, those of which nothing counts. */
  private int uncounted;

  private long rosterVersion = -1;
  private NodeRoster rosterTold = NodeRoster.getDefaultInstance();
  private NewcomerLimits newcomersTold = NewcomerLimits.getDefaultInstance();
  private long lapseToldMicros;
  private long lookToldNanos;
  private Leader leaderTold = Leader.NOBODY;

  /** Whether it can serve some jobs before others, and what it was told to keep. */
  private final boolean keepsGuarantees;

  private Guarantees guaranteesTold = Guarantees.NONE;

  StageMember(StageGroup group, Hello hello, Mandate mandate, MemberLine line, long nowNanos) {
    this.group = group;
    this.name = hello.getMember();
    this.host = hello.getHost();
    this.aggregates = hello.getKind() == MemberKind.MEMBER_KIND_AGGREGATOR;
    this.mandate = mandate;
    this.nodesMax = aggregates ? mandate.nodesMax() : 1;
    this.line = line;
    this.heardNanos = nowNanos;
    this.mayRest = hello.getRests();
    this.keepsGuarantees = hello.getKeepsGuarantees();
  }

  String name() {
    return name;
  }

  String host() {
    return host;
  }

  boolean aggregates() {
    return aggregates;
  }

  boolean keepsGuarantees() {
    return keepsGuarantees;
  }

  int agents() {
    return agents;
  }

  /** Whether this is one of the nodes that it may speak for. */
  boolean speaksFor(String node) {
    return aggregates
        ? mandate.nodes().isEmpty() || mandate.nodes().contains(node)
        : node.equals(name);
  }

  Collection<MemberJob> jobs() {
    return jobs.values();
  }

  MemberLine line() {
    return line;
  }

  /** When it reported last. */
  long heardNanos() {
    return heardNanos;
  }

  /** The time that its figures are about. */
  long elapsedMicros() {
    return elapsedMicros;
  }

  boolean isAwaited() {
    return awaited;
  }

  void await(boolean now) {
    awaited = now;
  }

  /** Whether no report is to be expected of it when the others' are due. */
  boolean rests() {
    return mayRest && saidNothing;
  }

  /** Whether it has to be told something though it rests. */
  boolean isOwed(StageGroup.Orders orders) {
    return unanswered
        || !untold.isEmpty()
        || !orders.by().equals(leaderTold)
        || !orders.newcomers().equals(newcomersTold)
        || mayHaveNewRoster()
        || isOwedGuarantees(orders)
        || orders.lapseAfterNanos() / NANOS_PER_MICRO != lapseToldMicros
        || orders.lookEveryNanos() != lookToldNanos;
  }

  private boolean isOwedGuarantees(StageGroup.Orders orders) {
    return keepsGuarantees && !orders.guarantees().equals(guaranteesTold);
  }

  private boolean mayHaveNewRoster() {
    return aggregates && group.rosters().version() != rosterVersion;
  }

  /**
   * What it was told that jobs may do which nobody has heard of; {@link Rates#NONE} for no limit.
   */
  long newcomersPerSecond(RateKey key) {
    for (int i = 0; i + 1 < newcomersTold.getRatesCount(); i += 2) {
      if (newcomersTold.getRates(i) == key.number()) {
        return newcomersTold.getRates(i + 1) - 1;
      }
    }
    return Rates.NONE;
  }

  /** What it did lately is used, and may be forgotten when it reports again. */
  void lookedAt() {
    lookedAt = true;
  }

  void awaitsTelling(MemberJob job) {
    untold.add(job);
  }

  @Override
  public void received(MemberMessage message, long nowNanos) throws RefusedException {
    if (!message.hasStage()) {
      throw RefusedException.badMessage(
          "expected a report about jobs, not " + message.getContentCase());
    }
    StageReport report = message.getStage();
    checkOrder(report);
    begin(report, nowNanos);
    for (JobIntroduction introduced : report.getIntroducedList()) {
      introduce(introduced, nowNanos);
    }
    for (JobUsage usage : report.getUsagesList()) {
      use(usage);
    }
    for (int number : report.getEndedList()) {
      end(number);
    }
    if (report.getRefusedCount() > 0) {
      hear(report.getRefusedList(), nowNanos);
    }
    heardNanos = nowNanos;
    saidNothing =
        report.getIntroducedCount() == 0
            && report.getUsagesCount() == 0
            && report.getEndedCount() == 0;
    unanswered = true;
    if (report.getEpochBehind() != 0 && aggregates) {
      group.heardBehind(
          this, new Leader(report.getEpochBehind(), report.getLeaderBehind()), nowNanos);
    }
    group.reported(this, report.getRound(), nowNanos);
  }

  /** Whom an aggregator has not let in. */
  private void hear(List<Refused> all, long nowNanos) throws RefusedException {
    if (!aggregates || all.size() > Refusals.NEWS_MAX) {
      throw RefusedException.badMessage(
          all.size() + " refusals; expected at most " + Refusals.NEWS_MAX + " of an aggregator");
    }
    for (Refused one : all) {
      Refusals.Kind kind = Refusals.Kind.named(one.getKind());
      if (kind == null || one.getTimes() < 1 || one.getTimes() > COUNT_MAX) {
        throw RefusedException.badMessage(
            "a refusal of the kind \"" + one.getKind() + "\", " + one.getTimes() + " times");
      }
      group.heard(kind, one.getWho(), "behind " + name, one.getWhy(), one.getTimes(), nowNanos);
    }
  }

  private void checkOrder(StageReport report) throws RefusedException {
    if (report.getSequence() != sequenceHeard + 1) {
      throw RefusedException.badMessage(
          "report "
              + Long.toUnsignedString(report.getSequence())
              + " came after report "
              + sequenceHeard
              + "; expected "
              + (sequenceHeard + 1)
              + (report.getSequence() <= sequenceHeard ? ": it was there before" : ""));
    }
    if (report.getRound() <= roundHeard || report.getRound() > group.round()) {
      throw RefusedException.badMessage(
          "a report of round "
              + Long.toUnsignedString(report.getRound())
              + "; expected one after "
              + roundHeard
              + " and not after "
              + group.round());
    }
    if (report.getElapsedMicros() < 0 || report.getElapsedMicros() > ELAPSED_MICROS_MAX) {
      throw RefusedException.badMessage(
          "a report about "
              + Long.toUnsignedString(report.getElapsedMicros())
              + " us; expected at most an hour");
    }
    if (report.getAgents() < 0 || report.getAgents() > nodesMax) {
      throw new RefusedException(
          RefusedException.Kind.NOT_ITS_OWN,
          Integer.toUnsignedString(report.getAgents())
              + " agents; "
              + name
              + " speaks for "
              + nodesMax);
    }
    sequenceHeard++;
    roundHeard = report.getRound();
  }

  /** Reports that nobody has looked at yet belong together with this one: it was late. */
  private void begin(StageReport report, long nowNanos) {
    if (lookedAt) {
      lookedAt = false;
      elapsedMicros = 0;
      jobs.values().forEach(job -> job.lately().clear());
    }
    // A report may be on its way for long, but who says that all was done in no time is not
    // believed.
    long sinceNanos = nowNanos - heardNanos;
    if (rests()) {
      // It looked since, and would have said so had there been something.
      sinceNanos = Math.min(sinceNanos, group.lookEveryNanos());
    }
    long since = sinceNanos / NANOS_PER_MICRO / TRUSTED_HASTE;
    elapsedMicros = Math.max(1, elapsedMicros + Math.max(report.getElapsedMicros(), since));
    int said = aggregates ? report.getAgents() : 1;
    if (said != agents) {
      group.agentsChanged(said - agents);
      agents = said;
    }
  }

  private void introduce(JobIntroduction introduced, long nowNanos) throws RefusedException {
    JobId id;
    try {
      id = JobId.of(introduced.getJob());
    } catch (IllegalArgumentException e) {
      throw RefusedException.badMessage("a job: " + e.getMessage());
    }
    MemberJob.Claim claim = claim(id, introduced);
    MemberJob known = jobs.get(introduced.getNumber());
    if (known != null) {
      if (!known.job().id().equals(id)) {
        throw RefusedException.badMessage(
            "number " + known.number() + " is job " + known.job().id() + ", not " + id);
      }
      known.claim(claim);
      judge(known, nowNanos);
      known.job().resized();
      return;
    }
    int jobsMax = aggregates ? AGGREGATOR_JOBS_MAX : AGENT_JOBS_MAX;
    if (jobs.size() >= jobsMax) {
      throw new RefusedException(
          RefusedException.Kind.TOO_MANY, "more than " + jobsMax + " jobs of one member");
    }
    StageJob job = group.job(id, introduced.getUser());
    if (job.isOf(this)) {
      throw RefusedException.badMessage("job " + id + " has two numbers");
    }
    MemberJob place = new MemberJob(this, job, introduced.getNumber(), claim);
    jobs.put(place.number(), place);
    uncounted++;
    job.addUncounted(place);
    judge(place, nowNanos);
  }

  private MemberJob.Claim claim(JobId id, JobIntroduction introduced) throws RefusedException {
    long processes = count("processes", introduced.getProcesses());
    String user = checkedUser(id, introduced.getUser());
    long nodes = Math.max(1, Integer.toUnsignedLong(introduced.getNodes()));
    if (!aggregates) {
      return new MemberJob.Claim(user, processes, nodes, List.of(new MemberJob.Place(name, user)));
    }
    Map<String, MemberJob.Place> places =
        LinkedHashMap.newLinkedHashMap(introduced.getPlacesCount());
    for (NodePlace place : introduced.getPlacesList()) {
      String its = place.getUser().isEmpty() ? user : checkedUser(id, place.getUser());
      if (place.getNode().isEmpty()
          || place.getNode().length() > NAME_LENGTH_MAX
          || places.put(place.getNode(), new MemberJob.Place(place.getNode(), its)) != null) {
        throw RefusedException.badMessage("job " + id + " on a node without a name of its own");
      }
    }
    return new MemberJob.Claim(user, processes, nodes, List.copyOf(places.values()));
  }

  private static String checkedUser(JobId id, String user) throws RefusedException {
    if (user.length() > NAME_LENGTH_MAX) {
      throw RefusedException.badMessage(
          "job " + id + ": its user has " + user.length() + " characters");
    }
    return user;
  }

  /** Looks again at all that it says of its jobs. */
  void judgeAll(long nowNanos) {
    jobs.values().forEach(place -> judge(place, nowNanos));
  }

  private void judge(MemberJob place, long nowNanos) {
    Map<String, String> before = place.refused();
    boolean counted = place.isCounted();
    boolean changed = place.judge(group.check(), whole(place));
    if (counted != place.isCounted()) {
      uncounted += counted ? 1 : -1;
    }
    if (changed) {
      group.judged(place, counted);
    }
    place
        .refused()
        .forEach((node, reason) -> {
          if (!reason.equals(before.get(node))) {
            group.refused(node, aggregates ? "behind " + name : "", reason, nowNanos);
          }
        });
  }

  /** Why nothing of what is said of a job can be so; null where something may. */
  private @Nullable String whole(MemberJob place) {
    String said = "job " + place.job().id() + " on " + place.claimedNodes() + " nodes; " + name;
    if (place.claimedNodes() > nodesMax) {
      return said + " speaks for " + nodesMax;
    }
    boolean bound = group.check().looks() || !mandate.nodes().isEmpty();
    return bound && place.places().isEmpty() ? said + " does not say on which" : null;
  }

  private static long count(String what, int value) throws RefusedException {
    if (value < 0 || value > COUNT_MAX) {
      throw RefusedException.badMessage(
          Integer.toUnsignedString(value) + " " + what + "; expected at most " + COUNT_MAX);
    }
    return value;
  }

  private void use(JobUsage usage) throws RefusedException {
    MemberJob place = jobs.get(usage.getNumber());
    if (place == null) {
      throw RefusedException.badMessage(
          "usage of job number "
              + Integer.toUnsignedString(usage.getNumber())
              + ", which was not introduced");
    }
    place.lately().addFrom(usage.getFiguresList());
    if (place.isCounted()) {
      place.job().done().addFrom(usage.getFiguresList());
    }
  }

  private void end(int number) throws RefusedException {
    MemberJob place = jobs.remove(number);
    if (place == null) {
      throw RefusedException.badMessage(
          "the end of job number "
              + Integer.toUnsignedString(number)
              + ", which was not introduced");
    }
    untold.remove(place);
    uncounted -= place.isCounted() ? 0 : 1;
    group.left(place);
  }

  @Override
  public void ended(long nowNanos) {
    group.left(this, nowNanos);
  }

  /** Tells it all that it has not been told; does nothing while it does not listen. */
  void tell(StageOrders.Builder common, StageGroup.Orders toAll) {
    if (!line.isReady()) {
      return;
    }
    unanswered = false;
    StageOrders.Builder orders = common.clone().setSequence(++sequenceSaid);
    if (!toAll.by().equals(leaderTold)) {
      orders.setLeader(toAll.by().mark());
      leaderTold = toAll.by();
    }
    long lapseMicros = toAll.lapseAfterNanos() / NANOS_PER_MICRO;
    if (lapseMicros != lapseToldMicros || toAll.lookEveryNanos() != lookToldNanos) {
      orders
          .setLapseAfterMicros(lapseMicros)
          .setLookEveryMicros(toAll.lookEveryNanos() / NANOS_PER_MICRO)
          .setRestMicros(toAll.restNanos() / NANOS_PER_MICRO);
      lapseToldMicros = lapseMicros;
      lookToldNanos = toAll.lookEveryNanos();
    }
    if (!toAll.newcomers().equals(newcomersTold)) {
      orders.setNewcomers(toAll.newcomers());
    }
    newcomersTold = toAll.newcomers();
    if (isOwedGuarantees(toAll)) {
      guaranteesTold = toAll.guarantees();
      orders.setPromises(PromiseMessages.write(new Promises(guaranteesTold, Goals.NONE)));
    }
    if (mayHaveNewRoster()) {
      rosterVersion = group.rosters().version();
      NodeRoster roster = group.rosters().roster(name);
      if (roster != null && !roster.equals(rosterTold)) {
        orders.setRoster(roster);
        rosterTold = roster;
      }
    }
    if (uncounted > 0) {
      holdToNewcomers();
    }
    for (MemberJob job : untold) {
      if (job.takeRefusedUntold()) {
        orders.addRefusals(refusal(job));
      }
      List<Long> pairs = new ArrayList<>();
      job.toBeTold().tell(pairs);
      if (!pairs.isEmpty()) {
        orders.addLimits(JobLimits.newBuilder().setNumber(job.number()).addAllRates(pairs));
      }
    }
    untold.clear();
    line.send(ControllerMessage.newBuilder().setStage(orders).build());
  }

  /** What is not counted may do what a job may of which nobody has heard yet. */
  private void holdToNewcomers() {
    List<RateKey> keys = new ArrayList<>();
    for (MemberJob place : jobs.values()) {
      if (place.isCounted()) {
        continue;
      }
      keys.clear();
      for (int i = 0; i + 1 < newcomersTold.getRatesCount(); i += 2) {
        RateKey key = RateKey.numbered(newcomersTold.getRates(i));
        if (key != null) {
          place.want(key, newcomersTold.getRates(i + 1) - 1);
          keys.add(key);
        }
      }
      place.wantOnly(RateKey.bits(keys));
    }
  }

  private static JobRefusal refusal(MemberJob job) {
    JobRefusal.Builder refusal = JobRefusal.newBuilder().setNumber(job.number());
    job.refused()
        .forEach((node, reason) ->
            refusal.addNodes(NodeRefusal.newBuilder().setNode(node).setReason(reason)));
    return refusal.build();
  }
}
