package dev.sluice.stage.agent;

import dev.sluice.stage.layout.StageLayout;
import java.util.Arrays;

/**
 * Finds the tickets of waiters that were killed. Whoever waits renews its claim; tickets that are
 * ahead of a bucket's line and that nobody claims are nobody's, and would keep others waiting.
 *
 * <p>A thread that has just taken its ticket has not claimed it yet, so that only what is unclaimed
 * twice in a row counts.
 */
final class GhostTickets {
  private final long[] unclaimedBefore = new long[StageLayout.BUCKETS];

  /**
   * How many units nobody stands behind, in each bucket.
   *
   * @param backlogs how far tickets are ahead of each line, in units; negative where they are not
   * @param claims what the living have reserved
   */
  long[] found(long[] backlogs, long[] claims) {
    long[] ghosts = new long[StageLayout.BUCKETS];
    for (int bucket = 0; bucket < ghosts.length; bucket++) {
      long unclaimed = Math.max(0, backlogs[bucket] - Math.max(0, claims[bucket]));
      ghosts[bucket] = Math.min(unclaimed, unclaimedBefore[bucket]);
      unclaimedBefore[bucket] = unclaimed - ghosts[bucket];
    }
    return ghosts;
  }

  /** For when nobody waits, or nobody knows who does. */
  void forget() {
    Arrays.fill(unclaimedBefore, 0);
  }
}
