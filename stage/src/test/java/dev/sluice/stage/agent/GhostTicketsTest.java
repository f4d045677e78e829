package dev.sluice.stage.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.stage.files.StateFile;
import dev.sluice.stage.layout.StageLayout;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class GhostTicketsTest {
  private static final long DEAD = StageLayout.WAITER_DEAD_NANOS;
  private static final long LINE = 5_000;

  private final GhostTickets ghosts = new GhostTickets();

  @Test
  void whatNobodyStandsBehindForLongEnoughIsFound() {
    assertThat(found(LINE + 100, StateFile.NOBODY, 1)).isZero();
    assertThat(found(LINE + 100, StateFile.NOBODY, 1 + DEAD)).isZero();
    assertThat(found(LINE + 100, StateFile.NOBODY, 2 + DEAD)).isEqualTo(100);
  }

  @Test
  void aLineIsNotMovedPastWhoWaits() {
    found(LINE + 100, StateFile.NOBODY, 1);
    assertThat(found(LINE + 100, 30, 2 + DEAD)).isEqualTo(30);
    assertThat(found(LINE + 100, 0, 3 + DEAD)).as("he is next").isZero();
    assertThat(found(LINE + 100, -5, 4 + DEAD)).as("he is due").isZero();
  }

  @Test
  void whoHasJustTakenATicketIsNotInTheListYet() {
    found(LINE + 100, StateFile.NOBODY, 1);
    found(LINE + 100, StateFile.NOBODY, DEAD / 2);
    assertThat(found(LINE + 400, StateFile.NOBODY, 2 + DEAD)).isEqualTo(100);
  }

  @Test
  void nothingIsRememberedOfATimeInWhichNobodyWaited() {
    found(LINE + 100, StateFile.NOBODY, 1);
    ghosts.forget();
    assertThat(found(LINE + 100, StateFile.NOBODY, 2 + DEAD)).isZero();
  }

  /**
   * Waiters come, enter themselves after a while, are killed or go on, and the agent looks now and
   * then: the line never reaches the end of a ticket whose owner believes that it is his.
   */
  @Test
  void whoLivesNeverPassesAPause() {
    SeededCases.forAll(
        2_000,
        random -> {
          GhostTickets tickets = new GhostTickets();
          record Waiter(long start, long takenAt, long entersAt, long diesAt) {}
          List<Waiter> waiters = new ArrayList<>();
          long line = random.nextLong();
          long end = line;
          long now = 0;
          for (int step = 0; step < 60; step++) {
            now += random.nextLong(DEAD / 3);
            if (random.nextBoolean()) {
              long entersAt = now + (random.nextInt(4) == 0 ? random.nextLong(DEAD) : 0);
              long diesAt = random.nextBoolean() ? now + random.nextLong(3 * DEAD) : Long.MAX_VALUE;
              waiters.add(new Waiter(end, now, entersAt, diesAt));
              end += 1_000;
            }
            long first = StateFile.NOBODY;
            for (Waiter waiter : waiters) {
              // Seen every 100 ms: the last time up to then before it died.
              boolean listed = waiter.entersAt <= now && now - waiter.diesAt <= DEAD;
              if (listed && waiter.diesAt > waiter.entersAt) {
                first = Math.min(first, waiter.start - line);
              }
            }
            line += found(tickets, end, line, first, now);
            for (Waiter waiter : waiters) {
              if (waiter.diesAt > now) {
                assertThat(waiter.start + 1_000 - line).as("not due").isPositive();
              }
            }
          }
        });
  }

  private long found(long tickets, long firstClaim, long nowNanos) {
    return found(ghosts, tickets, LINE, firstClaim, nowNanos);
  }

  private static long found(
      GhostTickets ghosts, long tickets, long line, long firstClaim, long nowNanos) {
    return ghosts.found(all(tickets), all(line), all(firstClaim), nowNanos)[1];
  }

  private static long[] all(long units) {
    long[] all = new long[StageLayout.BUCKETS];
    Arrays.fill(all, units);
    return all;
  }
}
