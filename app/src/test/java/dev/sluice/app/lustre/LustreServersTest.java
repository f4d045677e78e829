package dev.sluice.app.lustre;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.access.MemberAuthenticator;
import dev.sluice.control.agent.NodeLink;
import dev.sluice.control.controller.Controller;
import dev.sluice.control.controller.ControllerOptions;
import dev.sluice.control.controller.ControllerStatus;
import dev.sluice.control.leader.Leadership;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.settings.ControlSettings;
import dev.sluice.control.settings.Limit;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.guarantee.Goals;
import dev.sluice.core.policy.guarantee.Guarantee;
import dev.sluice.core.policy.guarantee.Guarantees;
import dev.sluice.core.policy.guarantee.Promises;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.lustre.LustreJobId;
import dev.sluice.lustre.LustreService;
import dev.sluice.lustre.control.Decision;
import dev.sluice.lustre.control.JobReport;
import dev.sluice.lustre.control.OrderedLimits;
import dev.sluice.lustre.control.PeriodReport;
import dev.sluice.lustre.control.QueueFacts;
import dev.sluice.lustre.stats.JobActivity;
import dev.sluice.store.lease.LeaderMemory;
import dev.sluice.testkit.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job has one limit over several Lustre servers, and none when the controller is gone. */
@Tag("untimed")
class LustreServersTest {
  private static final JobId JOB = JobId.of("4711");
  private static final long PERIOD_NANOS = 50_000_000L;
  private static final long LIMIT = 1_000;

  /** A server on which the job is served what it wants and may have. */
  private static final class Server implements AutoCloseable {
    final OrderedLimits ordered = new OrderedLimits();
    final LustreNode node =
        new LustreNode(
            LustreService.OST_IO, PolicyRegistry.named("fair").info(), ordered, System::nanoTime);
    final NodeLink link;
    final ScheduledExecutorService periods = Executors.newSingleThreadScheduledExecutor();
    volatile double wantedPerSecond;

    Server(String name, int port, double wantedPerSecond) {
      this.wantedPerSecond = wantedPerSecond;
      this.link =
          new NodeLink(
              node,
              name,
              "test",
              ControllerLink.Addresses.local(
                  new InetSocketAddress(InetAddress.getLoopbackAddress(), port)),
              LeaderMemory.NONE);
      ScheduledFuture<?> _ =
          periods.scheduleAtFixedRate(this::serve, 0, PERIOD_NANOS, TimeUnit.NANOSECONDS);
    }

    private void serve() {
      double allowed = ordered.perSecond(JOB);
      boolean heldBack = wantedPerSecond >= allowed;
      long served = Math.round(Math.min(wantedPerSecond, allowed) * PERIOD_NANOS / 1e9);
      node.look(report(served, heldBack), System.nanoTime());
    }

    double allowed() {
      return ordered.perSecond(JOB);
    }

    @Override
    public void close() {
      periods.shutdownNow();
      link.close();
    }
  }

  private static PeriodReport report(long served, boolean heldBack) {
    LustreJobId id = new LustreJobId("4711");
    JobReport job =
        new JobReport(
            JOB,
            "ann",
            1,
            null,
            Double.POSITIVE_INFINITY,
            new JobActivity(id, served, served, 0, served << 20, 0),
            0,
            heldBack,
            served,
            served,
            "sl_4711",
            served,
            1,
            null);
    Explanation nothing =
        new Explanation() {
          @Override
          public String summary() {
            return "";
          }

          @Override
          public List<Reason> reasons() {
            return List.of();
          }
        };
    Decision decision =
        new Decision(
            List.of(),
            "default",
            List.of(job),
            served,
            0,
            QueueFacts.UNKNOWN,
            1,
            false,
            null,
            nothing);
    return new PeriodReport(PERIOD_NANOS, decision, List.of(), 0, List.of());
  }

  @Test
  void aJobHasOneLimitOverAllServersAndNoneWithoutAController() throws Exception {
    Limit limit =
        new Limit(
            new Limit.OfJob(JOB),
            new LimitKey("data", Counted.OPERATIONS),
            LIMIT,
            Limit.Firmness.HARD);
    Controller controller = controller(new ControlSettings(1, List.of(), List.of(limit)));
    try (Server one = new Server("oss1", controller.port(), 5_000);
        Server other = new Server("oss2", controller.port(), 100)) {
      Eventually.await(
          "most of the limit where the job waits for it",
          () ->
              one.allowed() > 0.7 * LIMIT
                  && other.allowed() >= 100
                  && one.allowed() + other.allowed() <= LIMIT + 1,
          () -> one.allowed() + " and " + other.allowed());

      one.wantedPerSecond = 10;
      other.wantedPerSecond = 5_000;
      Eventually.await(
          "the limit to follow the job",
          () -> other.allowed() > 0.7 * LIMIT && one.allowed() + other.allowed() <= LIMIT + 1,
          () -> one.allowed() + " and " + other.allowed());

      controller.close();
      Eventually.await(
          "no limit without a controller",
          () -> Double.isInfinite(one.allowed()) && Double.isInfinite(other.allowed()));
      assertThat(one.link.status().lapsed()).isTrue();
    }
  }

  @Test
  void whatCannotBeHeldIsTold() throws Exception {
    Limit limit =
        new Limit(
            new Limit.OfJob(JOB),
            new LimitKey("read", Counted.OPERATIONS),
            LIMIT,
            Limit.Firmness.HARD);
    try (Controller controller = controller(new ControlSettings(1, List.of(), List.of(limit)));
        Server server = new Server("oss1", controller.port(), 100)) {
      Eventually.await("a word about the limit", () -> server.node.problem() != null);

      assertThat(server.node.problem())
          .isEqualTo(
              "the controller limits read, and rules by job count all requests of ost_io alike: not"
                  + " held here");
      assertThat(server.allowed()).isInfinite();
    }
  }

  @Test
  void whatAControllerGuaranteesIsKeptUntilItIsGone() throws Exception {
    Guarantees promised = new Guarantees(List.of(guarantee(Counted.OPERATIONS)));
    Controller controller = controller(promising(promised));
    try (Server server = new Server("oss1", controller.port(), 100)) {
      Eventually.await("what is guaranteed", () -> server.ordered.guarantees().equals(promised));
      assertThat(server.node.problem()).isNull();
      assertThat(controller.status().members()).allMatch(ControllerStatus.Member::keepsGuarantees);

      controller.close();
      Eventually.await("none without a controller", () -> server.ordered.guarantees().isEmpty());
    }
  }

  @Test
  void bytesThatAreGuaranteedAreToldNotToBeKept() throws Exception {
    Guarantees promised = new Guarantees(List.of(guarantee(Counted.BYTES)));
    try (Controller controller = controller(promising(promised));
        Server server = new Server("oss1", controller.port(), 100)) {
      Eventually.await("a word about the guarantee", () -> server.node.problem() != null);
      assertThat(server.node.problem())
          .isEqualTo(
              "the controller guarantees user ann's 500 B/s, and rules count requests: bytes are"
                  + " not kept here");
    }
  }

  @Test
  void whosePolicyReservesNothingSaysSo() {
    LustreNode node =
        new LustreNode(
            LustreService.OST_IO,
            PolicyRegistry.named("adaptbf").info(),
            new OrderedLimits(),
            System::nanoTime);
    node.guarantee(new Guarantees(List.of(guarantee(Counted.OPERATIONS))));
    assertThat(node.problem())
        .isEqualTo(
            "the controller guarantees rates, which policy adaptbf does not keep; fair does");
    node.guarantee(Guarantees.NONE);
    assertThat(node.problem()).isNull();
  }

  private static Guarantee guarantee(Counted counted) {
    return new Guarantee(Guarantee.Who.USER, "ann", 500, counted);
  }

  private static ControlSettings promising(Guarantees guarantees) {
    return new ControlSettings(1, List.of(), List.of(), new Promises(guarantees, Goals.NONE));
  }

  private static Controller controller(ControlSettings settings) throws IOException {
    return new Controller(
        new ControllerOptions(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            null,
            PERIOD_NANOS,
            4 * PERIOD_NANOS,
            20 * PERIOD_NANOS,
            100),
        _ -> settings,
        Leadership.alone(1),
        MemberAuthenticator.TRUSTING,
        _ -> {});
  }
}
