package dev.sluice.control.controller;

import static dev.sluice.control.controller.TestPlane.MAXIMUM;
import static dev.sluice.control.controller.TestPlane.METADATA;
import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.agent.AgentRole;
import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.link.LinkRole;
import dev.sluice.control.measure.SimulatedNode;
import dev.sluice.control.server.MemberLine;
import dev.sluice.control.server.MemberSession;
import dev.sluice.control.stage.StageGroup;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.v1.JobIntroduction;
import dev.sluice.control.v1.JobUsage;
import dev.sluice.control.v1.MemberKind;
import dev.sluice.control.v1.MemberMessage;
import dev.sluice.control.v1.NewcomerLimits;
import dev.sluice.control.v1.StageOrders;
import dev.sluice.control.v1.StageReport;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.store.keys.Mandate;
import dev.sluice.store.lease.Leader;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nodes that have nothing to say: how little they say, and that nothing is missed. */
@Timeout(180)
class RestingNodesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Leader LEADER = new Leader(1, 7);

  /** Versions that know nothing of resting. */
  private enum Era {
    BOTH_NEW,
    OLD_AGENT,
    OLD_CONTROLLER
  }

  /** An agent that may pass for an earlier one, or think that its controller is. */
  private static final class Node implements LinkRole {
    private final Era era;
    private final AgentRole agent;
    final SimulatedNode jobs;
    volatile boolean busy;
    final AtomicLong orders = new AtomicLong();

    Node(TestPlane plane, Era era, int port) {
      this.era = era;
      this.jobs = new SimulatedNode("a", 1, () -> busy);
      this.agent = new AgentRole("n-" + era, "test", jobs, plane.loop);
      ControllerLink link =
          new ControllerLink(
              ControllerLink.Addresses.local(TestPlane.loopback(port)),
              this,
              plane.loop,
              new Random(1));
      agent.playOn(link, TestPlane.LAPSE_NANOS);
    }

    @Override
    public Hello hello(Leader obeyed) {
      Hello said = agent.hello(obeyed);
      return era == Era.OLD_AGENT ? said.toBuilder().clearRests().clearLeader().build() : said;
    }

    @Override
    public void ordered(ControllerMessage message, Leader by, long nowNanos)
        throws RefusedException {
      orders.incrementAndGet();
      ControllerMessage.Builder heard = message.toBuilder();
      if (era != Era.BOTH_NEW) {
        heard.getStageBuilder().clearLookEveryMicros().clearRestMicros();
      }
      agent.ordered(heard.build(), by, nowNanos);
    }

    @Override
    public void parted(String reason, long nowNanos) {
      agent.parted(reason, nowNanos);
    }

    long allowed() {
      return jobs.limits().getOrDefault(METADATA, -1L);
    }
  }

  private static long used(Controller controller) {
    return controller.status().resources().getFirst().usedPerSecond();
  }

  @Test
  void anIdleNodeIsToldSeldomKeepsItsLimitsAndIsHeardOnceItDoesSomething() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      Aggregator aggregator = plane.aggregator("rack", controller.port());
      for (int port : new int[] {controller.port(), aggregator.port()}) {
        Node node = new Node(plane, Era.BOTH_NEW, port);
        await("it has its limit", () -> node.allowed() > 0);
        long cycles = controller.status().cycles();
        long orders = node.orders.get();
        await("cycles go by", () -> controller.status().cycles() > cycles + 90);
        // One in forty: twice the time until limits would lapse are forty periods here.
        assertThat(node.orders.get() - orders).isBetween(1L, 10L);
        assertThat(node.allowed()).isPositive();
        assertThat(node.agent.status().lapsed()).isFalse();

        node.busy = true;
        await("what it does is seen", () -> used(controller) > 0);
        long before = node.orders.get();
        long busyCycles = controller.status().cycles();
        await("cycles go by", () -> controller.status().cycles() > busyCycles + 10);
        assertThat(node.orders.get() - before).isGreaterThanOrEqualTo(7);
        node.busy = false;
        await("what it does no more is seen", () -> used(controller) == 0);
      }
    }
  }

  @Test
  void limitsOfARestingNodeLapseWhenItsControllerIsGone() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      Node node = new Node(plane, Era.BOTH_NEW, controller.port());
      await("it has its limit", () -> node.allowed() > 0);
      long cycles = controller.status().cycles();
      await("it rests", () -> controller.status().cycles() > cycles + 10);
      controller.close();
      await("its limits lapse", () -> node.agent.status().lapsed() && node.allowed() < 0);
    }
  }

  @Test
  void withAnEarlierVersionOnTheOtherSideItIsAReportAndOrdersInEveryCycle() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      for (Era era : List.of(Era.OLD_AGENT, Era.OLD_CONTROLLER)) {
        Node node = new Node(plane, era, controller.port());
        await("it has its limit", () -> node.allowed() > 0);
        long cycles = controller.status().cycles();
        long orders = node.orders.get();
        await("cycles go by", () -> controller.status().cycles() > cycles + 10);
        assertThat(node.orders.get() - orders).as(era.name()).isGreaterThanOrEqualTo(7);
        assertThat(node.agent.status().lapsed()).isFalse();
      }
    }
  }

  @Test
  void limitsOfARestingNodeFollowWhatOthersDo() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      Node resting = new Node(plane, Era.BOTH_NEW, controller.port());
      await("it has all", () -> resting.allowed() == MAXIMUM);
      TestPlane.Node other = plane.node("other", "a", controller.port());
      await(
          "they have it together",
          () -> other.allowed() > 0 && other.allowed() + resting.allowed() <= MAXIMUM);
    }
  }

  /** What a member was told, in a world without a network. */
  private static final class Told implements MemberLine {
    final List<StageOrders> orders = new ArrayList<>();

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void send(ControllerMessage message) {
      orders.add(message.getStage());
    }

    @Override
    public void refuse(RefusedException why) {
      throw new IllegalStateException(why);
    }
  }

  private static StageGroup.Orders orders() {
    return new StageGroup.Orders(
        LEADER, SECOND, 5 * SECOND, SECOND, NewcomerLimits.getDefaultInstance());
  }

  /**
   * Whoever rests is not awaited; whoever has reported is told something with the next orders; and
   * whoever is to be awaited was told when to report.
   */
  @Test
  void nobodyIsAwaitedWhoRestsAndEverybodyIsAnsweredWhoReports() {
    SeededCases.forAll(
        500,
        random -> {
          StageGroup group = new StageGroup(10, () -> {});
          group.tellAll(orders(), 0);
          boolean mayRest = random.nextInt(4) > 0;
          Told line = new Told();
          MemberSession member =
              group.join(
                  Hello.newBuilder()
                      .setMember("n")
                      .setKind(MemberKind.MEMBER_KIND_AGENT)
                      .setRests(mayRest)
                      .build(),
                  Mandate.AGENT,
                  line,
                  0);
          boolean introduced = false;
          boolean quiet = false;
          long sequence = 0;
          long now = 0;
          long heard = 0;
          long toldRound = 0;
          for (int cycle = 0; cycle < 30; cycle++) {
            now += SECOND / 4;
            boolean reports = !quiet || random.nextInt(3) == 0 || now - heard > 3 * SECOND;
            if (reports && line.orders.getLast().getRound() > toldRound) {
              toldRound = line.orders.getLast().getRound();
              boolean busy = random.nextBoolean();
              StageReport.Builder report =
                  StageReport.newBuilder()
                      .setSequence(++sequence)
                      .setRound(toldRound)
                      .setElapsedMicros(1_000);
              if (busy && !introduced) {
                introduced = true;
                report.addIntroduced(JobIntroduction.newBuilder().setNumber(1).setJob("a"));
              } else if (busy) {
                report.addUsages(
                    JobUsage.newBuilder().setNumber(1).addAllFigures(List.of(10L, 5L, 0L, 0L)));
              }
              member.received(MemberMessage.newBuilder().setStage(report).build(), now);
              quiet = !busy && mayRest;
              heard = now;
            } else {
              reports = false;
            }
            int before = line.orders.size();
            group.tellAll(orders(), now);
            group.checkInvariants();
            assertThat(group.isComplete()).isEqualTo(quiet);
            boolean told = line.orders.size() > before;
            assertThat(told).isEqualTo(reports || !quiet);
          }
        });
  }
}
