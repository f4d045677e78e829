package dev.sluice.store.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.store.lease.LeaseClaim.Move;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

/** How long it takes until another leads, with a database that takes no time. */
class LeaseTimesTest {
  private static final LeaseTimes TIMES = LeaseTimes.STANDARD;
  private static final long SECOND = 1_000_000_000L;

  private LeaseRow row = LeaseRow.INITIAL;

  /** Lets a claim do all that it wants to do at an instant; answers when it wants to go on. */
  private long act(LeaseClaim claim, long nowNanos) {
    while (true) {
      switch (claim.next(nowNanos)) {
        case Move.Look() -> claim.seen(row, nowNanos);
        case Move.Replace replace -> {
          boolean replaced = row.equals(replace.expected());
          if (replaced) {
            row = replace.by();
          }
          claim.wrote(replace, replaced, nowNanos, nowNanos);
        }
        case Move.Rest(long untilNanos) -> {
          return untilNanos;
        }
        case Move.Over() -> throw new IllegalStateException("nobody gave the lease back");
      }
    }
  }

  /** When a standby leads, beside a leader that acts until it dies. */
  private long takenOverNanos(long diesNanos, long standbyStartsNanos) {
    row = LeaseRow.INITIAL;
    LeaseClaim leader = new LeaseClaim("leader", TIMES, 0, 0);
    LeaseClaim standby = new LeaseClaim("standby", TIMES, 0, standbyStartsNanos);
    long leaderNanos = act(leader, 0);
    long standbyNanos = standbyStartsNanos;
    while (true) {
      if (leaderNanos < diesNanos && leaderNanos <= standbyNanos) {
        leaderNanos = act(leader, leaderNanos);
      } else {
        long nowNanos = standbyNanos;
        standbyNanos = act(standby, nowNanos);
        if (standby.mayLead(nowNanos)) {
          return nowNanos;
        }
      }
    }
  }

  @Test
  void aLeaderIsReplacedInTimeWheneverItDies() {
    SeededCases.forAll(
        2_000,
        random -> {
          long dies = SECOND + random.nextLong(10 * SECOND);
          long standbyStarts = 1 + random.nextLong(dies);
          long taken = takenOverNanos(dies, standbyStarts);
          assertThat(taken - dies).isGreaterThan(0).isLessThanOrEqualTo(TIMES.takeoverNanosMax());
        });
  }

  @Test
  void whoStartsLaterWaitsForOneLeaseFromItsFirstLook() {
    SeededCases.forAll(
        2_000,
        random -> {
          long dies = SECOND + random.nextLong(10 * SECOND);
          long standbyStarts = dies + random.nextLong(5 * SECOND);
          assertThat(takenOverNanos(dies, standbyStarts) - standbyStarts)
              .isEqualTo(TIMES.leaseNanos());
        });
  }

  @Test
  void twoRenewalsMayFailBeforeALeaderMustStop() {
    assertThat(TIMES.leaseNanos() - TIMES.marginNanos()).isGreaterThan(3 * TIMES.renewNanos());
  }
}
