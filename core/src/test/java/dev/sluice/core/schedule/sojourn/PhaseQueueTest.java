package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.schedule.Request;
import org.junit.jupiter.api.Test;

class PhaseQueueTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PAUSE = PhaseQueue.PAUSE_NANOS;
  private static final Flow FLOW = Flow.of(JobId.of("job"), "t");

  private final PhaseQueue queue = new PhaseQueue(FLOW, 0);

  private void arrive(long price, long nowNanos) {
    queue.arrives(price, nowNanos);
    queue.append(new Request(FLOW, Operation.READ, price, 0), 0);
  }

  private void handOut(long nowNanos) {
    Request request = queue.poll();
    if (request == null) {
      throw new AssertionError("nothing is queued");
    }
    queue.handedOut(request.operations(), nowNanos);
  }

  /** A request comes, is handed out at once and done at another time. */
  private void serve(long price, long fromNanos, long untilNanos) {
    arrive(price, fromNanos);
    handOut(fromNanos);
    queue.completed(0, untilNanos);
  }

  @Test
  void aPhaseIsOverWhenNothingWasQueuedOrInServiceForThePause() {
    assertThat(queue.isBetweenPhases(0)).as("before the first").isTrue();
    assertThat(queue.hasBegun()).isFalse();
    queue.begin(false, 50 * SECOND);
    assertThat(queue.hasBegun()).isTrue();
    arrive(1, 50 * SECOND);
    arrive(1, 50 * SECOND);
    assertThat(queue.isBetweenPhases(60 * SECOND)).as("queued").isFalse();
    handOut(60 * SECOND);
    handOut(60 * SECOND);
    assertThat(queue.isBetweenPhases(70 * SECOND)).as("in service").isFalse();
    queue.completed(0, 70 * SECOND);
    assertThat(queue.isBetweenPhases(80 * SECOND)).as("one is in service").isFalse();
    queue.completed(0, 80 * SECOND);
    assertThat(queue.isBetweenPhases(80 * SECOND + PAUSE)).isFalse();
    assertThat(queue.isBetweenPhases(80 * SECOND + PAUSE + 1)).isTrue();
  }

  @Test
  void aJobIsBusyThatHasSomethingQueuedOrIsInAPhase() {
    assertThat(queue.isBusy(0)).isFalse();
    arrive(1, 0);
    assertThat(queue.isBusy(0)).as("before its phase is said to begin").isTrue();
    queue.begin(false, 0);
    handOut(0);
    queue.completed(0, 1);
    assertThat(queue.isBusy(1 + PAUSE)).isTrue();
    assertThat(queue.isBusy(2 + PAUSE)).isFalse();
  }

  /** A phase of eight seconds, in which it twice rests for a while, and then another. */
  private void restTwice(long firstNanos, long secondNanos) {
    long at = 1_000 * SECOND;
    queue.begin(false, at);
    serve(100, at, at + SECOND);
    serve(100, at + SECOND + firstNanos, at + 4 * SECOND);
    // What comes while something is in service ends no rest.
    arrive(100, at + 4 * SECOND + secondNanos);
    handOut(at + 4 * SECOND + secondNanos);
    arrive(100, at + 7 * SECOND);
    handOut(at + 7 * SECOND);
    queue.completed(0, at + 8 * SECOND);
    queue.completed(0, at + 8 * SECOND);
    queue.begin(false, at + 20 * SECOND);
  }

  @Test
  void whoRestsForAQuarterOfItsPhaseStillDoesItInBulk() {
    restTwice(SECOND, SECOND);
    assertThat(queue.past.expectedTokens(0)).isEqualTo(400);
    assertThat(queue.past.gapNanos()).isEqualTo(12 * SECOND);
    assertThat(queue.beganNanos()).isEqualTo(1_020 * SECOND);
    assertThat(queue.servedTokens()).isZero();
  }

  @Test
  void whoRestsForMoreSendsNowAndThen() {
    restTwice(SECOND, SECOND + 1);
    assertThat(queue.past.expectedTokens(0)).isZero();
  }

  @Test
  void whatItDidBetweenPhasesIsNoRest() {
    restTwice(0, 0);
    serve(400, 1_020 * SECOND, 1_021 * SECOND);
    queue.begin(false, 1_030 * SECOND);
    assertThat(queue.past.expectedTokens(0)).isEqualTo(400);
    assertThat(queue.past.gapNanos()).isEqualTo((12 * SECOND + 9 * SECOND) / 2);
  }

  @Test
  void whatWasToldWhenAPhaseBeganIsWhatItIsComparedWith() {
    queue.toldTokens = 150;
    restTwice(0, 0);
    queue.toldTokens = 400;
    serve(400, 1_020 * SECOND, 1_021 * SECOND);
    queue.begin(false, 1_030 * SECOND);
    assertThat(queue.past.expectedTokens(600)).as("it was told wrongly twice").isEqualTo(400);
  }

  @Test
  void aSmallPhaseIsPartOfThePauseBeforeTheNext() {
    restTwice(0, 0);
    long gapNanos = queue.past.gapNanos();
    serve(1, 1_020 * SECOND, 1_021 * SECOND);
    queue.begin(true, 1_030 * SECOND);
    assertThat(queue.past.gapNanos()).isEqualTo(gapNanos + 10 * SECOND);
  }

  @Test
  void whatIsServedIsWhatItReallyCost() {
    queue.begin(false, 0);
    serve(100, 0, 1);
    arrive(50, 1);
    queue.expectedTokens = 180;
    assertThat(queue.queuedTokens()).isEqualTo(50);
    assertThat(queue.restTokens()).isEqualTo(80);
    handOut(1);
    queue.completed(29, 2);
    assertThat(queue.servedTokens()).isEqualTo(179);
    assertThat(queue.isServed()).isFalse();
    arrive(7, 3);
    arrive(8, 3);
    assertThat(queue.restTokens()).as("at least what is queued").isEqualTo(15);
    queue.withdrawn(7);
    assertThat(queue.queuedTokens()).isEqualTo(8);
    queue.completed(1, 3);
    assertThat(queue.isServed()).isTrue();
    queue.completed(-500, 4);
    assertThat(queue.servedTokens()).as("nobody is served less than nothing").isZero();
  }

  /** It has had so much, by so many requests, since then. */
  private boolean isLong(int requests, long price, long sinceNanos) {
    long at = 500 * SECOND;
    PhaseQueue other = new PhaseQueue(FLOW, 0);
    other.begin(false, at);
    for (int i = 0; i < requests; i++) {
      other.handedOut(price, at);
    }
    return other.isLongOfUnknownSize(640, at + sinceNanos);
  }

  @Test
  void aPhaseIsLongThatHasHadMuchByManyRequestsAndSoon() {
    assertThat(isLong(64, 10, 120 * SECOND)).isTrue();
    assertThat(isLong(63, 11, 120 * SECOND)).as("few requests").isFalse();
    assertThat(isLong(71, 9, 120 * SECOND)).as("little").isFalse();
    assertThat(isLong(64, 10, 120 * SECOND + 1)).as("late").isFalse();
  }

  @Test
  void onlyTheFirstPhaseIsOneThatNobodyKnowsAndOnlyUntilItIsGuessed() {
    queue.begin(false, 0);
    queue.handedOut(1_000, 0);
    for (int i = 0; i < 64; i++) {
      queue.handedOut(1, 0);
    }
    assertThat(queue.isLongOfUnknownSize(1_000, 0)).isTrue();
    queue.setGuessed();
    assertThat(queue.isGuessed()).isTrue();
    assertThat(queue.isLongOfUnknownSize(1_000, 0)).isFalse();
    queue.begin(false, SECOND);
    assertThat(queue.isGuessed()).isFalse();
    for (int i = 0; i < 64; i++) {
      queue.handedOut(100, SECOND);
    }
    assertThat(queue.isLongOfUnknownSize(1_000, SECOND)).isFalse();
  }
}
