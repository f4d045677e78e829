package dev.sluice.control.controller;

import static dev.sluice.control.controller.TestPlane.MAXIMUM;
import static dev.sluice.control.controller.TestPlane.METADATA;
import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.leader.Standing;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.Limit;
import dev.sluice.control.settings.SharedResource;
import dev.sluice.core.model.JobId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Controllers and nodes over real connections: who may do what, and what happens when some go. */
@Timeout(180)
class ControlPlaneTest {
  @Test
  void aJobOnManyNodesIsOneJobAndAllTogetherHaveTheMaximum() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      TestPlane.Node one = plane.node("n1", "a", controller.port());
      TestPlane.Node two = plane.node("n2", "a", controller.port());
      TestPlane.Node three = plane.node("n3", "b", controller.port());
      await(
          "all nodes have limits",
          () -> one.allowed() > 0 && two.allowed() > 0 && three.allowed() > 0);
      ControllerStatus status = controller.status();
      assertThat(status.members()).hasSize(3);
      assertThat(status.jobs())
          .extracting(ControllerStatus.JobState::job)
          .containsExactly("a", "b");
      assertThat(status.jobs().getFirst().nodes()).isEqualTo(2);
      assertThat(
              status.jobs().stream()
                  .mapToLong(job -> job.rates().getFirst().allowedPerSecond())
                  .sum())
          .isEqualTo(MAXIMUM);
    }
  }

  @Test
  void whoLeavesMakesRoomForTheOthers() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      TestPlane.Node one = plane.node("n1", "a", controller.port());
      TestPlane.Node two = plane.node("n2", "b", controller.port());
      await("both have limits", () -> one.allowed() > 0 && two.allowed() > 0);
      two.link().close();
      await("the other has all", () -> one.allowed() == MAXIMUM);
      assertThat(controller.status().jobs()).hasSize(1);
    }
  }

  @Test
  void limitsHoldWhateverThereIs() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Limit limit = new Limit(new Limit.OfJob(JobId.of("a")), METADATA, 1_000, Limit.Firmness.HARD);
      plane.settings.set(TestPlane.settings(2, MAXIMUM, List.of(limit)));
      Controller controller = plane.controller(0, Leadership.alone(1));
      TestPlane.Node one = plane.node("n1", "a", controller.port());
      TestPlane.Node two = plane.node("n2", "b", controller.port());
      await(
          "the limit holds and the rest is the other's",
          () -> one.allowed() == 1_000 && two.allowed() == MAXIMUM - 1_000);
      Limit together = new Limit(new Limit.OfUser("nobody"), METADATA, 5_000, Limit.Firmness.HARD);
      plane.settings.set(TestPlane.settings(3, MAXIMUM, List.of(together)));
      await(
          "both together keep to their user's limit", () -> one.allowed() + two.allowed() <= 5_000);
      plane.settings.set(new ControlSettings(4, List.of(), List.of()));
      await("nobody is limited any more", () -> one.allowed() == -1 && two.allowed() == -1);
    }
  }

  @Test
  void ourOwnPolicyDividesResourcesAndSaysWhy() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      plane.settings.set(
          new ControlSettings(
              2,
              List.of(
                  new SharedResource(
                      METADATA, MAXIMUM, "sojourn-all", Map.of("keep", "0.6"), Map.of())),
              List.of()));
      Controller controller = plane.controller(0, Leadership.alone(1));
      TestPlane.Node one = plane.node("n1", "a", controller.port());
      TestPlane.Node two = plane.node("n2", "a", controller.port());
      TestPlane.Node three = plane.node("n3", "b", controller.port());
      await(
          "all nodes have limits, and together no more than there is",
          () ->
              one.allowed() > 0
                  && two.allowed() > 0
                  && three.allowed() > 0
                  && one.allowed() + two.allowed() + three.allowed() <= MAXIMUM);
      ControllerStatus.ResourceState resource = controller.status().resources().getFirst();
      assertThat(resource.algorithm()).isEqualTo("sojourn-all");
      assertThat(Objects.requireNonNull(resource.explanation()).reasons())
          .extracting(reason -> reason.job().toString())
          .containsExactly("a", "b");
    }
  }

  @Test
  void throughAggregatorsItIsTheSame() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller controller = plane.controller(0, Leadership.alone(1));
      Aggregator left = plane.aggregator("left", controller.port());
      Aggregator right = plane.aggregator("right", controller.port());
      TestPlane.Node one = plane.node("n1", "a", left.port());
      TestPlane.Node two = plane.node("n2", "a", right.port());
      TestPlane.Node three = plane.node("n3", "b", right.port());
      await(
          "all nodes have limits",
          () -> one.allowed() > 0 && two.allowed() > 0 && three.allowed() > 0);
      await(
          "the controller knows all agents",
          () ->
              controller.status().members().stream().mapToInt(ControllerStatus.Member::agents).sum()
                  == 3);
      assertThat(controller.status().jobs().getFirst().nodes()).isEqualTo(2);
      // An aggregator that dies is a node that leaves; its agents go elsewhere or are free.
      right.close();
      await("what is left has all", () -> one.allowed() == MAXIMUM);
      await("behind it limits lapse", () -> two.allowed() == -1 && three.allowed() == -1);
    }
  }

  @Test
  void withoutAControllerLimitsLapseAndComeBackWithIt() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      Controller first = plane.controller(0, Leadership.alone(1));
      int port = first.port();
      TestPlane.Node node = plane.node("n1", "a", port);
      await("it has a limit", () -> node.allowed() == MAXIMUM);
      first.close();
      await("the limit lapses", () -> node.allowed() == -1);
      assertThat(node.role().status().lapsed()).isTrue();
      assertThat(node.role().status().connected()).isFalse();
      assertThat(node.role().status().trouble()).isNotEmpty();
      Controller second = plane.controller(port, Leadership.alone(2));
      await("it is back", () -> node.allowed() == MAXIMUM);
      assertThat(node.role().status().lapsed()).isFalse();
      assertThat(second.status().members()).hasSize(1);
    }
  }

  @Test
  void aControllerThatLostItsLeaseGivesNoOrdersAndNodesGoToTheOther() throws Exception {
    try (TestPlane plane = new TestPlane()) {
      AtomicReference<Standing> old = new AtomicReference<>(new Standing.Leads(1));
      AtomicReference<Standing> next = new AtomicReference<>(new Standing.Follows("the old one"));
      Controller one = plane.controller(0, _ -> old.get());
      Controller two = plane.controller(0, _ -> next.get());
      TestPlane.Node node = plane.node("n1", "a", two.port(), one.port());
      await("the leader has it", () -> node.allowed() == MAXIMUM);
      assertThat(one.status().members()).hasSize(1);
      old.set(new Standing.Follows("the new one"));
      next.set(new Standing.Leads(2));
      await("the new leader has it", () -> two.status().members().size() == 1);
      await("and gives it orders", () -> node.role().status().epoch() == 2);
      // The old one believes again that it leads: nobody takes its orders.
      old.set(new Standing.Leads(1));
      long cycles = one.status().cycles();
      await("it goes on", () -> one.status().cycles() > cycles + 5);
      assertThat(one.status().members()).isEmpty();
      assertThat(node.role().status().epoch()).isEqualTo(2);
    }
  }
}
