package dev.sluice.control.stage;

import dev.sluice.access.Refusals;
import dev.sluice.control.access.Rosters;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.NewcomerLimits;
import dev.sluice.control.v1.StageOrders;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.lease.Leader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The agents and aggregators that are connected to us, the jobs that they have, and the rounds in
 * which they report. A controller and an aggregator each have one; they differ in who says how much
 * a job may do.
 *
 * <p>A round is complete when all who were there at its beginning have reported or are gone. A
 * report that comes too late belongs to the next round. Not thread-safe; the caller brings the
 * time.
 */
public final class StageGroup {
  /** For how many times as long as limits hold a member that has nothing to say may be quiet. */
  private static final long REST_LAPSES = 2;

  /** However long limits hold, whoever is gone shall be missed. */
  private static final long REST_NANOS_MAX = 10_000_000_000L;

  private final int membersMax;
  private final Runnable whenComplete;
  private final HeardBehind whenHeardBehind;
  private final Map<String, StageMember> members = new LinkedHashMap<>();
  private final Map<JobId, StageJob> jobs = new TreeMap<>();

  /** Jobs that members say they have, and nobody believes them. */
  private final Map<JobId, StageJob> uncounted = new TreeMap<>();

  private final Refusals refusals;
  private final Rosters rosters;
  private JobCheck check = JobCheck.NONE;
  private long checkVersion;

  private long round = 1;
  private int awaited;
  private int agents;
  private @Nullable Orders standing;

  /**
   * What all members are told alike.
   *
   * @param by which leader speaks
   * @param reportInNanos when the next report is due
   * @param lookEveryNanos how often a member that rests looks whether it has something to report; 0
   *     where nobody may rest
   * @param newcomers what jobs may do that nobody has heard of yet
   * @param guarantees what members are to keep that can
   */
  public record Orders(
      Leader by,
      long reportInNanos,
      long lapseAfterNanos,
      long lookEveryNanos,
      NewcomerLimits newcomers,
      Guarantees guarantees) {
    /** Nothing is guaranteed to anybody. */
    public Orders(
        Leader by,
        long reportInNanos,
        long lapseAfterNanos,
        long lookEveryNanos,
        NewcomerLimits newcomers) {
      this(by, reportInNanos, lapseAfterNanos, lookEveryNanos, newcomers, Guarantees.NONE);
    }

    /** For how long a member may say nothing that has nothing to say. */
    long restNanos() {
      return lookEveryNanos == 0 ? 0 : Math.min(REST_LAPSES * lapseAfterNanos, REST_NANOS_MAX);
    }

    /** After how long without a word a member is as good as gone. */
    private long patienceNanos(boolean rests) {
      return lapseAfterNanos + (rests ? restNanos() : 0);
    }

    private Orders atOnce() {
      return new Orders(by, 0, lapseAfterNanos, lookEveryNanos, newcomers, guarantees);
    }
  }

  /** Told of a leader that somebody behind a member has obeyed, and we are not. */
  @FunctionalInterface
  public interface HeardBehind {
    void obeyed(String member, Leader leader, long nowNanos);
  }

  /** How a member is, for people. */
  public record MemberState(
      String name,
      String host,
      boolean aggregates,
      boolean keepsGuarantees,
      int agents,
      int jobs,
      long heardNanos) {}

  /**
   * Nobody is there.
   *
   * @param membersMax how many may be
   * @param whenComplete told when the last of those who were awaited has reported
   */
  public StageGroup(int membersMax, Runnable whenComplete) {
    this(membersMax, whenComplete, (_, _, _) -> {}, new Refusals(), Rosters.NONE);
  }

  /**
   * Nobody is there.
   *
   * @param membersMax how many may be
   * @param whenComplete told when the last of those who were awaited has reported
   * @param whenHeardBehind told whom nodes behind aggregators have obeyed
   * @param refusals where it is noted down which jobs are not counted
   * @param rosters which nodes may call the aggregators among the members
   */
  public StageGroup(
      int membersMax,
      Runnable whenComplete,
      HeardBehind whenHeardBehind,
      Refusals refusals,
      Rosters rosters) {
    this.membersMax = membersMax;
    this.whenComplete = whenComplete;
    this.whenHeardBehind = whenHeardBehind;
    this.refusals = refusals;
    this.rosters = rosters;
  }

  /** Has somebody say, from now on, whether jobs can be where members say that they are. */
  public void check(JobCheck wanted, long nowNanos) {
    check = wanted;
    checkVersion = wanted.version();
    members.values().forEach(member -> member.judgeAll(nowNanos));
  }

  /** Looks again at all that members say, where something else may come of it than before. */
  public void lookAgain(long nowNanos) {
    if (check.version() != checkVersion) {
      check(check, nowNanos);
    }
  }

  JobCheck check() {
    return check;
  }

  Rosters rosters() {
    return rosters;
  }

  void heard(Refusals.Kind kind, String who, String where, String why, long times, long nowNanos) {
    refusals.refused(kind, who + " " + where, "", why, times, nowNanos);
  }

  void refused(String node, String where, String reason, long nowNanos) {
    refusals.refused(Refusals.Kind.JOB, node, where, reason, nowNanos);
  }

  /** The round that reports are about now. */
  public long round() {
    return round;
  }

  /** Whether nobody is awaited any more. */
  public boolean isComplete() {
    return awaited == 0;
  }

  /** The agents behind all members. */
  public int agents() {
    return agents;
  }

  public int members() {
    return members.size();
  }

  /** The jobs that are there, in ascending order of id. */
  public Collection<StageJob> jobs() {
    return jobs.values();
  }

  /** The jobs that members say they have, and nobody believes them. */
  public Collection<StageJob> uncounted() {
    return uncounted.values();
  }

  /** A job that members say they have, believed or not. */
  public @Nullable StageJob find(JobId job) {
    StageJob counted = jobs.get(job);
    return counted == null ? uncounted.get(job) : counted;
  }

  /**
   * Lets a member in, in the place of one with its name; the last orders are told to it at once.
   *
   * @param mandate for whom it may speak
   */
  public MemberSession join(Hello hello, Mandate mandate, MemberLine line, long nowNanos)
      throws RefusedException {
    StageMember before = members.get(hello.getMember());
    if (before != null) {
      before
          .line()
          .refuse(
              new RefusedException(
                  RefusedException.Kind.NOT_NOW,
                  hello.getMember() + " has called again, and this call is over"));
      left(before, nowNanos);
    } else if (members.size() >= membersMax) {
      throw new RefusedException(
          RefusedException.Kind.TOO_MANY, "more than " + membersMax + " members");
    }
    StageMember member = new StageMember(this, hello, mandate, line, nowNanos);
    members.put(member.name(), member);
    agents += member.agents();
    if (standing != null) {
      // Limits come with its first report; until then its jobs are newcomers.
      member.tell(common(standing.atOnce()), standing);
    }
    return member;
  }

  StageJob job(JobId id, String user) {
    StageJob known = find(id);
    if (known == null) {
      known = new StageJob(id, user);
      uncounted.put(id, known);
    }
    return known;
  }

  void judged(MemberJob place, boolean counted) {
    place.job().judged(place, counted);
    settle(place.job());
  }

  /** A job counts where some of it does, and is gone where nobody has it. */
  private void settle(StageJob job) {
    boolean counts = !job.places().isEmpty();
    boolean there = counts || !job.uncounted().isEmpty();
    if (counts) {
      jobs.put(job.id(), job);
    } else {
      jobs.remove(job.id());
    }
    if (there && !counts) {
      uncounted.put(job.id(), job);
    } else {
      uncounted.remove(job.id());
    }
  }

  /** How often members that rest look; 0 where nobody may rest. */
  long lookEveryNanos() {
    return standing == null ? 0 : standing.lookEveryNanos;
  }

  void heardBehind(StageMember member, Leader leader, long nowNanos) {
    whenHeardBehind.obeyed(member.name(), leader, nowNanos);
  }

  void agentsChanged(int more) {
    agents += more;
  }

  void reported(StageMember member, long ofRound, long nowNanos) {
    if (ofRound == round && member.isAwaited()) {
      answered(member);
    }
  }

  private void answered(StageMember member) {
    member.await(false);
    awaited--;
    if (awaited == 0) {
      whenComplete.run();
    }
  }

  void left(MemberJob place) {
    place.job().remove(place);
    settle(place.job());
  }

  void left(StageMember member, long nowNanos) {
    if (!members.remove(member.name(), member)) {
      return;
    }
    agents -= member.agents();
    member.jobs().forEach(this::left);
    if (member.isAwaited()) {
      answered(member);
    }
  }

  /**
   * Ends the round: all are told what has changed for them, and the next round begins. Who has
   * nothing to say may rest: it is not awaited, and is told nothing while there is nothing to tell
   * it and it has not asked.
   *
   * @param orders what all are told
   * @param nowNanos who was not heard of for as long as limits hold without orders is sent away;
   *     who rests, that much after his rest
   */
  public void tellAll(Orders orders, long nowNanos) {
    standing = orders;
    round++;
    awaited = 0;
    StageOrders.Builder common = common(orders);
    List<StageMember> silent = new ArrayList<>();
    for (StageMember member : members.values()) {
      member.lookedAt();
      boolean rests = member.rests() && orders.lookEveryNanos > 0;
      if (nowNanos - member.heardNanos() > orders.patienceNanos(rests)) {
        silent.add(member);
        continue;
      }
      member.await(!rests);
      awaited += rests ? 0 : 1;
      if (!rests || member.isOwed(orders)) {
        member.tell(common, orders);
      }
    }
    silent.forEach(member -> sendAway(member, nowNanos));
  }

  private void sendAway(StageMember member, long nowNanos) {
    member
        .line()
        .refuse(
            new RefusedException(
                RefusedException.Kind.NOT_NOW, "nothing was heard of " + member.name()));
    left(member, nowNanos);
  }

  /** Sends everybody away, as when we may not give orders any more. */
  public void dismissAll(String reason, long nowNanos) {
    standing = null;
    for (StageMember member : List.copyOf(members.values())) {
      member.line().refuse(new RefusedException(RefusedException.Kind.NOT_NOW, reason));
      left(member, nowNanos);
    }
  }

  private StageOrders.Builder common(Orders orders) {
    return StageOrders.newBuilder()
        .setEpoch(orders.by.epoch())
        .setRound(round)
        .setReportInMicros(Math.max(0, orders.reportInNanos) / 1_000);
  }

  /** How each member is. */
  public List<MemberState> states() {
    List<MemberState> states = new ArrayList<>();
    for (StageMember member : members.values()) {
      states.add(
          new MemberState(
              member.name(),
              member.host(),
              member.aggregates(),
              member.keepsGuarantees(),
              member.agents(),
              member.jobs().size(),
              member.heardNanos()));
    }
    return states;
  }

  /** Checks the books against each other. */
  public void checkInvariants() {
    int awaitedMembers = 0;
    int agentsBehind = 0;
    int places = 0;
    for (StageMember member : members.values()) {
      awaitedMembers += member.isAwaited() ? 1 : 0;
      agentsBehind += member.agents();
      places += member.jobs().size();
    }
    int placesOfJobs = 0;
    for (StageJob job : jobs.values()) {
      if (job.places().isEmpty()) {
        throw new IllegalStateException("job " + job.id() + " is nowhere");
      }
      placesOfJobs += job.places().size() + job.uncounted().size();
    }
    for (StageJob job : uncounted.values()) {
      if (!job.places().isEmpty() || job.uncounted().isEmpty()) {
        throw new IllegalStateException("job " + job.id() + " is where it does not belong");
      }
      placesOfJobs += job.uncounted().size();
    }
    if (awaitedMembers != awaited || agentsBehind != agents || places != placesOfJobs) {
      throw new IllegalStateException(
          awaited
              + " awaited and "
              + awaitedMembers
              + " counted, "
              + agents
              + " agents and "
              + agentsBehind
              + " counted, "
              + placesOfJobs
              + " places of jobs and "
              + places
              + " of members");
    }
  }
}
