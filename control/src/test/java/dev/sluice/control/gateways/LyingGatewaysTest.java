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
import dev.sluice.core.schedule.Shares;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.TargetNames;
import dev.sluice.store.lease.Leader;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A gateway with a valid key that lies in every field, keeps silent and calls again has no job on
 * other gateways fall behind the lesser of what it would have beside an honest gateway with the
 * same targets and jobs that want all they can have, and without that gateway: nobody can keep a
 * gateway from being away. In virtual time.
 *
 * <p>{@code sdqpro} draws lots for who lends. No allowance is made for that: honest targets here
 * want more than there is and lend nothing, so the lots decide nothing about them.
 */
class LyingGatewaysTest {
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final long CAPACITY = 1_000_000;
  private static final int PERIODS = 200;

  /** All but the first: what holds before anything was decided is no policy's doing. */
  private static final int WATCHED = PERIODS - 4;

  /** What a job would have waiting that cannot have enough. */
  private static final long BACKLOG = 100 * CAPACITY;

  /** A gateway with some targets and the same jobs on all of them, as it really is. */
  private static class Gate implements MemberLine {
    final String name;
    final List<String> disks;
    final List<String> jobs;
    final Map<String, Double> had = new LinkedHashMap<>();
    final Map<Integer, Shares> shares = new LinkedHashMap<>();
    TargetsOrders orders = TargetsOrders.getDefaultInstance();
    boolean ordered;
    boolean hungUp;
    long sequence;

    Gate(String name, List<String> disks, List<String> jobs) {
      this.name = name;
      this.disks = disks;
      this.jobs = jobs;
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

    Hello hello() {
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

    /** Whether it reports now. */
    boolean reports() {
      return true;
    }

    TargetsReport report() {
      TargetsReport.Builder report =
          TargetsReport.newBuilder().setSequence(++sequence).setRound(orders.getRound());
      for (int i = 0; i < disks.size(); i++) {
        TargetDemand.Builder target =
            TargetDemand.newBuilder().setTarget(i).setCapacityPerSecond(CAPACITY);
        for (String job : jobs) {
          target.addJobs(
              JobDemand.newBuilder()
                  .setJob(job)
                  .setNodes(1)
                  .setWeight(1)
                  .setProcesses(1)
                  .setArrivedTokens(CAPACITY)
                  .setBacklogTokens(BACKLOG)
                  .setServedTokens(served(i, job))
                  .setOldestWaitNanos(PERIOD_NANOS)
                  .setLatencyNanos(PERIOD_NANOS + 1));
        }
        report.addTargets(target);
      }
      return report.build();
    }

    private long served(int disk, String job) {
      return (long) Math.min(CAPACITY, perSecond(disk, job));
    }

    /** What a job may have on a disk; what the disk can serve where it is not limited. */
    double perSecond(int disk, String job) {
      Shares told = shares.getOrDefault(disk, Shares.NONE);
      int at = told.indexOf(JobId.of(job));
      return at < 0 || !told.isLimited(at) ? CAPACITY : told.tokensPerSecond(at);
    }
  }

  /** It has a valid key, and nothing that it says is so. */
  private static final class Liar extends Gate {
    private final RandomGenerator random;
    private final boolean reckless;
    private final boolean silent;

    Liar(String name, List<String> disks, List<String> jobs, RandomGenerator random) {
      super(name, disks, jobs);
      this.random = random;
      this.reckless = random.nextBoolean();
      this.silent = random.nextBoolean();
    }

    private long lie(long most) {
      return switch (random.nextInt(5)) {
        case 0 -> 0;
        case 1 -> most;
        case 2 -> 1;
        default -> random.nextLong(most + 1);
      };
    }

    private boolean isReckless() {
      return reckless && random.nextInt(30) == 0;
    }

    @Override
    Hello hello() {
      Hello.Builder hello = super.hello().toBuilder();
      hello.getTargetsBuilderList().forEach(disk -> disk.setCapacityPerSecond(1 + lie(1L << 40)));
      while (hello.getTargetsCount() > 1 && random.nextInt(3) == 0) {
        hello.removeTargets(hello.getTargetsCount() - 1);
      }
      return hello.build();
    }

    @Override
    boolean reports() {
      return !silent || random.nextInt(4) == 0;
    }

    @Override
    TargetsReport report() {
      TargetsReport.Builder report =
          TargetsReport.newBuilder()
              .setSequence(++sequence + (isReckless() ? 1 : 0))
              .setRound(orders.getRound() + (isReckless() ? lie(7) : 0));
      for (int i = 0; i < disks.size() - (isReckless() ? 1 : 0); i++) {
        TargetDemand.Builder target =
            TargetDemand.newBuilder()
                .setTarget(isReckless() ? random.nextInt() : i)
                .setCapacityPerSecond(lie(1L << 40));
        // A job that is claimed is one of its jobs; what waits may be anything, nothing too.
        for (String job : jobs) {
          target.addJobs(lie(job));
          if (isReckless()) {
            target.addJobs(lie(job));
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

    private JobDemand.Builder lie(String job) {
      JobDemand.Builder told =
          JobDemand.newBuilder()
              .setJob(job)
              .setNodes(1 + lie(isReckless() ? -2 >>> 1 : 9_999_999))
              .setWeight(1 + lie(999_999))
              .setProcesses(1 + lie(9_999_999))
              .setArrivedTokens(lie(1L << 49))
              .setBacklogTokens(lie(1L << 49))
              .setReservedPerSecond(lie(1L << 40))
              .setServedTokens(lie(1L << 50))
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
        MemberSession session = sessions.get(gate);
        if (session == null || gate.hungUp || (gate instanceof Liar liar && liar.isReckless())) {
          join(plane, gate, sessions, loop.nowNanos());
        }
      }
      loop.runUntil((period + 1) * PERIOD_NANOS + PERIOD_NANOS / 100);
      for (Gate gate : all) {
        tell(gate, sessions, loop.nowNanos());
        loop.runUntil(loop.nowNanos());
      }
      if (period >= PERIODS - WATCHED) {
        for (Gate gate : others) {
          for (int disk = 0; disk < gate.disks.size(); disk++) {
            for (String job : gate.jobs) {
              gate.had.merge(
                  gate.name + " " + gate.disks.get(disk) + " " + job,
                  gate.perSecond(disk, job),
                  Double::sum);
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
      TargetPlane plane, Gate gate, Map<Gate, MemberSession> sessions, long nowNanos) {
    try {
      sessions.put(gate, plane.join(gate.hello(), gate.mandate(), gate, nowNanos));
      gate.hungUp = false;
    } catch (RefusedException e) {
      assertThat(gate).as(e.reason()).isInstanceOf(Liar.class);
    }
  }

  private static void tell(Gate gate, Map<Gate, MemberSession> sessions, long nowNanos) {
    MemberSession session = sessions.get(gate);
    if (session == null || !gate.ordered || !gate.reports()) {
      return;
    }
    TargetsReport report = gate.report();
    gate.ordered = false;
    try {
      session.received(MemberMessage.newBuilder().setTargets(report).build(), nowNanos);
    } catch (RefusedException e) {
      assertThat(gate).as(e.reason()).isInstanceOf(Liar.class);
      session.ended(nowNanos);
      gate.hungUp = true;
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

  private static List<Gate> honest(RandomGenerator random) {
    List<Gate> gates = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      gates.add(new Gate("g" + i, disks(random), someJobs(random)));
    }
    return gates;
  }

  @ParameterizedTest
  @ValueSource(strings = {"gift", "bsip", "pofs", "maxmin", "sdqpro", "sojourn-all"})
  void aLyingGatewayTakesNoMoreFromOthersThanAnHonestOne(String policy) {
    Map<String, String> settings = new LinkedHashMap<>(Map.of("period", "1 s"));
    if (policy.equals("sdqpro")) {
      settings.put("lines", "<job1, rate=500 kB/s>; <job2, rate=2 MB/s>");
    }
    PolicyChoice choice = PolicyChoice.of(policy, settings);
    SeededCases.forAll(
        EnduranceScale.of(5, 1_000),
        random -> {
          long seed = random.nextLong();
          JobCheck check = random.nextBoolean() ? JobCheck.NONE : ALL_ON_ONE_NODE;
          List<String> disks = disks(random);
          List<String> jobs = someJobs(random);
          Map<String, Double> beside =
              play(choice, check, honest(new Random(seed)), new Gate("x", disks, jobs));
          Map<String, Double> besideLiar =
              play(choice, check, honest(new Random(seed)), new Liar("x", disks, jobs, random));
          // It may also be away, and then nobody is held back for its sake.
          Map<String, Double> alone =
              play(choice, check, honest(new Random(seed)), new Gate("x", List.of(), jobs));
          beside.forEach((place, had) ->
              assertThat(besideLiar.get(place))
                  .as(policy + " " + place)
                  .isGreaterThanOrEqualTo(
                      0.99 * Math.min(had, alone.getOrDefault(place, had)) - WATCHED));
        });
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
    return new Gate("x", List.of("d1"), List.of(job)) {
      @Override
      TargetsReport report() {
        TargetsReport.Builder report = super.report().toBuilder();
        report.getTargetsBuilder(0).getJobsBuilder(0).setNodes(10_000_000);
        return report.build();
      }
    };
  }

  private String objections(JobCheck check, Gate gate) throws RefusedException {
    plane.check(check);
    MemberSession session = plane.join(gate.hello(), Mandate.GATEWAY, gate, loop.nowNanos());
    for (int period = 1; period <= 3; period++) {
      loop.runUntil(period * PERIOD_NANOS + 1);
      session.received(
          MemberMessage.newBuilder().setTargets(gate.report()).build(), loop.nowNanos());
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
    MemberSession session = plane.join(gate.hello(), Mandate.ANYTHING, gate, 0);
    loop.runUntil(PERIOD_NANOS + 1);
    session.received(MemberMessage.newBuilder().setTargets(gate.report()).build(), PERIOD_NANOS);
    loop.runUntil(loop.nowNanos());
    assertThat(gate.orders.getTrouble()).isEmpty();
  }

  @Test
  void aGatewayHasNoTargetsButItsOwnAndTheyServeWhatItsKeySays() throws Exception {
    Gate gate = new Gate("x", List.of("d1", "d2"), List.of("job1"));
    assertThatThrownBy(() ->
            plane.join(
                gate.hello(), Mandate.gatewayWith(TargetNames.parse("d1,d3=5MB/s")), gate, 0))
        .hasMessage("target d2 is not one of those of x: d1,d3=5MB/s");
    plane.join(gate.hello(), Mandate.gatewayWith(TargetNames.parse("d1,d2=5MB/s")), gate, 0);
    assertThat(plane.gateways().getFirst().targets())
        .extracting(one -> one.target().tokensPerSecond())
        .containsExactly(CAPACITY, 5_000_000L);
  }

  @Test
  void whoReportsOfSomeOfItsTargetsOrOfAJobTwiceIsRefused() throws Exception {
    Gate gate = new Gate("x", List.of("d1", "d2"), List.of("job1"));
    MemberSession session = plane.join(gate.hello(), Mandate.GATEWAY, gate, 0);
    TargetsReport report = gate.report();
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
