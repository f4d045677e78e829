package dev.sluice.store.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.store.lease.LeaseClaim.Move;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.ObeyedOrders;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Controllers that share a database which forgets, and nodes that obey them, in virtual time: it
 * fails over to a copy that lags, or is restored from long ago; controllers and nodes are paused,
 * killed and cut off from each other and from it; clocks stand still, jump and run at speeds of
 * their own. The claims, the fences and what is believed of members are the real ones.
 */
class ForgetfulDatabaseTest {
  private static final long MILLI = 1_000_000;
  private static final long SECOND = 1_000 * MILLI;
  private static final LeaseTimes TIMES = LeaseTimes.STANDARD;
  private static final long TROUBLE_NANOS = 90 * SECOND;

  /** Longer than a member has to wait that is believed once a minute. */
  private static final long REST_NANOS = 90 * SECOND;

  private static final long CYCLE_NANOS = SECOND;
  private static final long PATIENCE_NANOS = 4 * SECOND;

  /** What happened in all runs, since a test in which nothing does would prove nothing. */
  private static final class Totals {
    int lostEpochs;
    int refusals;
    int steps;
    int changes;
    int violations;
    int momentsWithTwo;
  }

  private static final class World {
    final RandomGenerator random;
    final Totals totals;
    final boolean fenced;

    /** Whether controllers let nodes in without asking whom they have obeyed. */
    final boolean careless;

    final ObeyedOrders log = new ObeyedOrders();
    final List<Controller> controllers = new ArrayList<>();
    final List<Node> nodes = new ArrayList<>();
    final Set<String> cut = new HashSet<>();
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<LeaseRow> rows = new ArrayList<>(List.of(LeaseRow.INITIAL));
    private final List<Long> rowsSince = new ArrayList<>(List.of(0L));
    boolean databaseIsDown;
    long nowNanos;
    private long serial;

    private record Event(long atNanos, long serial, Runnable action) implements Comparable<Event> {
      @Override
      public int compareTo(Event other) {
        return atNanos == other.atNanos
            ? Long.compare(serial, other.serial)
            : Long.compare(atNanos, other.atNanos);
      }
    }

    World(RandomGenerator random, Totals totals, boolean fenced) {
      this.random = random;
      this.totals = totals;
      this.fenced = fenced;
      this.careless = random.nextInt(3) == 0;
    }

    void after(long nanos, Runnable action) {
      events.add(new Event(nowNanos + nanos, serial++, action));
    }

    void run(long untilNanos) {
      while (!events.isEmpty() && events.element().atNanos() <= untilNanos) {
        Event event = events.remove();
        nowNanos = event.atNanos();
        event.action().run();
      }
    }

    LeaseRow row() {
      return rows.getLast();
    }

    void write(LeaseRow row) {
      rows.add(row);
      rowsSince.add(nowNanos);
    }

    /** Becomes what it was so long ago, and is away for a while. */
    void failOver(long lagNanos, long downNanos) {
      long epoch = row().epoch();
      while (rows.size() > 1 && rowsSince.getLast() > nowNanos - lagNanos) {
        rows.removeLast();
        rowsSince.removeLast();
      }
      totals.lostEpochs += row().epoch() < epoch ? 1 : 0;
      databaseIsDown = true;
      after(downNanos, () -> databaseIsDown = false);
    }

    /** Whether all that was to go wrong has. */
    boolean isCalm() {
      return nowNanos > TROUBLE_NANOS + 10 * SECOND;
    }

    boolean isLost() {
      return !isCalm() && random.nextInt(60) == 0;
    }

    long delayNanos() {
      return switch (isCalm() ? 3 : random.nextInt(30)) {
        case 0 -> random.nextLong(5 * SECOND);
        case 1, 2 -> random.nextLong(900 * MILLI);
        default -> random.nextLong(20 * MILLI);
      };
    }

    boolean isCut(Object one, Object other) {
      return cut.contains(one + "-" + other);
    }
  }

  /** What is kept on a disk: it outlives whoever wrote it. */
  private static final class Disk implements LeaderMemory {
    private Leader kept = Leader.NOBODY;

    @Override
    public Leader load() {
      return kept;
    }

    @Override
    public void save(Leader leader) {
      kept = leader;
    }
  }

  /** Something that can be paused, and that has a clock of its own. */
  private abstract static class Machine {
    final World world;
    final String name;
    private final double speed;
    private long clockOffset;
    private long stoodStillAt = -1;
    private long pausedUntilNanos;

    Machine(World world, String name, double speed) {
      this.world = world;
      this.name = name;
      this.speed = speed;
      this.clockOffset = world.random.nextLong(1L << 60);
    }

    long clockNanos() {
      return stoodStillAt >= 0 ? stoodStillAt : clockOffset + (long) (world.nowNanos * speed);
    }

    /** As a virtual machine that is suspended, and does not know it afterwards. */
    void standStill(long nanos) {
      if (stoodStillAt >= 0) {
        return;
      }
      stoodStillAt = clockNanos();
      pause(nanos);
      world.after(
          nanos,
          () -> {
            clockOffset = stoodStillAt - (long) (world.nowNanos * speed);
            stoodStillAt = -1;
          });
    }

    void jump(long nanos) {
      clockOffset += nanos;
    }

    void pause(long nanos) {
      pausedUntilNanos = Math.max(pausedUntilNanos, world.nowNanos + nanos);
    }

    void awake(Runnable action) {
      if (world.nowNanos < pausedUntilNanos) {
        world.after(pausedUntilNanos - world.nowNanos, () -> awake(action));
      } else {
        action.run();
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final class Controller extends Machine {
    private static final long GIVES_UP_NANOS = SECOND;

    private final Disk disk = new Disk();
    private Predecessors predecessors = new Predecessors();
    private LeaseClaim claim;
    private long mark;
    private long life;
    private long turn;
    private final List<Call> calls = new ArrayList<>();

    Controller(World world, String name) {
      super(world, name, 1 + (world.random.nextDouble() - 0.5) * 0.1);
      this.claim = begin();
    }

    private LeaseClaim begin() {
      life++;
      turn++;
      mark = world.random.nextLong() | 1;
      predecessors = new Predecessors();
      List.copyOf(calls).forEach(Call::end);
      long born = life;
      LeaseClaim begun =
          new LeaseClaim(name + " " + life, TIMES, disk.load().epoch(), clockNanos());
      world.after(world.random.nextLong(500 * MILLI), () -> awake(() -> act(born)));
      world.after(world.random.nextLong(CYCLE_NANOS), () -> awake(() -> cycle(born)));
      return begun;
    }

    void restart() {
      claim = begin();
    }

    @Nullable Leader leading() {
      LeaseClaim.Grant grant = claim.grant();
      return grant != null && grant.holds(clockNanos()) ? new Leader(grant.epoch(), mark) : null;
    }

    private void act(long born) {
      if (born != life) {
        return;
      }
      Move move = claim.next(clockNanos());
      if (move instanceof Move.Rest(long untilNanos)) {
        world.after(Math.max(MILLI, untilNanos - clockNanos()) + 1, () -> awake(() -> act(born)));
      } else if (!(move instanceof Move.Over)) {
        ask(move, born);
      }
    }

    private void ask(Move move, long born) {
      long asked = ++turn;
      long beganNanos = clockNanos();
      world.after(GIVES_UP_NANOS, () -> answer(asked, born, () -> claim.failed(clockNanos())));
      if (world.isLost() || world.isCut(this, "database")) {
        return;
      }
      world.after(
          world.delayNanos(),
          () -> {
            if (world.databaseIsDown) {
              return;
            }
            LeaseRow found = world.row();
            boolean replaced =
                move instanceof Move.Replace replace && replace.expected().equals(found);
            if (replaced && move instanceof Move.Replace replace) {
              world.write(replace.by());
            }
            if (!world.isLost()) {
              world.after(
                  world.delayNanos(),
                  () -> answer(asked, born, () -> tell(move, found, replaced, beganNanos)));
            }
          });
    }

    private void tell(Move move, LeaseRow found, boolean replaced, long beganNanos) {
      if (move instanceof Move.Replace replace) {
        claim.wrote(replace, replaced, beganNanos, clockNanos());
      } else {
        claim.seen(found, clockNanos());
      }
      // Before anybody may lead in it.
      if (claim.highestEpoch() > disk.load().epoch()) {
        disk.save(new Leader(claim.highestEpoch(), 0));
      }
    }

    private void answer(long asked, long born, Runnable telling) {
      awake(() -> {
        if (asked == turn && born == life) {
          turn++;
          telling.run();
          act(born);
        }
      });
    }

    private void cycle(long born) {
      if (born != life) {
        return;
      }
      Leader us = leading();
      for (Call call : List.copyOf(calls)) {
        if (us == null) {
          call.end();
        } else {
          call.order(us);
        }
      }
      if (us != null) {
        world.totals.momentsWithTwo +=
            world.controllers.stream().filter(other -> other.leading() != null).count() > 1 ? 1 : 0;
      }
      world.after(CYCLE_NANOS, () -> awake(() -> cycle(born)));
    }

    void welcome(Call call) {
      Leader us = leading();
      if (us == null) {
        call.end();
        return;
      }
      Leader obeyed = world.careless && !world.isCalm() ? Leader.NOBODY : call.node.says();
      switch (predecessors.judge(call.node.name, obeyed, us, 0, clockNanos())) {
        case Predecessors.Verdict.Welcome _ -> {
          calls.add(call);
          call.order(us);
        }
        case Predecessors.Verdict.Outdo _ -> {
          world.totals.steps++;
          claim.outdo(obeyed.epoch(), clockNanos());
          call.end();
        }
        case Predecessors.Verdict.Refuse _ -> call.end();
      }
    }
  }

  /** A node's call to a controller: what is said in it arrives in order, or never. */
  private static final class Call {
    final Node node;
    final Controller controller;
    private long lastArrivalNanos;

    Call(Node node, Controller controller) {
      this.node = node;
      this.controller = controller;
    }

    void order(Leader by) {
      if (node.world.isCut(node, controller)) {
        return;
      }
      lastArrivalNanos =
          Math.max(lastArrivalNanos + 1, node.world.nowNanos + node.world.delayNanos());
      node.world.after(
          lastArrivalNanos - node.world.nowNanos, () -> node.awake(() -> node.ordered(this, by)));
    }

    void end() {
      controller.calls.remove(this);
      node.world.after(node.world.delayNanos(), () -> node.parted(this));
    }
  }

  private static final class Node extends Machine {
    private final Disk disk = new Disk();
    private Fence fence = new Fence(disk);
    private @Nullable Call call;
    private int next;
    private long orderedNanos;
    private @Nullable Leader inForce;

    Node(World world, String name) {
      super(world, name, 1);
      this.next = world.random.nextInt(3);
      dial();
    }

    void restart() {
      fence = new Fence(disk);
      call = null;
      inForce = null;
      dial();
    }

    /** Whom it says that it has obeyed. */
    Leader says() {
      return world.fenced ? fence.obeyed() : Leader.NOBODY;
    }

    private void dial() {
      Call dialled =
          new Call(this, world.controllers.get(Math.floorMod(next++, world.controllers.size())));
      call = dialled;
      orderedNanos = world.nowNanos;
      world.after(PATIENCE_NANOS, () -> look(dialled));
      if (!world.isCut(this, dialled.controller)) {
        world.after(
            world.delayNanos(),
            () -> dialled.controller.awake(() -> dialled.controller.welcome(dialled)));
      }
    }

    private void look(Call looked) {
      if (call != looked) {
        return;
      }
      if (world.nowNanos - orderedNanos >= PATIENCE_NANOS) {
        parted(looked);
      } else {
        world.after(PATIENCE_NANOS, () -> look(looked));
      }
    }

    void parted(Call ended) {
      if (call == ended) {
        call = null;
        ended.controller.calls.remove(ended);
        world.after(
            100 * MILLI + world.random.nextLong(900 * MILLI),
            () ->
                awake(() -> {
                  if (call == null) {
                    dial();
                  }
                }));
      }
    }

    void ordered(Call by, Leader speaker) {
      if (call != by) {
        return;
      }
      String refusal = fence.refusal(speaker);
      if (refusal != null && world.fenced) {
        world.totals.refusals++;
        parted(by);
        return;
      }
      orderedNanos = world.nowNanos;
      inForce = speaker;
      world.log.obeyed(name, speaker.epoch(), Long.toHexString(speaker.mark()), world.nowNanos);
    }
  }

  private static void trouble(World world) {
    RandomGenerator random = world.random;
    for (int i = 0; i < 4; i++) {
      long atNanos = random.nextLong(TROUBLE_NANOS);
      // Mostly a copy that lags; now and then a backup of long ago.
      long lagNanos = random.nextInt(4) == 0 ? TROUBLE_NANOS : random.nextLong(20 * SECOND);
      world.after(atNanos, () -> world.failOver(lagNanos, random.nextLong(6 * SECOND)));
    }
    for (int i = 0; i < 12; i++) {
      Controller controller = world.controllers.get(random.nextInt(world.controllers.size()));
      Node node = world.nodes.get(random.nextInt(world.nodes.size()));
      long lastsNanos = random.nextLong(8 * SECOND);
      Runnable what =
          switch (random.nextInt(8)) {
            case 0 -> () -> controller.pause(lastsNanos);
            case 1 -> () -> controller.standStill(lastsNanos);
            case 2 -> () -> controller.jump(random.nextLong(4 * SECOND));
            case 3 -> controller::restart;
            case 4 -> node::restart;
            case 5 -> () -> node.pause(lastsNanos);
            case 6 -> cutOff(world, controller + "-database", lastsNanos);
            default -> cutOff(world, node + "-" + controller, lastsNanos);
          };
      world.after(random.nextLong(TROUBLE_NANOS), what);
    }
  }

  private static Runnable cutOff(World world, String link, long lastsNanos) {
    return () -> {
      world.cut.add(link);
      world.after(lastsNanos, () -> world.cut.remove(link));
    };
  }

  private static World run(RandomGenerator random, Totals totals, boolean fenced) {
    World world = new World(random, totals, fenced);
    for (int i = 0; i < 2 + random.nextInt(2); i++) {
      world.controllers.add(new Controller(world, "controller-" + i));
    }
    for (int i = 0; i < 4; i++) {
      world.nodes.add(new Node(world, "node-" + i));
    }
    trouble(world);
    world.run(TROUBLE_NANOS + REST_NANOS);
    totals.changes += world.log.changes();
    totals.violations += world.log.violations().size();
    return world;
  }

  @Test
  void neverAreTwoLeadersOrdersInForceOnOneNode() {
    Totals totals = new Totals();
    SeededCases.forAll(
        EnduranceScale.of(1_000, 20_000),
        random -> {
          World world = run(random, totals, true);
          assertThat(world.log.violations()).isEmpty();
          List<Leader> leaders =
              world.controllers.stream().map(Controller::leading).filter(l -> l != null).toList();
          assertThat(leaders).as("who leads once all is quiet").hasSize(1);
          for (Node node : world.nodes) {
            assertThat(node.inForce).as(node.name).isEqualTo(leaders.getFirst());
            assertThat(world.nowNanos - node.orderedNanos)
                .as(node.name)
                .isLessThan(PATIENCE_NANOS + 2 * CYCLE_NANOS);
          }
        });
    System.out.printf(
        "epochs that the database forgot: %d; orders that nodes refused: %d; steps up: %d; changes"
            + " of leader on a node: %d; cycles in which two led: %d%n",
        totals.lostEpochs, totals.refusals, totals.steps, totals.changes, totals.momentsWithTwo);
    // Otherwise it would be no wonder.
    assertThat(totals.lostEpochs).isGreaterThan(400);
    assertThat(totals.steps).isGreaterThan(50);
    assertThat(totals.refusals).isGreaterThan(50);
    assertThat(totals.changes).isGreaterThan(4_000);
  }

  /** The check finds what it is for: without the fence such orders would be obeyed. */
  @Test
  void withoutTheFenceTheCheckFindsThem() {
    Totals totals = new Totals();
    SeededCases.forAll(200, random -> run(random, totals, false));
    assertThat(totals.violations).isPositive();
  }
}
