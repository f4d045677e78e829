package dev.sluice.control.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.control.controller.Controller;
import dev.sluice.store.lease.LeaseTimes;
import dev.sluice.testkit.SeededCases;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final long FIVE_SECONDS = 5_000_000_000L;

  /** Whoever has just begun to lead is called by everybody within this time. */
  private static long longestRoundNanos(int addresses) {
    return Backoff.MAX_NANOS + (addresses - 1) * Backoff.FIRST_NANOS;
  }

  @Test
  void everyAddressIsCalledAgainSoonHoweverLongAllHaveFailed() {
    SeededCases.forAll(
        500,
        random -> {
          int addresses = 1 + random.nextInt(4);
          Backoff backoff = new Backoff(addresses, new Random(random.nextLong()));
          long[] calledNanos = new long[addresses];
          long nowNanos = 0;
          for (int call = 0; call < 100; call++) {
            int address = call % addresses;
            if (call >= addresses) {
              assertThat(nowNanos - calledNanos[address])
                  .isLessThanOrEqualTo(longestRoundNanos(addresses));
            }
            calledNanos[address] = nowNanos;
            long waitNanos = backoff.nextNanos();
            assertThat(waitNanos).isGreaterThanOrEqualTo(Backoff.FIRST_NANOS / 2);
            nowNanos += waitNanos;
          }
        });
  }

  @Test
  void membersOfALeaderThatDiesAreServedByAnotherWithinFiveSeconds() {
    assertThat(
            LeaseTimes.STANDARD.takeoverNanosMax()
                + Controller.STANDING_LOOK_NANOS
                + longestRoundNanos(2))
        .isLessThan(FIVE_SECONDS);
  }

  @Test
  void whoDoesNotAnswerIsGivenMoreTimeAndNeverMoreThanABound() {
    Backoff backoff = new Backoff(1, new Random(1));
    long before = 0;
    for (int i = 0; i < 10; i++) {
      assertThat(backoff.answerNanos()).isBetween(before, Backoff.ANSWER_NANOS_MAX);
      before = backoff.answerNanos();
      backoff.unanswered();
    }
    assertThat(backoff.answerNanos()).isEqualTo(Backoff.ANSWER_NANOS_MAX);
    backoff.reset();
    assertThat(backoff.answerNanos()).isEqualTo(Backoff.ANSWER_NANOS);
  }
}
