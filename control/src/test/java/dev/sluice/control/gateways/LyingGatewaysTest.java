package dev.sluice.control.gateways;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.access.Refusals;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.stage.JobCheck;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobActivity;
import dev.sluice.control.v1.JobDemand;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.Rhythm;
import dev.sluice.control.v1.Target;
import dev.sluice.control.v1.TargetActivity;
import dev.sluice.control.v1.TargetDemand;
import dev.sluice.control.v1.TargetShares;
import dev.sluice.control.v1.TargetsOrders;
import dev.sluice.control.v1.TargetsReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.TargetNames;
import dev.sluice.store.lease.Leader;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a gateway with a valid key can do to jobs on other gateways by lying in every field, keeping
 * silent and calling again: no more than an honest one with the same targets and jobs. In virtual
 * time.
 */
class LyingGatewaysTest {
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final long CAPACITY = 1_000_000;
  private static final int PERIODS = 200;

  /** All but the first: what holds before anything was decided is no policy's doing. */
  private static final int WATCHED = PERIODS - 4;

  /** What a job would have waiting that cannot have enough. */
  private static final long BACKLOG = 100 * CAPACITY;

  /** When jobs do no I/O: each for some of so many periods, one after the other. */
  private record Pauses(int every, int lasting) {
    static final Pauses NONE = new Pauses(1, 0);

    boolean isBusy(String job, int period) {
      return Math.floorMod(period + 2 * job.hashCode(), every) >= lasting;
    }
  }

  /** A gateway with some targets and the same jobs on all of them, as it really is. */
  private static class Gate implements MemberLine {
    final String name;
    final List<String> disks;
    final List<String> jobs;
    final Pauses pauses;
    final Map<String, Double> had = new LinkedHashMap<>();
    final Map<Integer, Shares> shares = new LinkedHashMap<>();
    TargetsOrders orders = TargetsOrders.getDefaultInstance();
    boolean ordered;
    boolean hungUp;
    long sequence;
    long nowNanos;

    Gate(String name, List<String> disks, List<String> jobs, Pauses pauses) {
      this.name = name;
      this.disks = disks;
      this.jobs = jobs;
      this.pauses = pauses;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void send(ControllerMessage message) {
      orders = message.getTargets();
      ordered = true;
      for (TargetShares told : orders.getTargetsList()) {
        try {
          shares.put(told.getTarget(), TargetMessages.read(told));
        } catch (RefusedException e) {
          throw new AssertionError(e);
        }
      }
    }

    @Override
    public void refuse(RefusedException why) {
      hungUp = true;
    }

    Hello hello(int period) {
      sequence = 0;
      Hello.Builder hello =
          Hello.newBuilder()
              .setMember(name)
              .setHost("test")
              .setKind(MemberKind.MEMBER_KIND_GATEWAY);
      for (String disk : disks) {
        hello.addTargets(
            Target.newBuilder().setName(disk).setCapacityPerSecond(CAPACITY).setBytes(true));
      }
      return hello.build();
    }

    Mandate mandate() {
      return Mandate.gatewayWith(
          TargetNames.parse(
              String.join(",", disks.stream().map(disk -> disk + "=" + CAPACITY).toList())));
    }

    /** Whether it calls now. */
    boolean isToCall(boolean isConnected, int period) {
      return !isConnected;
    }

    /** Whether it reports now. */
    boolean reports(int period) {
      return true;
    }

    TargetsReport report(int period) {
      TargetsReport.Builder report =
          TargetsReport.newBuilder().setSequence(++sequence).setRound(orders.getRound());
      for (int i = 0; i < disks.size(); i++) {
        TargetDemand.Builder target =
            TargetDemand.newBuilder().setTarget(i).setCapacityPerSecond(CAPACITY);
        for (String job : jobs) {
          target.addJobs(demand(i, job, period));
        }
        report.addTargets(target);
      }
      return report.build();
    }

    JobDemand.Builder demand(int disk, String job, int period) {
      return pauses.isBusy(job, period)
          ? told(job, CAPACITY, BACKLOG, (long) Math.min(CAPACITY, perSecond(disk, job)))
          : told(job, 0, 0, 0);
    }

    JobDemand.Builder told(String job, long arrived, long backlog, long served) {
      return JobDemand.newBuilder()
          .setJob(job)
          .setNodes(1)
          .setWeight(1)
          .setProcesses(1)
          .setArrivedTokens(arrived)
          .setBacklogTokens(backlog)
          .setServedTokens(served)
          .setOldestWaitNanos(PERIOD_NANOS)
          .setLatencyNanos(PERIOD_NANOS + 1);
    }

    /** Whether it hangs up now, instead of a report. */
    boolean hangsUp(int period) {
      return false;
    }

    /** It is let in. */
    void cameIn(Hello as, int period) {}

    /** What it said was refused, and its call is over. */
    void wasSentAway(int period) {}

    /** Its report was taken. */
    void wasHeard(TargetsReport report, int period) {}

    /** What a job may have on a disk; what the disk can serve where it is not limited. */
    double perSecond(int disk, String job) {
      Shares told = shares.getOrDefault(disk, Shares.NONE);
      int at = told.indexOf(JobId.of(job));
      return at < 0 || !told.isLimited(at) ? CAPACITY : told.tokensPerSecond(at);
    }
  }

  /** How a liar goes about one of the things that it says. */
  private enum Habit {
    NOTHING,
    A_LITTLE,
    ALL,
    ANYTHING;

    static Habit any(RandomGenerator random) {
      return values()[random.nextInt(values().length)];
    }

    long lie(long most, RandomGenerator random) {
      return switch (this) {
        case NOTHING -> 0;
        case A_LITTLE -> 1;
        case ALL -> most;
        case ANYTHING ->
            random.nextBoolean() ? random.nextLong(most + 1) : any(random).lie(most, random);
      };
    }
  }

  /** It has a valid key, and nothing that it says is so. */
  private static final class Liar extends Gate {
    private final RandomGenerator random;
    private final boolean reckless;
    private final boolean silent;
    private final Map<String, Habit> wants = new LinkedHashMap<>();
    private final Habit serves;
    private int shown;

    /** In which periods it was let in, with how many of its disks. */
    final Map<Integer, Integer> cameIn = new LinkedHashMap<>();

    /** What it was heard to say, by period. */
    final Map<Integer, TargetsReport> heard = new LinkedHashMap<>();

    /** When it was sent away. */
    final Set<Integer> ended = new HashSet<>();

    Liar(String name, List<String> disks, List<String> jobs, RandomGenerator random) {
      super(name, disks, jobs, Pauses.NONE);
      this.random = random;
      this.reckless = random.nextBoolean();
      this.silent = random.nextInt(4) == 0;
      this.serves = Habit.any(random);
      for (int disk = 0; disk < disks.size(); disk++) {
        for (String job : jobs) {
          wants.put(disk + job, Habit.any(random));
        }
      }
    }

    private long lie(long most) {
      return Habit.ANYTHING.lie(most, random);
    }

    private boolean isReckless() {
      return reckless && random.nextInt(30) == 0;
    }

    @Override
    boolean isToCall(boolean isConnected, int period) {
      return !isConnected || isReckless();
    }

    @Override
    Hello hello(int period) {
      Hello.Builder hello = super.hello(period).toBuilder();
      hello.getTargetsBuilderList().forEach(disk -> disk.setCapacityPerSecond(1 + lie(1L << 40)));
      while (hello.getTargetsCount() > 1 && random.nextInt(3) == 0) {
        hello.removeTargets(hello.getTargetsCount() - 1);
      }
      return hello.build();
    }

    @Override
    void cameIn(Hello as, int period) {
      shown = as.getTargetsCount();
      cameIn.put(period, shown);
    }

    @Override
    void wasHeard(TargetsReport report, int period) {
      heard.put(period, report);
    }

    @Override
    void wasSentAway(int period) {
      ended.add(period);
    }

    @Override
    boolean reports(int period) {
      return !silent || random.nextInt(4) == 0;
    }

    @Override
    TargetsReport report(int period) {
      TargetsReport.Builder report =
          TargetsReport.newBuilder()
              .setSequence(++sequence + (isReckless() ? 1 : 0))
              .setRound(orders.getRound() + (isReckless() ? lie(7) : 0));
      for (int i = 0; i < shown - (isReckless() ? 1 : 0); i++) {
        TargetDemand.Builder target =
            TargetDemand.newBuilder()
                .setTarget(isReckless() ? random.nextInt() : i)
                .setCapacityPerSecond(lie(1L << 40));
        // A job that is claimed is one of its jobs; what waits may be anything, nothing too.
        for (String job : jobs) {
          target.addJobs(demand(i, job, period));
          if (isReckless()) {
            target.addJobs(demand(i, job, period));
          }
        }
        target.setActivity(
            TargetActivity.newBuilder()
                .setSpanMicros(lie(1L << 40))
                .setQueued(random.nextInt())
                .addJobs(
                    JobActivity.newBuilder()
                        .setJob("job1")
                        .setUser("nobody")
                        .setReadBytes(lie(1L << 61))));
        if (random.nextInt(10) != 0) {
          target.clearActivity();
        }
        report.addTargets(target);
      }
      return report.build();
    }

    @Override
    JobDemand.Builder demand(int disk, String job, int period) {
      Habit wanted = wants.getOrDefault(disk + job, Habit.ANYTHING);
      JobDemand.Builder told =
          JobDemand.newBuilder()
              .setJob(job)
              .setNodes(1 + lie(isReckless() ? -2 >>> 1 : 9_999_999))
              .setWeight(1 + lie(999_999))
              .setProcesses(1 + lie(9_999_999))
              .setArrivedTokens(wanted.lie(1L << 49, random))
              .setBacklogTokens(wanted.lie(1L << 49, random))
              .setReservedPerSecond(lie(1L << 40))
              .setServedTokens(serves.lie(1L << 50, random))
              .setOldestWaitNanos(lie(1L << 60))
              .setLatencyNanos(lie(1L << 60))
              .setPhaseTokens(lie(1L << 50))
              .setPhaseRestTokens(lie(1L << 50))
              .setApplication(random.nextBoolean() ? "" : "job" + random.nextInt(5));
      switch (random.nextInt(4)) {
        case 0 -> told.setEvery(Rhythm.newBuilder().setNanos(1 + lie(1L << 50)).setConfidence(1));
        case 1 -> told.setAtLeastNanos(1 + lie(1L << 50));
        case 2 -> told.setPriority(1.0 + random.nextInt(1_000));
        default -> {}
      }
      return told;
    }
  }

  /**
   * An honest gateway for which what a liar was heard to say would be so, as far as anything can
   * be: it is there and away when the liar was, its jobs want what the liar said, and no more than
   * all they can have, and are served what the liar said, and no more than a disk can.
   */
  private static final class Truth extends Gate {
    private final Liar liar;
    private long heardNanos;

    Truth(Liar liar) {
      super(liar.name, liar.disks, liar.jobs, Pauses.NONE);
      this.liar = liar;
    }

    @Override
    boolean isToCall(boolean isConnected, int period) {
      return liar.cameIn.containsKey(period);
    }

    @Override
    Hello hello(int period) {
      Hello.Builder hello = super.hello(period).toBuilder();
      while (hello.getTargetsCount() > liar.cameIn.getOrDefault(period, 0)) {
        hello.removeTargets(hello.getTargetsCount() - 1);
      }
      return hello.build();
    }

    @Override
    void cameIn(Hello as, int period) {
      heardNanos = nowNanos;
    }

    @Override
    boolean reports(int period) {
      return liar.heard.containsKey(period);
    }

    @Override
    boolean hangsUp(int period) {
      return liar.ended.contains(period);
    }

    @Override
    TargetsReport report(int period) {
      TargetsReport said = Objects.requireNonNull(liar.heard.get(period));
      double servable = CAPACITY * ((nowNanos - heardNanos) / 1e9);
      heardNanos = nowNanos;
      TargetsReport.Builder report =
          TargetsReport.newBuilder().setSequence(++sequence).setRound(said.getRound());
      for (TargetDemand target : said.getTargetsList()) {
        TargetDemand.Builder told =
            TargetDemand.newBuilder().setTarget(target.getTarget()).setCapacityPerSecond(CAPACITY);
        double served = target.getJobsList().stream().mapToDouble(JobDemand::getServedTokens).sum();
        double servedPart = Math.min(1, servable / served);
        for (JobDemand job : target.getJobsList()) {
          told.addJobs(
              told(
                  job.getJob(),
                  Math.min(job.getArrivedTokens(), CAPACITY),
                  Math.min(job.getBacklogTokens(), BACKLOG),
                  served == 0 ? 0 : (long) (job.getServedTokens() * servedPart)));
        }
        report.addTargets(told);
      }
      return report.build();
    }
  }

  /** What every job had on the others' targets, in the last periods together. */
  private static Map<String, Double> play(
      PolicyChoice policy, JobCheck check, List<Gate> others, Gate suspect) {
    VirtualLoop loop = new VirtualLoop();
    TargetPlane plane =
        new TargetPlane(
            policy,
            PolicyControls.FORGETFUL,
            Runnable::run,
            loop,
            () -> new Leader(1, 1),
            new Refusals(),
            0);
    plane.check(check);
    List<Gate> all = new ArrayList<>(others);
    if (!suspect.disks.isEmpty()) {
      all.add(suspect);
    }
    Map<Gate, MemberSession> sessions = new LinkedHashMap<>();
    for (int period = 0; period < PERIODS; period++) {
      for (Gate gate : all) {
        if (gate.isToCall(sessions.get(gate) != null && !gate.hungUp, period)) {
          join(plane, gate, sessions, period, loop.nowNanos());
        }
      }
      loop.runUntil((period + 1) * PERIOD_NANOS + PERIOD_NANOS / 100);
      for (Gate gate : all) {
        tell(gate, sessions, period, loop.nowNanos());
        loop.runUntil(loop.nowNanos());
      }
      if (period >= PERIODS - WATCHED) {
        for (Gate gate : others) {
          for (int disk = 0; disk < gate.disks.size(); disk++) {
            for (String job : gate.jobs) {
              if (gate.pauses.isBusy(job, period)) {
                gate.had.merge(
                    gate.name + " " + gate.disks.get(disk) + " " + job,
                    gate.perSecond(disk, job),
                    Double::sum);
              }
            }
          }
        }
      }
    }
    Map<String, Double> had = new LinkedHashMap<>();
    others.forEach(gate -> had.putAll(gate.had));
    return had;
  }

  private static void join(
      TargetPlane plane, Gate gate, Map<Gate, MemberSession> sessions, int period, long nowNanos) {
    gate.nowNanos = nowNanos;
    Hello hello = gate.hello(period);
    try {
      sessions.put(gate, plane.join(hello, gate.mandate(), gate, nowNanos));
      gate.hungUp = false;
      gate.cameIn(hello, period);
    } catch (RefusedException e) {
      assertThat(gate).as(e.reason()).isInstanceOf(Liar.class);
    }
  }

  private static void tell(
      Gate gate, Map<Gate, MemberSession> sessions, int period, long nowNanos) {
    MemberSession session = sessions.get(gate);
    if (session == null) {
      return;
    }
    if (gate.hangsUp(period)) {
      session.ended(nowNanos);
      gate.hungUp = true;
      return;
    }
    if (!gate.ordered || !gate.reports(period)) {
      return;
    }
    gate.nowNanos = nowNanos;
    TargetsReport report = gate.report(period);
    gate.ordered = false;
    try {
      session.received(MemberMessage.newBuilder().setTargets(report).build(), nowNanos);
      gate.wasHeard(report, period);
    } catch (RefusedException e) {
      assertThat(gate).as(e.reason()).isInstanceOf(Liar.class);
      session.ended(nowNanos);
      gate.hungUp = true;
      gate.wasSentAway(period);
    }
  }

  /** A directory in which every job has one node. */
  private static final JobCheck ALL_ON_ONE_NODE = directory(1);

  private static JobCheck directory(long nodes) {
    return new JobCheck() {
      @Override
      public Verdict look(JobId job, String user, String node) {
        return new Verdict.Believed(user);
      }

      @Override
      public Known known(JobId job) {
        return job.toString().startsWith("job")
            ? new Known.Running(nodes, 1, job)
            : new Known.Absent();
      }

      @Override
      public long version() {
        return 1;
      }
    };
  }

  private static List<String> disks(RandomGenerator random) {
    return List.of("d1", "d2", "d3").subList(0, 1 + random.nextInt(3));
  }

  private static List<String> someJobs(RandomGenerator random) {
    List<String> jobs = new ArrayList<>();
    for (int job = 0; job < 5; job++) {
      if (random.nextInt(2) == 0) {
        jobs.add("job" + job);
      }
    }
    return jobs.isEmpty() ? List.of("job0") : jobs;
  }

  private static List<Gate> honest(Pauses pauses, RandomGenerator random) {
    List<Gate> gates = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      gates.add(new Gate("g" + i, disks(random), someJobs(random), pauses));
    }
    return gates;
  }

  private static PolicyChoice choice(String policy) {
    Map<String, String> settings = new LinkedHashMap<>(Map.of("period", "1 s"));
    if (policy.equals("sdqpro")) {
      settings.put("lines", "<job1, rate=500 kB/s>; <job2, rate=2 MB/s>");
    }
    return PolicyChoice.of(policy, settings);
  }

  /** Asserts that nobody has less than 99 % of what it should, but for rounding. */
  private static void assertNobodyFallsBehind(
      Map<String, Double> should, Map<String, Double> beside) {
    should.forEach((place, had) ->
        assertThat(beside.get(place)).as(place).isGreaterThanOrEqualTo(0.99 * had - WATCHED));
  }

  private static List<String> policiesOverAllTargets() {
    return PolicyRegistry.standard().policies().stream()
        .map(PolicyFactory::info)
        .filter(info -> info.scope() == PolicyInfo.Scope.ALL_TARGETS)
        .map(PolicyInfo::name)
        .toList();
  }

  /**
   * Theorem. Whatever a gateway says, there is an honest one with the same targets and jobs of
   * which it would be true, and beside that nobody has more than beside the liar.
   */
  @ParameterizedTest
  @MethodSource("policiesOverAllTargets")
  void aLyingGatewayTakesNoMoreThanAnHonestOneOfWhichItWereTrue(String policy) {
    PolicyChoice choice = choice(policy);
    SeededCases.forAll(
        EnduranceScale.of(5, 1_000),
        random -> {
          long seed = random.nextLong();
          JobCheck check = random.nextBoolean() ? JobCheck.NONE : ALL_ON_ONE_NODE;
          Pauses pauses = random.nextBoolean() ? Pauses.NONE : new Pauses(7, 1 + random.nextInt(4));
          Liar liar = new Liar("x", disks(random), someJobs(random), random);
          Map<String, Double> besideLiar =
              play(choice, check, honest(pauses, new Random(seed)), liar);
          Map<String, Double> besideTruth =
              play(choice, check, honest(pauses, new Random(seed)), new Truth(liar));
          assertNobodyFallsBehind(besideTruth, besideLiar);
        });
  }

  /**
   * Theorem. Where a job's rate is the least of its parts of its targets, or those parts, and
   * nothing else, it has the least beside a gateway that is there and whose jobs all want something
   * everywhere: so no lie takes more than that.
   */
  @ParameterizedTest
  @ValueSource(strings = {"bsip", "pofs"})
  void underPoliciesThatFillNoGapsALiarTakesNoMoreThanAnHonestOneThatWantsAll(String policy) {
    PolicyChoice choice = choice(policy);
    SeededCases.forAll(
        EnduranceScale.of(5, 1_000),
        random -> {
          long seed = random.nextLong();
          JobCheck check = random.nextBoolean() ? JobCheck.NONE : ALL_ON_ONE_NODE;
          List<String> disks = disks(random);
          List<String> jobs = someJobs(random);
          Map<String, Double> beside =
              play(
                  choice,
                  check,
                  honest(Pauses.NONE, new Random(seed)),
                  new Gate("x", disks, jobs, Pauses.NONE));
          Map<String, Double> besideLiar =
              play(
                  choice,
                  check,
                  honest(Pauses.NONE, new Random(seed)),
                  new Liar("x", disks, jobs, random));
          assertNobodyFallsBehind(beside, besideLiar);
        });
  }

  /**
   * Why no more can be asked of the others: they give a job elsewhere what it does not want on one
   * gateway, and take that from its neighbours there. Nobody lies here. The second gateway has the
   * same disk and jobs each time; in the one case a job of it wants all it can have on that disk,
   * in the other it does nothing there, and a neighbour of it on the first gateway has less.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {"gift", "maxmin", "sdqpro", "sojourn-all", "tsa", "esa", "tmf", "rnd", "mbw"})
  void underTheOthersAnHonestGatewayWhoseJobsWantLessTakesMoreThanOneThatWantsAll(String policy) {
    double wantsAll = besideJobsThatRest(policy, List.of());
    double rests = besideJobsThatRest(policy, List.of("job2"));
    assertThat(rests).isPositive().isLessThan(0.9 * wantsAll);
  }

  /** What a job has beside one that is on another gateway, too, where some jobs do nothing. */
  private static double besideJobsThatRest(String policy, List<String> resting) {
    Gate other =
        new Gate("x", List.of("d1"), List.of("job2", "job3", "job4"), Pauses.NONE) {
          @Override
          JobDemand.Builder demand(int disk, String job, int period) {
            return resting.contains(job) ? told(job, 0, 0, 0) : super.demand(disk, job, period);
          }
        };
    Gate first = new Gate("g0", List.of("d1"), List.of("job1", "job2"), Pauses.NONE);
    return play(choice(policy), ALL_ON_ONE_NODE, List.of(first), other)
        .getOrDefault("g0 d1 job1", 0.0);
  }

  private final VirtualLoop loop = new VirtualLoop();
  private final Refusals refusals = new Refusals();
  private final TargetPlane plane =
      new TargetPlane(
          PolicyChoice.of("bsip", Map.of("period", "1 s")),
          PolicyControls.FORGETFUL,
          Runnable::run,
          loop,
          () -> new Leader(1, 1),
          refusals,
          0);

  /** Says that alice's job, the first of its own, has ten million nodes. */
  private static Gate claimsMuch(String job) {
    return new Gate("x", List.of("d1"), List.of(job), Pauses.NONE) {
      @Override
      TargetsReport report(int period) {
        TargetsReport.Builder report = super.report(period).toBuilder();
        report.getTargetsBuilder(0).getJobsBuilder(0).setNodes(10_000_000);
        return report.build();
      }
    };
  }

  private String objections(JobCheck check, Gate gate) throws RefusedException {
    plane.check(check);
    MemberSession session = plane.join(gate.hello(0), Mandate.GATEWAY, gate, loop.nowNanos());
    for (int period = 1; period <= 3; period++) {
      loop.runUntil(period * PERIOD_NANOS + 1);
      session.received(
          MemberMessage.newBuilder().setTargets(gate.report(0)).build(), loop.nowNanos());
      loop.runUntil(loop.nowNanos());
    }
    assertThat(refusals.counts()).as("noted down once").containsEntry(Refusals.Kind.JOB, 1L);
    assertThat(gate.orders.getTrouble())
        .isEqualTo(
            "it counts some of our jobs otherwise: "
                + refusals.recent(loop.nowNanos()).getFirst().why());
    return gate.orders.getTrouble();
  }

  @Test
  void whatTheDirectoryKnowsOfAJobIsBelieved() throws Exception {
    assertThat(objections(directory(4), claimsMuch("job1")))
        .endsWith("job job1 with nodes 4, not 10000000 as x says");
  }

  @Test
  void aJobThatTheDirectoryDoesNotHaveIsOneNode() throws Exception {
    assertThat(objections(directory(4), claimsMuch("other")))
        .endsWith("job other with nodes 1, not 10000000 as x says, as far as is known");
  }

  @Test
  void withoutADirectoryAKeyThatSpeaksForNoNodeHasJobsOfOne() throws Exception {
    assertThat(objections(JobCheck.NONE, claimsMuch("job1")))
        .endsWith(
            "job job1 with nodes 1, not 10000000 as x says, as its key has it: no directory of"
                + " jobs says otherwise");
  }

  /** On loopback, where whoever can connect is on the machine. */
  @Test
  void whoMaySayAnythingIsBelieved() throws Exception {
    Gate gate = claimsMuch("job1");
    MemberSession session = plane.join(gate.hello(0), Mandate.ANYTHING, gate, 0);
    loop.runUntil(PERIOD_NANOS + 1);
    session.received(MemberMessage.newBuilder().setTargets(gate.report(0)).build(), PERIOD_NANOS);
    loop.runUntil(loop.nowNanos());
    assertThat(gate.orders.getTrouble()).isEmpty();
  }

  @Test
  void aGatewayHasNoTargetsButItsOwnAndTheyServeWhatItsKeySays() throws Exception {
    Gate gate = new Gate("x", List.of("d1", "d2"), List.of("job1"), Pauses.NONE);
    assertThatThrownBy(() ->
            plane.join(
                gate.hello(0), Mandate.gatewayWith(TargetNames.parse("d1,d3=5MB/s")), gate, 0))
        .hasMessage("target d2 is not one of those of x: d1,d3=5MB/s");
    plane.join(gate.hello(0), Mandate.gatewayWith(TargetNames.parse("d1,d2=5MB/s")), gate, 0);
    assertThat(plane.gateways().getFirst().targets())
        .extracting(one -> one.target().tokensPerSecond())
        .containsExactly(CAPACITY, 5_000_000L);
  }

  @Test
  void whoServedMoreThanItsTargetsCanIsTold() throws Exception {
    Gate gate =
        new Gate("x", List.of("d1"), List.of("job1"), Pauses.NONE) {
          @Override
          JobDemand.Builder demand(int disk, String job, int period) {
            return super.demand(disk, job, period).setServedTokens(3 * CAPACITY);
          }
        };
    assertThat(objections(directory(1), gate))
        .endsWith("job job1 is served more on x/d1 than that can serve");
  }

  @Test
  void whoReportsOfSomeOfItsTargetsOrOfAJobTwiceIsRefused() throws Exception {
    Gate gate = new Gate("x", List.of("d1", "d2"), List.of("job1"), Pauses.NONE);
    MemberSession session = plane.join(gate.hello(0), Mandate.GATEWAY, gate, 0);
    TargetsReport report = gate.report(0);
    assertThatThrownBy(() ->
            session.received(
                MemberMessage.newBuilder().setTargets(report.toBuilder().removeTargets(1)).build(),
                1))
        .hasMessage("a report about 1 of 2 targets; expected all");
    TargetsReport.Builder twice = report.toBuilder();
    twice.getTargetsBuilder(0).addJobs(twice.getTargets(0).getJobs(0));
    assertThatThrownBy(
            () -> session.received(MemberMessage.newBuilder().setTargets(twice).build(), 1))
        .hasMessage("a report with job job1 twice on a target");
  }

  /**
   * One that has died was waited for in vain. Its heir, which goes by its name, is a little later
   * than the others with each report. Its first says that it is there, and with its second it has
   * part in the decision.
   */
  @Test
  void whoTakesThePlaceOfOneThatDiedHasPartInTheSecondDecision() throws Exception {
    plane.check(directory(1));
    Gate stays = new Gate("g0", List.of("d1"), List.of("job1"), Pauses.NONE);
    Gate dies = new Gate("x", List.of("d1"), List.of("job1"), Pauses.NONE);
    MemberSession staying = plane.join(stays.hello(0), stays.mandate(), stays, loop.nowNanos());
    MemberSession dying = plane.join(dies.hello(0), dies.mandate(), dies, loop.nowNanos());
    Gate heir = new Gate("x", List.of("d1"), List.of("job1", "job2"), Pauses.NONE);
    MemberSession inherited = null;
    for (int period = 1; period <= 10; period++) {
      loop.runUntil(period * PERIOD_NANOS);
      if (period == 3) {
        dying.ended(loop.nowNanos());
      }
      // It was told before when to report: what it is told meanwhile is about the next time.
      TargetsReport late = inherited == null ? null : heir.report(0);
      report(staying, stays.report(0));
      loop.runUntil(loop.nowNanos() + PERIOD_NANOS / 50);
      if (period < 3) {
        report(dying, dies.report(0));
      }
      if (inherited != null && late != null) {
        report(inherited, late);
      }
      loop.runUntil(loop.nowNanos() + PERIOD_NANOS / 2);
      if (period == 8) {
        inherited = plane.join(heir.hello(0), heir.mandate(), heir, loop.nowNanos());
      }
    }
    assertThat(heir.shares.get(0)).isNotNull();
    assertThat(heir.perSecond(0, "job2")).isEqualTo(CAPACITY / 2.0);
    assertThat(stays.perSecond(0, "job1")).as("as slow as on the other").isEqualTo(CAPACITY / 2.0);
  }

  private void report(MemberSession session, TargetsReport report) throws RefusedException {
    session.received(MemberMessage.newBuilder().setTargets(report).build(), loop.nowNanos());
    loop.runUntil(loop.nowNanos());
  }

  /** The theorem of {@link Attendance}. */
  @Test
  void whoKeepsSilentIsWaitedForSeldom() {
    SeededCases.forAll(
        EnduranceScale.of(300, 5_000),
        random -> {
          Attendance attendance = new Attendance();
          double honesty = random.nextDouble();
          int inVain = 0;
          int rounds = 200;
          for (int round = 1; round <= rounds; round++) {
            boolean reports = random.nextDouble() < honesty;
            inVain += !reports && attendance.isWaitedFor("x") ? 1 : 0;
            if (reports) {
              attendance.reported("x");
            } else {
              attendance.missed("x");
            }
            assertThat(inVain)
                .isLessThanOrEqualTo(
                    Attendance.PATIENCE_ROUNDS + round / Attendance.REPORTS_PER_ROUND);
            assertThat(attendance.isWaitedFor("honest")).isTrue();
          }
          for (int i = 0; i < Attendance.PATIENCE_ROUNDS * Attendance.REPORTS_PER_ROUND; i++) {
            attendance.reported("x");
            assertThat(attendance.isSilent("x")).isFalse();
          }
          assertThat(attendance.isWaitedFor("x")).as("whoever is honest again").isTrue();
        });
  }
}
