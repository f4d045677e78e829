package dev.sluice.control.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobIntroduction;
import dev.sluice.control.v1.JobLimits;
import dev.sluice.control.v1.JobUsage;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.Scope;
import dev.sluice.control.v1.StageOrders;
import dev.sluice.control.v1.StageReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.stage.limit.LimitKey;
import dev.sluice.store.lease.Leader;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A member with a valid key that lies in every field has nobody else fall behind what he would have
 * beside an honest one with the same jobs that wants all it can have. In virtual time.
 */
class LiarsTest {
  private static final LimitKey METADATA = new LimitKey("metadata", Counted.OPERATIONS);
  private static final long MAXIMUM = 100_000;
  private static final long PERIOD_NANOS = 1_000_000_000L;
  private static final int CYCLES = 30;
  private static final int WATCHED = 10;

  /** What a node that cannot have enough would do in a second. */
  private static final long UNLIMITED = 1_000_000_000L;

  /** A node with its jobs, as it really is. */
  private static class Node implements MemberLine {
    final String name;

    /** What each job would do in a second, and whose it is. */
    final Map<String, Long> demands;

    final Map<Integer, Long> allowed = new HashMap<>();
    final Map<String, Double> had = new LinkedHashMap<>();
    StageOrders orders = StageOrders.getDefaultInstance();
    long sequence;

    Node(String name, Map<String, Long> demands) {
      this.name = name;
      this.demands = demands;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void send(ControllerMessage message) {
      orders = message.getStage();
      RateKey key = RateKey.of(METADATA);
      for (JobLimits limits : orders.getLimitsList()) {
        for (int i = 0; i < limits.getRatesCount(); i += 2) {
          if (limits.getRates(i) == key.number()) {
            allowed.put(limits.getNumber(), limits.getRates(i + 1) - 1);
          }
        }
      }
    }

    @Override
    public void refuse(RefusedException why) {
      throw new AssertionError(why);
    }

    StageReport report() {
      StageReport.Builder report =
          StageReport.newBuilder()
              .setSequence(++sequence)
              .setRound(orders.getRound())
              .setElapsedMicros(PERIOD_NANOS / 1_000)
              .setAgents(1);
      int number = 0;
      for (Map.Entry<String, Long> job : demands.entrySet()) {
        if (sequence == 1) {
          report.addIntroduced(
              JobIntroduction.newBuilder()
                  .setNumber(number)
                  .setJob(job.getKey())
                  .setUser("of-" + job.getKey())
                  .setProcesses(1)
                  .setNodes(1));
        }
        long most = allowed.getOrDefault(number, 0L);
        long done = Math.min(job.getValue(), most);
        long waited = job.getValue() > most ? PERIOD_NANOS / 1_000 : 0;
        report.addUsages(usage(number, done, waited));
        number++;
      }
      return report.build();
    }

    static JobUsage usage(int number, long done, long waitedMicros) {
      return JobUsage.newBuilder()
          .setNumber(number)
          .addAllFigures(List.of((long) Scope.SCOPE_GETATTR_VALUE, done, 0L, waitedMicros))
          .build();
    }
  }

  /** Says what it likes, of the same jobs. */
  private static final class Liar extends Node {
    private final RandomGenerator random;
    private int number;
    private boolean introduced;

    Liar(String name, Map<String, Long> demands, RandomGenerator random) {
      super(name, demands);
      this.random = random;
    }

    private long lie(long most) {
      return switch (random.nextInt(4)) {
        case 0 -> 0;
        case 1 -> most;
        default -> random.nextLong(most + 1);
      };
    }

    @Override
    StageReport report() {
      StageReport.Builder report =
          StageReport.newBuilder()
              .setSequence(++sequence)
              .setRound(orders.getRound())
              .setElapsedMicros(lie(3_600_000_000L))
              .setAgents((int) lie(1));
      // Again and again as if they were new, so that nothing was ever decided of them.
      int size = demands.size();
      if (!introduced) {
        for (String job : demands.keySet()) {
          report.addIntroduced(
              JobIntroduction.newBuilder()
                  .setNumber(number++)
                  .setJob(job)
                  .setUser(random.nextBoolean() ? "of-" + job : "somebody")
                  .setProcesses((int) lie(10_000_000))
                  .setNodes((int) lie(1)));
        }
      }
      introduced = sequence == CYCLES || random.nextInt(3) != 0;
      for (int i = number - size; i < number; i++) {
        report.addUsages(usage(i, UNLIMITED + lie(1L << 49), UNLIMITED + lie(1L << 49)));
        if (!introduced) {
          report.addEnded(i);
        }
      }
      return report.build();
    }
  }

  /** What everybody else had, by node and job, in the last cycles. */
  private static Map<String, Double> play(
      String algorithm, List<Node> others, Node suspect, boolean suspectFirst) throws Exception {
    StageGroup group = new StageGroup(100, () -> {});
    StageDecisions decisions = new StageDecisions();
    decisions.follow(
        new ControlSettings(
            1,
            List.of(new SharedResource(METADATA, MAXIMUM, algorithm, Map.of(), Map.of())),
            List.of()));
    List<Node> all = new ArrayList<>(others);
    all.add(suspectFirst ? 0 : others.size(), suspect);
    long now = 0;
    tellAll(group, decisions, now);
    Map<Node, MemberSession> sessions = new LinkedHashMap<>();
    for (Node node : all) {
      MemberSession session =
          group.join(hello(node.name, MemberKind.MEMBER_KIND_AGENT), 1, node, now);
      sessions.put(node, session);
    }
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      now += PERIOD_NANOS;
      for (Map.Entry<Node, MemberSession> member : sessions.entrySet()) {
        StageReport report = member.getKey().report();
        member.getValue().received(MemberMessage.newBuilder().setStage(report).build(), now);
      }
      decisions.decide(group);
      tellAll(group, decisions, now);
      group.checkInvariants();
      if (cycle >= CYCLES - WATCHED) {
        for (Node node : others) {
          int number = 0;
          for (Map.Entry<String, Long> job : node.demands.entrySet()) {
            long may = node.allowed.getOrDefault(number++, 0L);
            node.had.merge(job.getKey(), (double) Math.min(job.getValue(), may), Double::sum);
          }
        }
      }
    }
    Map<String, Double> had = new LinkedHashMap<>();
    others.forEach(node -> node.had.forEach((job, sum) -> had.put(node.name + " " + job, sum)));
    return had;
  }

  private static void tellAll(StageGroup group, StageDecisions decisions, long now) {
    group.tellAll(
        new StageGroup.Orders(
            new Leader(1, 1),
            PERIOD_NANOS,
            5 * PERIOD_NANOS,
            PERIOD_NANOS,
            decisions.newcomers(group.agents())),
        now);
  }

  private static Hello hello(String name, MemberKind kind) {
    return Hello.newBuilder().setMember(name).setKind(kind).setHost("test").build();
  }

  private static List<Node> honest(RandomGenerator random) {
    List<Node> nodes = new ArrayList<>();
    int count = 1 + random.nextInt(6);
    for (int i = 0; i < count; i++) {
      Map<String, Long> demands = new LinkedHashMap<>();
      int jobs = 1 + random.nextInt(3);
      for (int k = 0; k < jobs; k++) {
        demands.put(
            "job" + random.nextInt(5), random.nextBoolean() ? UNLIMITED : random.nextLong(30_000));
      }
      nodes.add(new Node("n" + i, demands));
    }
    return nodes;
  }

  @ParameterizedTest
  @ValueSource(strings = {"psfa", "priority"})
  void aLiarTakesNoMoreFromOthersThanSomebodyWhoWantsAll(String algorithm) {
    SeededCases.forAll(
        300,
        random -> {
          long seed = random.nextLong();
          Map<String, Long> jobs = new LinkedHashMap<>();
          for (int k = 0; k <= random.nextInt(3); k++) {
            jobs.put("job" + random.nextInt(7), UNLIMITED);
          }
          boolean first = random.nextBoolean();
          Map<String, Double> beside =
              play(algorithm, honest(new Random(seed)), new Node("x", jobs), first);
          Map<String, Double> besideLiar =
              play(algorithm, honest(new Random(seed)), new Liar("x", jobs, random), first);

          beside.forEach((place, had) ->
              assertThat(besideLiar.get(place))
                  .as(place)
                  .isGreaterThanOrEqualTo(0.99 * had - WATCHED));
        });
  }

  @Test
  void whoSpeaksForMoreThanItsOwnIsRefused() throws Exception {
    StageGroup group = new StageGroup(100, () -> {});
    tellAll(group, new StageDecisions(), 0);
    StageReport.Builder report = StageReport.newBuilder().setSequence(1).setRound(group.round());
    MemberKind agent = MemberKind.MEMBER_KIND_AGENT;
    MemberKind aggregator = MemberKind.MEMBER_KIND_AGGREGATOR;

    assertThat(refusal(group, agent, introducing(report, 10_000_000)))
        .isEqualTo("job 4711 on 10000000 nodes; n2 speaks for 1");
    assertThat(refusal(group, agent, introducing(report, -1))).endsWith("n2 speaks for 1");
    assertThat(refusal(group, agent, report.clone().setAgents(2)))
        .isEqualTo("2 agents; n2 speaks for 1");
    assertThat(refusal(group, aggregator, introducing(report, 41)))
        .isEqualTo("job 4711 on 41 nodes; n2 speaks for 40");
    assertThat(refusal(group, aggregator, report.clone().setAgents(10_000_000)))
        .isEqualTo("10000000 agents; n2 speaks for 40");
    assertThat(refusal(group, aggregator, introducing(report, 40).setAgents(40))).isEmpty();
  }

  private static StageReport.Builder introducing(StageReport.Builder report, int nodes) {
    return report
        .clone()
        .addIntroduced(JobIntroduction.newBuilder().setJob("4711").setNodes(nodes));
  }

  /** What somebody is told who calls with a key for 40 nodes and says this first. */
  private static String refusal(StageGroup group, MemberKind kind, StageReport.Builder report)
      throws RefusedException {
    MemberSession session = group.join(hello("n2", kind), 40, new Node("n2", Map.of()), 0);
    try {
      session.received(MemberMessage.newBuilder().setStage(report).build(), 0);
      return "";
    } catch (RefusedException e) {
      return e.reason();
    } finally {
      session.ended(0);
    }
  }
}
