package dev.sluice.control.controller;

import static dev.sluice.control.controller.TestPlane.MAXIMUM;
import static dev.sluice.control.controller.TestPlane.METADATA;
import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.agent.AgentRole;
import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.leader.LeadsAlone;
import dev.sluice.control.leader.Standing;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.measure.SimulatedNode;
import dev.sluice.store.lease.Leader;
import dev.sluice.store.lease.LeaderFile;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes that have obeyed somebody whom their controller does not know of. */
@Timeout(120)
class LeaderNumbersTest {
  @TempDir private Path directory;

  /** A node that has obeyed somebody in an earlier life. */
  private record Node(SimulatedNode jobs, AgentRole role, LeaderFile memory) {
    long allowed() {
      return jobs.limits().getOrDefault(METADATA, -1L);
    }
  }

  private Node node(TestPlane plane, String name, Leader obeyed, int port) throws Exception {
    LeaderFile memory = new LeaderFile(directory.resolve(name));
    memory.save(obeyed);
    SimulatedNode jobs = new SimulatedNode("a", 1, () -> true);
    AgentRole role = new AgentRole(name, "test", jobs, plane.loop);
    ControllerLink link =
        new ControllerLink(
            ControllerLink.Addresses.local(TestPlane.loopback(port)),
            role,
            plane.loop,
            new Random(1),
            memory);
    role.playOn(link, TestPlane.LAPSE_NANOS);
    return new Node(jobs, role, memory);
  }

  private static long epoch(Controller controller) {
    return controller.status().standing() instanceof Standing.Leads leads ? leads.epoch() : -1;
  }

  @Test
  void aControllerGoesAboveWhateverItsNodesHaveObeyed() throws Exception {
    LeaderFile own = new LeaderFile(directory.resolve("leader"));
    own.save(new Leader(5, 1));
    try (TestPlane plane = new TestPlane()) {
      // A clock that was set back: its own file has more than the clock says.
      Controller controller = plane.controller(0, new LeadsAlone(own, 3));
      Node higher = node(plane, "higher", new Leader(40, 1), controller.port());
      await("it obeys", () -> higher.allowed() == MAXIMUM);
      assertThat(epoch(controller)).isEqualTo(41);
      assertThat(higher.role.status().epoch()).isEqualTo(41);
      assertThat(higher.memory.load().epoch()).isEqualTo(41);
      assertThat(own.load()).isEqualTo(higher.memory.load());
      // Another leader that had our very number.
      Node same = node(plane, "same", new Leader(41, 1), controller.port());
      await("it obeys, too", () -> same.allowed() > 0);
      await("and so does the first", () -> higher.role.status().epoch() == 42);
      assertThat(same.memory.load()).isEqualTo(own.load());
    }
  }

  @Test
  void whatIsSaidBehindAnAggregatorReachesTheController() throws Exception {
    LeaderFile own = new LeaderFile(directory.resolve("leader"));
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, new LeadsAlone(own, 3));
      Aggregator aggregator = plane.aggregator("rack", controller.port());
      Node behind = node(plane, "behind", new Leader(7, 1), aggregator.port());
      await("it obeys", () -> behind.allowed() == MAXIMUM);
      assertThat(epoch(controller)).isEqualTo(8);
      assertThat(behind.memory.load()).isEqualTo(own.load());
    }
  }

  @Test
  void aLeaderThatCannotGoHigherIsNotObeyedAndTheNodeSaysWhy() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, Leadership.alone(3));
      Node node = node(plane, "n1", new Leader(7, 1), controller.port());
      await(
          "it is told why",
          () -> node.role.status().trouble().contains("n1 has obeyed leader 7, and this is 3"));
      assertThat(node.allowed()).isEqualTo(-1);
      assertThat(node.memory.load()).isEqualTo(new Leader(7, 1));
    }
  }

  @Test
  void aMemberThatLiesAboutItTakesNoNumbersAwayAndNobodysLimits() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller =
          plane.controller(0, new LeadsAlone(new LeaderFile(directory.resolve("leader")), 3));
      TestPlane.Node honest = plane.node("honest", "b", controller.port());
      await("the honest one obeys", () -> honest.allowed() == MAXIMUM);
      Node liar = node(plane, "liar", new Leader(999_999_999_999_999_999L, 1), controller.port());
      await(
          "the liar is refused", () -> liar.role.status().trouble().contains("no leader can have"));
      assertThat(epoch(controller)).isEqualTo(3);
      assertThat(honest.allowed()).isEqualTo(MAXIMUM);
      assertThat(honest.role().status().connected()).isTrue();
    }
  }
}
