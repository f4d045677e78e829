package dev.sluice.store.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.store.lease.LeaseClaim.Move;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Claims to one lease, with clocks, a database and pauses that are made up. */
class LeaseClaimTest {
  private static final long MILLI = 1_000_000;
  private static final LeaseTimes TIMES = LeaseTimes.STANDARD;

  /** A database that answers late, or never, and may do what it was asked for all the same. */
  private static final class World {
    private final RandomGenerator random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Controller> controllers = new ArrayList<>();
    private LeaseRow row = LeaseRow.INITIAL;
    private long nowNanos;
    private long serial;
    private boolean databaseIsDown;
    private int handovers;
    private @Nullable Controller lastLeader;

    /** The highest epoch that anybody has led in, and who did. */
    private final Map<Long, String> leaderOfEpoch = new HashMap<>();

    private record Event(long atNanos, long serial, Runnable action) implements Comparable<Event> {
      @Override
      public int compareTo(Event other) {
        return atNanos == other.atNanos
            ? Long.compare(serial, other.serial)
            : Long.compare(atNanos, other.atNanos);
      }
    }

    World(RandomGenerator random) {
      this.random = random;
    }

    void after(long nanos, Runnable action) {
      events.add(new Event(nowNanos + nanos, serial++, action));
    }

    void run(long untilNanos) {
      while (!events.isEmpty() && events.element().atNanos() <= untilNanos) {
        Event event = events.remove();
        check(event.atNanos());
        nowNanos = event.atNanos();
        event.action().run();
        check(nowNanos);
      }
    }

    /** Grants only end as time passes, so that the moments of events are all that matter. */
    private void check(long atNanos) {
      List<Controller> leaders =
          controllers.stream().filter(controller -> controller.leadsAt(atNanos)).toList();
      assertThat(leaders).as("leaders at %d", atNanos).hasSizeLessThan(2);
      for (Controller leader : leaders) {
        LeaseClaim.Grant grant = leader.grant();
        String before = leaderOfEpoch.putIfAbsent(grant.epoch(), leader.name);
        assertThat(before == null || before.equals(leader.name)).isTrue();
        if (lastLeader != leader) {
          lastLeader = leader;
          handovers++;
        }
      }
    }

    /** Mostly quick; now and then so slow that whoever asked has given up. */
    long delayNanos() {
      return switch (random.nextInt(20)) {
        case 0 -> random.nextLong(8_000 * MILLI);
        case 1, 2 -> random.nextLong(900 * MILLI);
        default -> random.nextLong(20 * MILLI);
      };
    }
  }

  /** A controller whose clock began anywhere and runs at a speed of its own. */
  private static final class Controller {
    private static final long GIVES_UP_NANOS = 1_000 * MILLI;

    private final World world;
    private final String name;
    private final long clockBegan;
    private final double clockSpeed;
    private final LeaseClaim claim;
    private long pausedUntilNanos;
    private long turn;

    Controller(World world, String name, double speedDifference) {
      this.world = world;
      this.name = name;
      this.clockBegan = world.random.nextLong();
      this.clockSpeed = 1 + speedDifference;
      this.claim = new LeaseClaim(name, TIMES, 0, clockNanos(world.nowNanos));
      world.controllers.add(this);
      world.after(world.random.nextLong(1_000 * MILLI), this::act);
    }

    long clockNanos(long atNanos) {
      return clockBegan + (long) (atNanos * clockSpeed);
    }

    private long now() {
      return clockNanos(world.nowNanos);
    }

    /** What it would say if it were asked: a paused one is asked the moment it goes on. */
    boolean leadsAt(long atNanos) {
      return claim.mayLead(clockNanos(atNanos));
    }

    LeaseClaim.Grant grant() {
      LeaseClaim.Grant grant = claim.grant();
      if (grant == null) {
        throw new IllegalStateException(name + " does not lead");
      }
      return grant;
    }

    /** Does something as soon as it is not paused. */
    private void awake(Runnable action) {
      if (world.nowNanos < pausedUntilNanos) {
        world.after(pausedUntilNanos - world.nowNanos, () -> awake(action));
      } else {
        action.run();
      }
    }

    private void act() {
      if (world.random.nextInt(40) == 0) {
        pausedUntilNanos = world.nowNanos + world.random.nextLong(12_000 * MILLI);
      }
      awake(this::move);
    }

    private void move() {
      Move move = claim.next(now());
      switch (move) {
        case Move.Rest(long untilNanos) ->
            world.after(Math.max(1, (long) ((untilNanos - now()) / clockSpeed) + 1), this::act);
        case Move.Over _ -> {}
        case Move.Look look -> ask(look);
        case Move.Replace replace -> ask(replace);
      }
    }

    /**
     * Sends a question. It reaches the database after a while, or never; the answer takes its time,
     * too. Whoever waits too long gives up, and what was asked for may happen nevertheless.
     */
    private void ask(Move move) {
      turn++;
      long asked = turn;
      long beganNanos = now();
      world.after(GIVES_UP_NANOS, () -> awake(() -> answer(asked, () -> claim.failed(now()))));
      if (world.random.nextInt(25) == 0) {
        return;
      }
      world.after(
          world.delayNanos(),
          () -> {
            if (world.databaseIsDown) {
              return;
            }
            LeaseRow found = world.row;
            boolean replaced =
                move instanceof Move.Replace replace && replace.expected().equals(found);
            if (replaced && move instanceof Move.Replace replace) {
              world.row = replace.by();
            }
            if (world.random.nextInt(25) == 0) {
              return;
            }
            world.after(
                world.delayNanos(),
                () -> awake(() -> answer(asked, () -> tell(move, found, replaced, beganNanos))));
          });
    }

    private void tell(Move move, LeaseRow found, boolean replaced, long beganNanos) {
      if (move instanceof Move.Replace replace) {
        claim.wrote(replace, replaced, beganNanos, now());
      } else {
        claim.seen(found, now());
      }
    }

    private void answer(long asked, Runnable telling) {
      if (asked == turn) {
        turn++;
        telling.run();
        act();
      }
    }
  }

  @Test
  void neverDoTwoLeadAtOneMoment() {
    int[] handovers = {0};
    SeededCases.forAll(
        4_000,
        random -> {
          World world = new World(random);
          int count = 2 + random.nextInt(3);
          for (int i = 0; i < count; i++) {
            // Twice this is what the margin allows for.
            new Controller(world, "controller-" + i, (random.nextDouble() - 0.5) * 0.15);
          }
          for (int i = 0; i < 3; i++) {
            long downNanos = random.nextLong(60_000 * MILLI);
            world.after(downNanos, () -> world.databaseIsDown = true);
            world.after(
                downNanos + random.nextLong(8_000 * MILLI), () -> world.databaseIsDown = false);
            Controller quitter = world.controllers.get(random.nextInt(count));
            if (i == 0 && count > 2) {
              world.after(random.nextLong(60_000 * MILLI), quitter.claim::giveUp);
            }
          }
          world.run(60_000 * MILLI);
          handovers[0] += world.handovers;
        });
    // Otherwise it would be no wonder.
    assertThat(handovers[0]).isGreaterThan(4_000);
  }

  @Test
  void aDeadLeaderIsReplacedWithinALookAndALease() {
    SeededCases.forAll(
        200,
        random -> {
          LeaseRow row = LeaseRow.INITIAL;
          long now = random.nextLong();
          LeaseClaim dead = new LeaseClaim("dead", TIMES, 0, now);
          dead.seen(row, now);
          Move.Replace taking = (Move.Replace) dead.next(now);
          dead.wrote(taking, true, now, now);
          row = taking.by();
          LeaseClaim other = new LeaseClaim("other", TIMES, 0, now);
          other.seen(LeaseRow.INITIAL, now - random.nextLong(500 * MILLI));
          long diedNanos = now;
          while (true) {
            Move move = other.next(now);
            if (move instanceof Move.Rest(long untilNanos)) {
              now = untilNanos;
            } else if (move instanceof Move.Look) {
              now += MILLI;
              other.seen(row, now);
            } else if (move instanceof Move.Replace replace) {
              boolean replaced = replace.expected().equals(row);
              other.wrote(replace, replaced, now, now + MILLI);
              now += MILLI;
              if (replaced) {
                break;
              }
            }
          }
          assertThat(other.mayLead(now)).isTrue();
          assertThat(other.grant()).extracting(LeaseClaim.Grant::epoch).isEqualTo(2L);
          assertThat(dead.mayLead(now)).isFalse();
          assertThat(now - diedNanos).isLessThan(4_000 * MILLI);
        });
  }

  @Test
  void whoGivesUpLeavesItToOthersAtOnce() {
    LeaseClaim first = new LeaseClaim("first", TIMES, 0, 0);
    first.seen(LeaseRow.INITIAL, 0);
    Move.Replace taking = (Move.Replace) first.next(0);
    first.wrote(taking, true, 0, 0);
    assertThat(first.mayLead(0)).isTrue();
    first.giveUp();
    assertThat(first.mayLead(0)).isFalse();
    Move.Replace giving = (Move.Replace) first.next(1);
    first.wrote(giving, true, 1, 1);
    assertThat(first.next(2)).isInstanceOf(Move.Over.class);

    LeaseClaim second = new LeaseClaim("second", TIMES, 0, 0);
    second.seen(giving.by(), 2);
    assertThat(second.next(2))
        .isEqualTo(new Move.Replace(giving.by(), new LeaseRow(2, "second", 0)));
  }

  @Test
  void aDatabaseThatIsAwayTakesTheRightWithIt() {
    LeaseClaim claim = new LeaseClaim("only", TIMES, 0, 0);
    claim.seen(LeaseRow.INITIAL, 0);
    claim.wrote((Move.Replace) claim.next(0), true, 0, 5 * MILLI);
    long over = TIMES.leaseNanos() - TIMES.marginNanos();
    claim.failed(600 * MILLI);
    assertThat(claim.mayLead(over - 1)).isTrue();
    assertThat(claim.mayLead(over)).isFalse();
    // Its own row is anybody's: the database may have lost what others wrote in the meantime.
    long backNanos = 9_000 * MILLI;
    for (long now = backNanos; now < backNanos + TIMES.leaseNanos(); now += TIMES.lookNanos()) {
      assertThat(claim.next(now)).isEqualTo(new Move.Look());
      claim.seen(new LeaseRow(1, "only", 0), now);
      assertThat(claim.mayLead(now)).isFalse();
    }
    long freeNanos = backNanos + TIMES.leaseNanos();
    Move.Replace again = (Move.Replace) claim.next(freeNanos);
    claim.wrote(again, true, freeNanos, freeNanos + MILLI);
    assertThat(claim.mayLead(freeNanos + MILLI)).isTrue();
    assertThat(claim.grant()).extracting(LeaseClaim.Grant::epoch).isEqualTo(2L);
  }

  @Test
  void whatIsKnownOfEpochsIsNeverTakenAgain() {
    SeededCases.forAll(
        1_000,
        random -> {
          long kept = random.nextLong(100);
          long inDatabase = random.nextLong(100);
          long told = random.nextLong(100);
          LeaseClaim claim = new LeaseClaim("only", TIMES, kept, 0);
          claim.seen(new LeaseRow(inDatabase, LeaseRow.NOBODY, 7), 0);
          claim.outdo(told, 0);
          long now = 0;
          Move move = claim.next(now);
          while (!(move instanceof Move.Replace)) {
            now += TIMES.lookNanos();
            claim.seen(new LeaseRow(inDatabase, LeaseRow.NOBODY, 7), now);
            move = claim.next(now);
          }
          long highest = Math.max(inDatabase, Math.max(kept, told));
          // Who knows of later leaders than the database lets them end first.
          assertThat(now).isEqualTo(inDatabase < highest ? TIMES.leaseNanos() : 0);
          Move.Replace taking = (Move.Replace) move;
          assertThat(taking.by().epoch()).isEqualTo(highest + 1);
          claim.wrote(taking, true, now, now);

          // A node says that somebody else led in a later one, or in the same.
          long obeyed = highest + 1 + random.nextLong(10);
          claim.outdo(obeyed, now);
          Move.Replace stepping = (Move.Replace) claim.next(now);
          assertThat(stepping.by()).isEqualTo(new LeaseRow(obeyed + 1, "only", 0));
          claim.wrote(stepping, true, now, now);
          assertThat(claim.grant()).extracting(LeaseClaim.Grant::epoch).isEqualTo(obeyed + 1);
          assertThat(claim.next(now)).isInstanceOf(Move.Rest.class);
        });
  }

  @Test
  void aRowThatComesBackIsNobodysForAWholeLease() {
    LeaseClaim claim = new LeaseClaim("first", TIMES, 0, 0);
    claim.seen(LeaseRow.INITIAL, 0);
    claim.wrote((Move.Replace) claim.next(0), true, 0, 0);
    claim.seen(new LeaseRow(2, "second", 0), 100 * MILLI);
    assertThat(claim.mayLead(100 * MILLI)).isFalse();
    // The database fails over to a copy in which the first still leads.
    claim.seen(new LeaseRow(1, "first", 0), 200 * MILLI);
    assertThat(claim.next(200 * MILLI)).isInstanceOf(Move.Rest.class);
    assertThat(claim.mayLead(200 * MILLI)).isFalse();
  }
}
