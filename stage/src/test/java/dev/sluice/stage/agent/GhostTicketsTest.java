package dev.sluice.stage.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.stage.layout.StageLayout;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class GhostTicketsTest {
  @Test
  void onlyWhatIsUnclaimedTwiceIsAGhost() {
    GhostTickets ghosts = new GhostTickets();
    assertThat(ghosts.found(inFirst(100), inFirst(30))[1]).isZero();
    assertThat(ghosts.found(inFirst(90), inFirst(50))[1]).isEqualTo(40);
    // They have been forgiven by now, and the line has moved.
    assertThat(ghosts.found(inFirst(50), inFirst(50))[1]).isZero();
  }

  @Test
  void whatTheLivingClaimIsNeverTaken() {
    SeededCases.forAll(
        1_000,
        random -> {
          GhostTickets ghosts = new GhostTickets();
          for (int i = 0; i < 20; i++) {
            long backlog = random.nextLong(-1_000, 1_000);
            long claimed = random.nextLong(1_000);
            long found = ghosts.found(inFirst(backlog), inFirst(claimed))[1];
            assertThat(found).isBetween(0L, Math.max(0, backlog - claimed));
          }
        });
  }

  @Test
  void nothingIsRememberedOfATimeOfWhichNothingIsKnown() {
    GhostTickets ghosts = new GhostTickets();
    ghosts.found(inFirst(100), inFirst(0));
    ghosts.forget();
    assertThat(ghosts.found(inFirst(100), inFirst(0))[1]).isZero();
  }

  private static long[] inFirst(long units) {
    long[] all = new long[StageLayout.BUCKETS];
    all[1] = units;
    return all;
  }
}
