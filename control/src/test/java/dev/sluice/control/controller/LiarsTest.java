package dev.sluice.control.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.control.lies.Lies;
import dev.sluice.control.lies.OthersRates;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.control.stage.JobCheck;
import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobIntroduction;
import dev.sluice.control.v1.JobLimits;
import dev.sluice.control.v1.JobUsage;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.NewcomerLimits;
import dev.sluice.control.v1.NodePlace;
import dev.sluice.control.v1.Scope;
import dev.sluice.control.v1.StageOrders;
import dev.sluice.control.v1.StageReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.keys.NodeNames;
import dev.sluice.store.lease.Leader;
import dev.sluice.testkit.EnduranceScale;
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
    final List<String> refused = new ArrayList<>();
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
      orders
          .getRefusalsList()
          .forEach(
              refusal -> refusal.getNodesList().forEach(node -> refused.add(node.getReason())));
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

  /** An honest aggregator of some nodes, all of which have all its jobs. */
  private static class Rack extends Node {
    final int nodes;

    Rack(String name, Map<String, Long> demands, int nodes) {
      super(name, demands);
      this.nodes = nodes;
    }

    @Override
    StageReport report() {
      StageReport.Builder report = super.report().toBuilder().setAgents(nodes);
      for (JobIntroduction.Builder introduced : report.getIntroducedBuilderList()) {
        introduced.setNodes(nodes);
        for (int i = 1; i <= nodes; i++) {
          introduced.addPlaces(NodePlace.newBuilder().setNode(name + i));
        }
      }
      return report.build();
    }
  }

  /**
   * Says what it likes of the same jobs: too much, too little, nonsense, in every field there is.
   * Where that ends its call, it calls again.
   */
  private static final class Liar extends Rack {
    private final RandomGenerator random;
    private final Lies lies;

    /** What it has introduced in this call, by number. */
    private final Map<Integer, String> introduced = new LinkedHashMap<>();

    private int number;

    Liar(String name, Map<String, Long> demands, int nodes, RandomGenerator random) {
      super(name, demands, nodes);
      this.random = random;
      this.lies = new Lies(random);
    }

    void calledAgain() {
      introduced.clear();
      sequence = 0;
    }

    @Override
    StageReport report() {
      StageReport.Builder report =
          StageReport.newBuilder()
              .setSequence(++sequence + lies.upTo(0, 1))
              .setRound(orders.getRound() + lies.upTo(0, 7))
              .setElapsedMicros(lies.upTo(3_600_000_000L, -1))
              .setAgents((int) lies.upTo(nodes, 10_000_000));
      for (String job : demands.keySet()) {
        // Again and again as if they were new, so that nothing was ever decided of them.
        if (!introduced.containsValue(job)) {
          introduced.put(number, job);
          report.addIntroduced(introduction(number++, job));
        } else if (random.nextInt(4) == 0) {
          int known =
              introduced.entrySet().stream()
                  .filter(entry -> entry.getValue().equals(job))
                  .findFirst()
                  .orElseThrow()
                  .getKey();
          report.addIntroduced(introduction(known, job));
        }
      }
      for (int known : List.copyOf(introduced.keySet())) {
        if (random.nextInt(4) != 0) {
          report.addUsages(usage(known));
        }
        if (random.nextInt(3) == 0) {
          report.addEnded(known);
          introduced.remove(known);
        }
      }
      if (lies.isReckless()) {
        report.addEnded(random.nextInt());
      }
      return report.build();
    }

    private JobIntroduction introduction(int its, String job) {
      JobIntroduction.Builder built =
          JobIntroduction.newBuilder()
              .setNumber(its)
              .setJob(job)
              .setUser(random.nextBoolean() ? "of-" + job : "somebody")
              .setProcesses((int) lies.upTo(10_000_000, -1))
              .setNodes((int) (random.nextInt(4) == 0 ? lies.upTo(0xffffffffL) : lies.upTo(nodes)));
      for (int i = 0; i < nodes; i++) {
        if (random.nextInt(3) != 0) {
          built.addPlaces(
              NodePlace.newBuilder()
                  .setNode(name + (i + 1) + (random.nextInt(9) == 0 ? "0" : ""))
                  .setUser(random.nextBoolean() ? "" : "somebody"));
        }
      }
      return built.build();
    }

    private JobUsage usage(int known) {
      JobUsage.Builder built = JobUsage.newBuilder().setNumber(known);
      for (int i = random.nextInt(3); i >= 0; i--) {
        built
            .addFigures(random.nextBoolean() ? Scope.SCOPE_GETATTR_VALUE : lies.upTo(24, 99))
            .addFigures(lies.upTo(1L << 50, -1))
            .addFigures(lies.upTo(1L << 50, -1))
            .addFigures(lies.upTo(1L << 50, -1));
      }
      return built.build();
    }
  }

  /** What everybody else had, by node and job, in the last cycles. */
  private static OthersRates play(
      String algorithm, List<Node> others, Node suspect, boolean suspectFirst) throws Exception {
    return play(algorithm, others, suspect, suspectFirst, JobCheck.NONE);
  }

  private static OthersRates play(
      String algorithm, List<Node> others, Node suspect, boolean suspectFirst, JobCheck check)
      throws Exception {
    StageGroup group = new StageGroup(100, () -> {});
    group.check(check, 0);
    StageDecisions decisions = new StageDecisions(PERIOD_NANOS);
    decisions.follow(
        new ControlSettings(
            1,
            List.of(new SharedResource(METADATA, MAXIMUM, algorithm, Map.of(), Map.of())),
            List.of()));
    List<Node> all = new ArrayList<>(others);
    all.add(suspectFirst ? 0 : others.size(), suspect);
    long now = 0;
    tellAll(group, decisions, now);
    OthersRates had = new OthersRates(WATCHED);
    Map<Node, MemberSession> sessions = new LinkedHashMap<>();
    for (Node node : all) {
      sessions.put(node, join(group, node, now));
    }
    for (int cycle = 0; cycle < CYCLES; cycle++) {
      now += PERIOD_NANOS;
      for (Map.Entry<Node, MemberSession> member : sessions.entrySet()) {
        StageReport report = member.getKey().report();
        try {
          member.getValue().received(MemberMessage.newBuilder().setStage(report).build(), now);
        } catch (RefusedException e) {
          assertThat(member.getKey()).as(e.reason()).isInstanceOf(Liar.class);
          member.getValue().ended(now);
          ((Liar) member.getKey()).calledAgain();
          member.setValue(join(group, member.getKey(), now));
        }
      }
      group.lookAgain(now);
      decisions.decide(group);
      tellAll(group, decisions, now);
      group.checkInvariants();
      if (cycle >= CYCLES - WATCHED) {
        for (Node node : others) {
          int number = 0;
          for (Map.Entry<String, Long> job : node.demands.entrySet()) {
            long may = node.allowed.getOrDefault(number++, 0L);
            had.add(node.name + " " + job.getKey(), (double) Math.min(job.getValue(), may));
          }
        }
      }
    }
    return had;
  }

  private static MemberSession join(StageGroup group, Node node, long now) throws RefusedException {
    return node instanceof Rack rack && rack.nodes > 1
        ? group.join(
            hello(node.name, MemberKind.MEMBER_KIND_AGGREGATOR),
            aggregatorOf(node.name, rack.nodes),
            node,
            now)
        : group.join(hello(node.name, MemberKind.MEMBER_KIND_AGENT), Mandate.AGENT, node, now);
  }

  private static Mandate aggregatorOf(String name, int nodes) {
    return Mandate.aggregatorOf(NodeNames.parse(name + "[1-" + nodes + "]"));
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
  @ValueSource(strings = {"psfa", "priority", "sojourn-all"})
  void aLiarTakesNoMoreFromOthersThanSomebodyWhoWantsAll(String algorithm) {
    SeededCases.forAll(
        EnduranceScale.of(300, 10_000),
        random -> {
          long seed = random.nextLong();
          Map<String, Long> jobs = new LinkedHashMap<>();
          for (int k = 0; k <= random.nextInt(3); k++) {
            jobs.put("job" + random.nextInt(7), UNLIMITED);
          }
          int nodes = random.nextBoolean() ? 1 : 2 + random.nextInt(4);
          Node wantsAll = nodes == 1 ? new Node("x", jobs) : new Rack("x", jobs, nodes);
          boolean first = random.nextBoolean();
          OthersRates beside = play(algorithm, honest(new Random(seed)), wantsAll, first);
          play(algorithm, honest(new Random(seed)), new Liar("x", jobs, nodes, random), first)
              .assertNobodyHasLessThan(beside);
        });
  }

  /** Of the job on the node n1 the directory knows, and of nothing else. */
  private static JobCheck onN1(String job, String user) {
    return new JobCheck() {
      @Override
      public Verdict look(JobId id, String whose, String node) {
        return id.toString().equals(job) && node.equals("n1")
            ? new Verdict.Believed(user)
            : new Verdict.Refused("job " + id + " does not run on " + node);
      }

      @Override
      public long version() {
        return 1;
      }
    };
  }

  /** n002 claims alice's job on ten million nodes. */
  @ParameterizedTest
  @ValueSource(strings = {"psfa", "priority", "sojourn-all"})
  void whoClaimsAlicesJobOnTenMillionNodesHasNothingOfIt(String algorithm) throws Exception {
    Map<String, Long> alices = Map.of("alice-1", UNLIMITED);
    OthersRates alone =
        play(algorithm, List.of(new Node("n1", alices)), new Node("n002", Map.of()), false);
    Node claims =
        new Node("n002", alices) {
          @Override
          StageReport report() {
            StageReport.Builder report = super.report().toBuilder();
            report
                .getIntroducedBuilderList()
                .forEach(introduced -> introduced.setNodes(10_000_000));
            return report.build();
          }
        };
    play(algorithm, List.of(new Node("n1", alices)), claims, true).assertNobodyHasLessThan(alone);
    // It may do what a newcomer may: a hundredth, divided by the nodes.
    assertThat(claims.allowed).containsEntry(0, MAXIMUM / 100 / 2);
    assertThat(claims.orders.getRefusalsList()).isEmpty();
    assertThat(claims.refused).containsExactly("job alice-1 on 10000000 nodes; n002 speaks for 1");

    // With a directory it has nothing of the job on a single node either.
    Node onlyOne = new Node("n002", alices);
    play(algorithm, List.of(new Node("n1", alices)), onlyOne, true, onN1("alice-1", "of-alice-1"))
        .assertNobodyHasLessThan(alone);
    assertThat(onlyOne.refused).containsExactly("job alice-1 does not run on n002");
  }

  /** An aggregator of ten million agents cuts nobody who is new. */
  @Test
  void whoSaysThatItIsTenMillionAgentsIsRefusedAndNewcomersHaveWhatTheyHad() throws Exception {
    StageGroup group = new StageGroup(100, () -> {});
    StageDecisions decisions = new StageDecisions(PERIOD_NANOS);
    decisions.follow(
        new ControlSettings(
            1,
            List.of(new SharedResource(METADATA, MAXIMUM, "psfa", Map.of(), Map.of())),
            List.of()));
    tellAll(group, decisions, 0);
    Node honest = new Node("n1", Map.of("a", UNLIMITED));
    MemberSession session = join(group, honest, 0);
    Node rack = new Rack("x", Map.of("b", UNLIMITED), 4);
    MemberSession lying = join(group, rack, 0);
    tellAll(group, decisions, 0);
    NewcomerLimits before = decisions.newcomers(group.agents());

    StageReport.Builder report = StageReport.newBuilder().setSequence(1).setRound(group.round());
    MemberMessage lie =
        MemberMessage.newBuilder().setStage(report.clone().setAgents(10_000_000)).build();
    assertThatThrownBy(() -> lying.received(lie, PERIOD_NANOS))
        .hasMessage("10000000 agents; x speaks for 4");
    lying.ended(PERIOD_NANOS);
    session.received(MemberMessage.newBuilder().setStage(report).build(), PERIOD_NANOS);

    assertThat(decisions.newcomers(group.agents()).getRates(1))
        .isGreaterThanOrEqualTo(before.getRates(1));
    group.checkInvariants();
  }

  @Test
  void whoSpeaksForMoreThanItsOwnIsRefusedForThatJobAlone() throws Exception {
    StageGroup group = new StageGroup(100, () -> {});
    tellAll(group, new StageDecisions(PERIOD_NANOS), 0);
    Node node = new Node("n2", Map.of());
    MemberSession session = join(group, node, 0);
    StageReport.Builder report = StageReport.newBuilder().setSequence(1).setRound(group.round());
    report
        .addIntroduced(JobIntroduction.newBuilder().setNumber(1).setJob("a").setNodes(2))
        .addIntroduced(JobIntroduction.newBuilder().setNumber(2).setJob("b").setNodes(1))
        .addIntroduced(JobIntroduction.newBuilder().setNumber(3).setJob("c").setNodes(-1))
        .addUsages(Node.usage(1, 5, 0))
        .addUsages(Node.usage(2, 5, 0));
    session.received(MemberMessage.newBuilder().setStage(report).build(), PERIOD_NANOS);

    assertThat(group.jobs()).extracting(job -> job.id().toString()).containsExactly("b");
    assertThat(group.uncounted()).extracting(job -> job.id().toString()).containsExactly("a", "c");
    tellAll(group, new StageDecisions(PERIOD_NANOS), PERIOD_NANOS);
    assertThat(node.refused)
        .containsExactlyInAnyOrder(
            "job a on 2 nodes; n2 speaks for 1", "job c on 4294967295 nodes; n2 speaks for 1");

    // Said otherwise, it counts; and where it has ended, nothing is left of it.
    StageReport.Builder next = StageReport.newBuilder().setSequence(2).setRound(group.round());
    next.addIntroduced(JobIntroduction.newBuilder().setNumber(1).setJob("a").setNodes(1))
        .addEnded(3);
    session.received(MemberMessage.newBuilder().setStage(next).build(), 2 * PERIOD_NANOS);
    assertThat(group.jobs()).extracting(job -> job.id().toString()).containsExactly("a", "b");
    assertThat(group.uncounted()).isEmpty();
    group.checkInvariants();
    session.ended(3 * PERIOD_NANOS);
    assertThat(group.jobs()).isEmpty();
  }

  @Test
  void anAggregatorVouchesForItsOwnNodesAlone() throws Exception {
    StageGroup group = new StageGroup(100, () -> {});
    tellAll(group, new StageDecisions(PERIOD_NANOS), 0);
    Node rack = new Rack("x", Map.of(), 3);
    MemberSession session = join(group, rack, 0);
    JobIntroduction.Builder introduced =
        JobIntroduction.newBuilder().setNumber(1).setJob("a").setNodes(3);
    for (String node : List.of("x1", "y1", "x3")) {
      introduced.addPlaces(NodePlace.newBuilder().setNode(node));
    }
    StageReport.Builder report =
        StageReport.newBuilder()
            .setSequence(1)
            .setRound(group.round())
            .setAgents(3)
            .addIntroduced(introduced)
            .addIntroduced(JobIntroduction.newBuilder().setNumber(2).setJob("b").setNodes(3));
    session.received(MemberMessage.newBuilder().setStage(report).build(), PERIOD_NANOS);
    tellAll(group, new StageDecisions(PERIOD_NANOS), PERIOD_NANOS);

    assertThat(group.jobs()).extracting(job -> job.id() + " " + job.nodes()).containsExactly("a 2");
    assertThat(rack.refused)
        .containsExactlyInAnyOrder(
            "y1 is not one of the nodes of x", "job b on 3 nodes; x does not say on which");
  }
}
