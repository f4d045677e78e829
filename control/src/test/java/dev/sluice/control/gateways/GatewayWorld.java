package dev.sluice.control.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.access.Refusals;
import dev.sluice.control.lies.OthersRates;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.stage.JobCheck;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.TargetsReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.gateway.config.PolicyChoice;
import dev.sluice.gateway.control.PolicyControls;
import dev.sluice.store.lease.Leader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Some honest gateways, and what is known of their jobs: the same each time it is played, whoever
 * is with them. In virtual time.
 *
 * @param seed of what the honest gateways are drawn
 * @param pauses when their jobs rest
 */
record GatewayWorld(PolicyChoice policy, JobCheck check, Gate.Pauses pauses, long seed) {
  private static final int PERIODS = 200;

  /** All but the first: what holds before anything was decided is no policy's doing. */
  private static final int WATCHED = PERIODS - 4;

  /** A directory in which every job has one node. */
  static final JobCheck ALL_ON_ONE_NODE = directory(1);

  /** Somebody's world, with a directory of jobs or without. */
  static GatewayWorld any(PolicyChoice policy, Gate.Pauses pauses, RandomGenerator random) {
    return new GatewayWorld(
        policy, random.nextBoolean() ? JobCheck.NONE : ALL_ON_ONE_NODE, pauses, random.nextLong());
  }

  /** A directory that has all jobs whose names begin with job. */
  static JobCheck directory(long nodes) {
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

  static List<String> anyDisks(RandomGenerator random) {
    return List.of("d1", "d2", "d3").subList(0, 1 + random.nextInt(3));
  }

  static List<String> anyJobs(RandomGenerator random) {
    List<String> jobs = new ArrayList<>();
    for (int job = 0; job < 5; job++) {
      if (random.nextInt(2) == 0) {
        jobs.add("job" + job);
      }
    }
    return jobs.isEmpty() ? List.of("job0") : jobs;
  }

  private List<Gate> honest() {
    RandomGenerator random = new Random(seed);
    List<Gate> gates = new ArrayList<>();
    int count = 1 + random.nextInt(3);
    for (int i = 0; i < count; i++) {
      gates.add(new Gate("g" + i, anyDisks(random), anyJobs(random), pauses));
    }
    return gates;
  }

  /** What every job has on the honest gateways' targets beside this one. */
  OthersRates beside(Gate suspect) {
    return play(policy, check, honest(), suspect);
  }

  /** What every job has on the others' targets beside this one, wherever it is busy. */
  static OthersRates play(PolicyChoice policy, JobCheck check, List<Gate> others, Gate suspect) {
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
    all.add(suspect);
    Map<Gate, MemberSession> sessions = new LinkedHashMap<>();
    OthersRates had = new OthersRates(WATCHED);
    for (int period = 0; period < PERIODS; period++) {
      for (Gate gate : all) {
        if (gate.isToCall(sessions.get(gate) != null && !gate.hungUp, period)) {
          join(plane, gate, sessions, period, loop.nowNanos());
        }
      }
      loop.runUntil((period + 1) * Gate.PERIOD_NANOS + Gate.PERIOD_NANOS / 100);
      for (Gate gate : all) {
        tell(gate, sessions, period, loop.nowNanos());
        loop.runUntil(loop.nowNanos());
      }
      if (period >= PERIODS - WATCHED) {
        for (Gate gate : others) {
          gate.addRates(had, period);
        }
      }
    }
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
      assertThat(gate).as(e.reason()).isInstanceOf(LyingGate.class);
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
      assertThat(gate).as(e.reason()).isInstanceOf(LyingGate.class);
      session.ended(nowNanos);
      gate.hungUp = true;
      gate.wasSentAway(period);
    }
  }
}
