package dev.sluice.control.controller;

import static dev.sluice.testkit.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.sluice.control.access.KeyFiles;
import dev.sluice.control.agent.AgentRole;
import dev.sluice.control.agent.ControlPrograms;
import dev.sluice.control.aggregator.Aggregator;
import dev.sluice.control.aggregator.AggregatorOptions;
import dev.sluice.control.link.ControllerLink;
import dev.sluice.control.link.LinkRole;
import dev.sluice.control.loop.NettyLoop;
import dev.sluice.control.measure.SimulatedNode;
import dev.sluice.control.v1.ControllerMessage;
import dev.sluice.control.v1.Hello;
import dev.sluice.control.wire.RefusedException;
import dev.sluice.store.lease.Leader;
import dev.sluice.store.lease.LeaderFile;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.ObeyedOrders;
import dev.sluice.testkit.ThrowAwayPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two controllers, each a process of its own, on a real PostgreSQL that is put back to an earlier
 * state after leaders have changed; nodes that call them, some through an aggregator. In the end
 * the log of whom every node obeyed is checked.
 */
@Timeout(1_500)
class ForgetfulPostgresTest {
  private static final int RUNS = EnduranceScale.of(1, 50);
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long LAPSE_NANOS = 5_000_000_000L;

  @TempDir private Path directory;

  private final Random random = new Random(24);
  private final ObeyedOrders log = new ObeyedOrders();
  private final NettyLoop loop = new NettyLoop("nodes");

  /** A controller that is killed, stopped and started again. */
  private static final class Controller {
    final int port;
    final Path state;
    private final Path file;
    private final Path passwords;
    private Process process;

    Controller(Path directory, String name, ThrowAwayPostgres postgres) throws IOException {
      this.port = freePort();
      this.state = directory.resolve(name);
      this.passwords = postgres.passFile();
      this.file =
          Files.writeString(
              directory.resolve(name + ".yaml"),
              """
              listen: 127.0.0.1:%d
              api: none
              state: %s
              store: %s
              period: 500 ms
              history: off
              """
                  .formatted(port, name, postgres.address("postgres")));
      this.process = begin();
    }

    private Process begin() throws IOException {
      return ControlPrograms.start("configured", file.toString(), passwords.toString());
    }

    void restart(boolean forgets) throws Exception {
      process.destroyForcibly();
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      if (forgets) {
        Files.deleteIfExists(state.resolve("leader"));
      }
      process = begin();
    }

    void signal(String signal) throws Exception {
      Process kill = new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start();
      assertThat(kill.waitFor()).isZero();
    }
  }

  /** A node that writes down whom it obeys. */
  private final class Node implements LinkRole {
    final String name;
    private final int[] ports;
    private AgentRole agent;
    private ControllerLink link;
    volatile Leader obeyed = Leader.NOBODY;
    final AtomicLong orders = new AtomicLong();

    Node(String name, int... ports) {
      this.name = name;
      this.ports = ports;
      this.agent = agent();
      this.link = link();
    }

    private AgentRole agent() {
      return new AgentRole(name, "test", new SimulatedNode("job", 1, () -> true), loop);
    }

    private ControllerLink link() {
      InetSocketAddress[] controllers = new InetSocketAddress[ports.length];
      for (int i = 0; i < ports.length; i++) {
        controllers[i] = TestPlane.loopback(ports[i]);
      }
      ControllerLink made =
          new ControllerLink(
              ControllerLink.Addresses.local(controllers),
              this,
              loop,
              new Random(name.hashCode()),
              new LeaderFile(directory.resolve("obeyed-" + name)));
      agent.playOn(made, LAPSE_NANOS);
      return made;
    }

    void restart() {
      link.close();
      agent = agent();
      link = link();
    }

    @Override
    public Hello hello(Leader before) {
      return agent.hello(before);
    }

    @Override
    public void ordered(ControllerMessage message, Leader by, long nowNanos)
        throws RefusedException {
      agent.ordered(message, by, nowNanos);
      obeyed = by;
      orders.incrementAndGet();
      log.obeyed(name, by.epoch(), Long.toHexString(by.mark()), nowNanos);
    }

    @Override
    public void parted(String reason, long nowNanos) {
      agent.parted(reason, nowNanos);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static void awaitOrders(String what, List<Node> nodes, long aboveEpoch) throws Exception {
    long[] before = nodes.stream().mapToLong(node -> node.orders.get()).toArray();
    await(
        PATIENCE,
        what,
        () -> {
          for (int i = 0; i < before.length; i++) {
            Node node = nodes.get(i);
            if (node.orders.get() <= before[i] || node.obeyed.epoch() <= aboveEpoch) {
              return false;
            }
          }
          return nodes.stream().map(node -> node.obeyed).distinct().count() == 1;
        },
        () -> nodes.stream().map(node -> node.name + " " + node.obeyed).toList().toString());
  }

  private static long highest(List<Node> nodes) {
    return nodes.stream().mapToLong(node -> node.obeyed.epoch()).max().orElse(0);
  }

  @Test
  void neverAreTwoLeadersOrdersInForceOnOneNode() throws Exception {
    Path programs = ThrowAwayPostgres.programs();
    assumeTrue(programs != null, "there is no PostgreSQL here (Debian: postgresql)");
    List<Controller> controllers = new ArrayList<>();
    try (ThrowAwayPostgres postgres = ThrowAwayPostgres.start(Objects.requireNonNull(programs))) {
      controllers.add(new Controller(directory, "one", postgres));
      controllers.add(new Controller(directory, "two", postgres));
      int[] ports = controllers.stream().mapToInt(controller -> controller.port).toArray();
      try (Aggregator aggregator =
          new Aggregator(
              new AggregatorOptions("rack", "test", TestPlane.loopback(0), null, 200_000_000L, 100),
              ControllerLink.Addresses.local(
                  TestPlane.loopback(ports[1]), TestPlane.loopback(ports[0])),
              KeyFiles.ofAggregator(null, "rack"),
              new Random(1),
              new LeaderFile(directory.resolve("obeyed-rack")))) {
        List<Node> nodes =
            List.of(
                new Node("n1", ports),
                new Node("n2", ports[1], ports[0]),
                new Node("behind", aggregator.port()));
        awaitOrders("all obey somebody", nodes, 0);
        for (int run = 0; run < RUNS; run++) {
          forget(postgres, controllers, nodes);
          assertThat(log.violations()).isEmpty();
        }
        System.out.printf(
            "%d runs: %d orders put in force, %d changes of leader on a node, epoch %d at the"
                + " end%n",
            RUNS, log.count(), log.changes(), highest(nodes));
      }
    } finally {
      controllers.forEach(controller -> controller.process.destroyForcibly());
      loop.close();
    }
    assertThat(log.violations()).isEmpty();
    assertThat(log.changes()).isGreaterThanOrEqualTo(3 * RUNS);
  }

  /** Leaders change, and the database forgets it. */
  private void forget(ThrowAwayPostgres postgres, List<Controller> controllers, List<Node> nodes)
      throws Exception {
    postgres.stop();
    postgres.keepCopy();
    postgres.start();
    awaitOrders("all obey again", nodes, 0);

    long before = highest(nodes);
    Controller stopped = controllers.get(random.nextInt(2));
    Controller other = controllers.get(stopped == controllers.getFirst() ? 1 : 0);
    // Whoever leads: one of the two is stopped, then the other killed, so that both have led.
    stopped.signal("STOP");
    awaitOrders("they obey whoever goes on", nodes, 0);
    other.restart(false);
    stopped.signal("CONT");
    awaitOrders("they obey a later leader", nodes, before);
    if (random.nextBoolean()) {
      nodes.get(random.nextInt(nodes.size())).restart();
    }

    long forgotten = highest(nodes);
    boolean pausedMeanwhile = random.nextBoolean();
    if (pausedMeanwhile) {
      stopped.signal("STOP");
    }
    postgres.stop();
    postgres.goBackToCopy();
    postgres.start();
    if (pausedMeanwhile) {
      stopped.signal("CONT");
    }
    if (random.nextBoolean()) {
      // With its file gone, nobody but the nodes knows who has led.
      stopped.restart(random.nextBoolean());
      other.restart(random.nextBoolean());
    }
    awaitOrders("they obey above all that was forgotten", nodes, forgotten);
  }
}
