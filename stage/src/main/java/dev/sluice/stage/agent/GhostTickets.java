package dev.sluice.stage.agent;

import dev.sluice.stage.layout.StageLayout;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Finds the tickets of waiters that were killed, which would keep others waiting. A line may be
 * moved up to where the first ticket begins that somebody stands behind, and no further: whoever
 * waits goes on waiting, in a pause too. Ghosts behind him are found when he has gone.
 *
 * <p>A thread that has just taken its ticket is not in the list yet. It took it after one of the
 * looks of the last second, beyond where the tickets ended then, so that a line is not moved beyond
 * there either; one that takes longer to enter itself takes a new ticket.
 */
final class GhostTickets {
  /** Where each bucket's tickets ended at an instant. */
  private static final class Look {
    private final long atNanos;
    private final long[] tickets;

    Look(long atNanos, long[] tickets) {
      this.atNanos = atNanos;
      this.tickets = tickets;
    }
  }

  private final Deque<Look> looks = new ArrayDeque<>();

  /**
   * How many units each line may be moved by.
   *
   * @param tickets where each bucket's tickets end
   * @param lines where each bucket's line is, not before the tickets were read
   * @param firstClaims how far beyond its line the first ticket of a living waiter begins
   * @param nowNanos when the tickets were read, or before
   */
  long[] found(long[] tickets, long[] lines, long[] firstClaims, long nowNanos) {
    look(tickets, nowNanos);
    long[] ghosts = new long[StageLayout.BUCKETS];
    if (nowNanos - looks.getFirst().atNanos <= StageLayout.WAITER_DEAD_NANOS) {
      return ghosts;
    }
    for (int bucket = 0; bucket < ghosts.length; bucket++) {
      long free = firstClaims[bucket];
      for (Look look : looks) {
        free = Math.min(free, look.tickets[bucket] - lines[bucket]);
      }
      ghosts[bucket] = Math.max(0, free);
    }
    return ghosts;
  }

  /** Remembers where tickets end, for when it is known who waits. */
  void look(long[] tickets, long nowNanos) {
    looks.addLast(new Look(nowNanos, tickets));
    while (looks.size() > 1 && isOldEnoughWithoutFirst(nowNanos)) {
      looks.removeFirst();
    }
  }

  private boolean isOldEnoughWithoutFirst(long nowNanos) {
    Look second = looks.stream().skip(1).findFirst().orElseThrow();
    return nowNanos - second.atNanos > StageLayout.WAITER_DEAD_NANOS;
  }

  /** For when nobody waits. */
  void forget() {
    looks.clear();
  }
}
