package dev.sluice.core.schedule.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.schedule.Request;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Phases of known size on a target that serves a thousand tokens a second. */
class PlannedPhasesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long PER_SECOND = 1_000;

  /** How exactly a stretch is known: a step, and what a request of one token makes of it. */
  private static final double STRETCH_EXACT = 0.001;

  private final List<PhaseQueue> released = new ArrayList<>();
  private final LongPhases longPhases = new LongPhases(PER_SECOND, PlannedPhases.TOKENS_MAX);
  private long sharedWeight;
  private final PlannedPhases planned =
      new PlannedPhases(PER_SECOND, longPhases, () -> sharedWeight, released::add);
  private long nowNanos = 1_000 * SECOND;
  private long sequence;

  /** A job that nobody has seen yet. */
  private static PhaseQueue job(String name, long weight) {
    PhaseQueue queue = new PhaseQueue(Flow.of(JobId.of(name), "t"), 0);
    queue.weight = weight;
    return queue;
  }

  /** A job that is known to do something else for so long between two phases of so much. */
  private static PhaseQueue job(String name, long weight, long tokens, long gapNanos) {
    PhaseQueue queue = job(name, weight);
    queue.past.note(tokens, 0, gapNanos, true);
    return queue;
  }

  /** A phase begins that comes to so much, and all its requests are there, of a token each. */
  private void begin(PhaseQueue queue, int tokens) {
    queue.begin(false, nowNanos);
    planned.begin(queue, tokens);
    send(queue, tokens);
  }

  private void send(PhaseQueue queue, int requests) {
    for (int i = 0; i < requests; i++) {
      queue.arrives(1, nowNanos);
      boolean wasEmpty = queue.isEmpty();
      queue.append(new Request(queue.flow, Operation.READ, 1, 0), sequence++);
      if (wasEmpty) {
        planned.enter(queue);
      }
    }
  }

  /** Serves the one whose turn it is, as the order stands; a token takes a millisecond. */
  private PhaseQueue serve() {
    PhaseQueue queue = planned.peek();
    if (queue == null) {
      throw new AssertionError("nobody waits");
    }
    serve(queue);
    return queue;
  }

  private void serve(PhaseQueue queue) {
    if (queue.poll() == null) {
      throw new AssertionError(queue + " has nothing queued");
    }
    queue.handedOut(1, nowNanos);
    nowNanos += SECOND / PER_SECOND;
    queue.completed(0, nowNanos);
    planned.served(queue, 1);
  }

  /** Serves this one, whoever's turn it is. */
  private void serve(PhaseQueue queue, int tokens) {
    for (int i = 0; i < tokens; i++) {
      serve(queue);
    }
  }

  private void putInOrder() {
    planned.putInOrder(nowNanos);
  }

  private void checkBooks(PhaseQueue... all) {
    long weight = 0;
    int phases = 0;
    for (PhaseQueue queue : all) {
      weight += queue.fairDate.isQueued() ? queue.weight : 0;
      phases += queue.isPlanned() ? 1 : 0;
    }
    planned.checkInvariants(phases, weight);
  }

  @Test
  void aPhaseIsWorthADateThatTakesMoreThanAHundredthOfASecond() {
    assertThat(planned.isWorthADate(10)).isFalse();
    assertThat(planned.isWorthADate(11)).isTrue();
    assertThat(planned.isWorthADate(PlannedPhases.TOKENS_MAX)).isTrue();
    assertThat(planned.isWorthADate(PlannedPhases.TOKENS_MAX + 1)).isFalse();
  }

  // ---- How much jobs are stretched ----

  /**
   * A second's phase every twenty seconds, and half a second's every two: the short one goes first,
   * and the other is done half a second late, which is a fortieth of its cycle.
   */
  @Test
  void theStretchIsThePartOfTheCycleByWhichWhoWaitsIsLate() {
    begin(job("long", 1, 1_000, 19 * SECOND), 1_000);
    begin(job("short", 1, 500, 3 * SECOND / 2), 500);
    putInOrder();
    assertThat(planned.leastStretch()).isCloseTo(0.025, within(STRETCH_EXACT));
    assertThat(serve().job()).hasToString("short");
  }

  @Test
  void whereOnlyPhasesAreKnownACycleIsTakenForTenOfThem() {
    begin(job("long", 1), 1_000);
    begin(job("short", 1), 500);
    putInOrder();
    assertThat(planned.leastStretch()).isCloseTo(0.05, within(STRETCH_EXACT));
  }

  @Test
  void whoWeighsMoreIsStretchedLess() {
    begin(job("long", 3, 1_000, 19 * SECOND), 1_000);
    begin(job("short", 1, 500, 3 * SECOND / 2), 500);
    putInOrder();
    // Half a second of twenty, times three, beside a mean weight of two.
    assertThat(planned.leastStretch()).isCloseTo(0.0375, within(STRETCH_EXACT));
  }

  @Test
  void besideOthersThatShareEverythingTakesLonger() {
    sharedWeight = 2;
    begin(job("long", 1, 1_000, 19 * SECOND), 1_000);
    begin(job("short", 1, 500, 3 * SECOND / 2), 500);
    putInOrder();
    // The short one takes a second in place of half a one, and that of a cycle of two.
    assertThat(planned.leastStretch()).isCloseTo(0.25, within(STRETCH_EXACT));
  }

  @Test
  void whoHasWaitedIsStretchedByThatToo() {
    begin(job("long", 1, 1_000, 19 * SECOND), 1_000);
    begin(job("short", 1, 500, 3 * SECOND / 2), 500);
    nowNanos += SECOND;
    putInOrder();
    assertThat(planned.leastStretch()).isCloseTo(0.5, within(STRETCH_EXACT));
  }

  /**
   * A second late of twenty two phases ago, and then not: a quarter of a second of five, and with
   * half a second of twenty that it is late now three quarters of 35.
   */
  @Test
  void whoWasLateBeforeIsStretchedByThatToo() {
    PhaseQueue late = job("long", 1, 1_000, 19 * SECOND);
    late.past.noteDelay(SECOND, 20 * SECOND);
    late.past.noteDelay(0, 20 * SECOND);
    begin(late, 1_000);
    begin(job("short", 1, 500, 3 * SECOND / 2), 500);
    putInOrder();
    assertThat(planned.leastStretch()).isCloseTo(0.75 / 35, within(STRETCH_EXACT));
  }

  /** Of two that are alike the one goes first that was late before. */
  @Test
  void whoWasLateBeforeGoesFirst() {
    PhaseQueue early = job("early", 1, 1_000, 19 * SECOND);
    PhaseQueue late = job("late", 1, 1_000, 19 * SECOND);
    early.past.noteDelay(0, 20 * SECOND);
    late.past.noteDelay(2 * SECOND, 20 * SECOND);
    begin(early, 1_000);
    begin(late, 1_000);
    putInOrder();
    assertThat(serve().job()).hasToString("late");
  }

  /**
   * A phase of half a second that took two, of which half a second was rest, begins again after
   * ten.
   */
  @Test
  void aPhaseIsLateByHowMuchLongerItWantedSomethingThanItTakesAlone() {
    PhaseQueue queue = job("late", 1);
    long began = nowNanos;
    queue.begin(false, began);
    queue.arrives(300, began);
    queue.handedOut(300, began);
    queue.completed(0, began + SECOND);
    queue.arrives(200, began + 3 * SECOND / 2);
    queue.handedOut(200, began + 3 * SECOND / 2);
    queue.completed(0, began + 2 * SECOND);
    planned.noteDelay(queue, began + 10 * SECOND);
    assertThat(queue.past.delayNanos()).isEqualTo(SECOND / 2);
    assertThat(queue.past.cyclesNanos()).isEqualTo(9 * SECOND / 2);
    queue.completed(3_000, began + 2 * SECOND);
    planned.noteDelay(queue, began + 10 * SECOND);
    assertThat(queue.past.delayNanos()).as("nobody is early").isEqualTo(SECOND / 4);
    assertThat(queue.past.cyclesNanos()).isEqualTo((9 * SECOND / 2 + 10 * SECOND) / 2);
  }

  // ---- How long an order holds ----

  @Test
  void anOrderHoldsForAWhileWhoeverComes() {
    begin(job("long", 1), 1_000);
    begin(job("short", 1), 500);
    putInOrder();
    long foundNanos = nowNanos;
    begin(job("shortest", 1), 100);
    planned.putInOrder(foundNanos + 19_999);
    assertThat(planned.leastStretch()).isCloseTo(0.05, within(STRETCH_EXACT));
    planned.putInOrder(foundNanos + 20_000);
    assertThat(planned.leastStretch()).isCloseTo(0.06, within(STRETCH_EXACT));
    assertThat(serve().job()).hasToString("shortest");
  }

  @Test
  void anOrderHoldsWhileNothingChanges() {
    begin(job("long", 1), 1_000);
    begin(job("short", 1), 500);
    putInOrder();
    nowNanos += SECOND;
    putInOrder();
    assertThat(planned.leastStretch()).isCloseTo(0.05, within(STRETCH_EXACT));
  }

  @Test
  void anOrderIsFoundAnewWhereAWeightChanges() {
    PhaseQueue heavy = job("long", 1, 1_000, 19 * SECOND);
    PhaseQueue other = job("nobody", 1);
    begin(heavy, 1_000);
    begin(job("short", 1, 500, 3 * SECOND / 2), 500);
    putInOrder();
    heavy.weight = 3;
    planned.reweighed(heavy, 1);
    planned.reweighed(other, 1);
    nowNanos += SECOND / 1_000;
    putInOrder();
    assertThat(planned.leastStretch()).isCloseTo(0.0375, within(STRETCH_EXACT));
  }

  @Test
  void whoGoesFirstAndSendsNothingForAPauseMakesWay() {
    PhaseQueue quiet = job("quiet", 1);
    begin(job("long", 1), 1_000);
    begin(quiet, 100);
    putInOrder();
    serve(quiet, 99);
    quiet.poll();
    quiet.handedOut(1, nowNanos);
    quiet.completed(0, nowNanos);
    planned.leave(quiet);
    quiet.expectedTokens = 200;
    nowNanos += PhaseQueue.PAUSE_NANOS;
    putInOrder();
    assertThat(planned.size()).isEqualTo(2);
    nowNanos++;
    putInOrder();
    assertThat(planned.size()).isEqualTo(1);
    assertThat(quiet.isPlanned()).isFalse();
    assertThat(released).as("it does not go on by weight").isEmpty();
  }

  @Test
  void asManyAsFitArePutInOrderByTheirStretch() {
    for (int i = 0; i < PhaseOrder.SIZE_MAX; i++) {
      PhaseQueue queue = job("job" + i, 1);
      queue.begin(false, nowNanos);
      planned.begin(queue, 100);
      send(queue, 1);
    }
    putInOrder();
    assertThat(planned.leastStretch()).isPositive();
  }

  // ---- By when phases are to be done ----

  @Test
  void beforeAnOrderIsFoundAPhaseIsToBeDoneAsIfAllHadItsSize() {
    PhaseQueue first = job("first", 3);
    PhaseQueue second = job("second", 1);
    PhaseQueue third = job("third", 2);
    begin(first, 100);
    begin(second, 50);
    serve(first, 7);
    begin(third, 60);
    assertThat(first.deadlineTokens).isEqualTo(100);
    assertThat(second.deadlineTokens).isEqualTo(200);
    assertThat(third.deadlineTokens).isEqualTo(187);
    assertThat(planned.peek()).isSameAs(first);
  }

  @Test
  void aPhaseIsToBeDoneByFairSharingAndATenthOfItsCycle() {
    PhaseQueue regular = job("regular", 1, 500, 3 * SECOND / 2);
    PhaseQueue unknown = job("unknown", 1);
    begin(regular, 500);
    begin(unknown, 1_000);
    serve(unknown, 10);
    putInOrder();
    assertThat(regular.fairTokens).isCloseTo(1_000 - 10 + 200, within(0.1));
    assertThat(unknown.fairTokens).isCloseTo(1_500 - 10, within(0.1));
    assertThat(unknown.deadlineTokens).as("counted from the beginning").isBetween(1_480L, 1_500L);
  }

  @Test
  void whatAPhaseWasServedBeforeItHadADateIsNotToBeServedAgain() {
    PhaseQueue queue = job("job", 1);
    queue.begin(false, nowNanos);
    queue.handedOut(400, nowNanos);
    planned.begin(queue, 1_000);
    send(queue, 700);
    serve(queue, 599);
    assertThat(queue.fairDate.isQueued()).isTrue();
    assertThat(planned.size()).isEqualTo(1);
    serve(queue, 1);
    assertThat(queue.fairDate.isQueued()).isFalse();
    assertThat(planned.size()).isZero();
    assertThat(released).containsExactly(queue);
  }

  @Test
  void whatWasServedAheadOfItsShareComesBeforeAPhase() {
    PhaseQueue before = job("before", 1);
    begin(before, 20);
    serve(before, 20);
    PhaseQueue queue = job("job", 2);
    queue.tag = planned.tag() + FairDates.virtual(30, 2);
    begin(queue, 100);
    putInOrder();
    assertThat(queue.fairTokens).isCloseTo(130, within(0.1));
    PhaseQueue behind = job("behind", 2);
    behind.tag = planned.tag() - FairDates.virtual(30, 2);
    begin(behind, 50);
    nowNanos += SECOND;
    putInOrder();
    assertThat(behind.fairTokens).as("nobody saves up").isCloseTo(100, within(0.1));
  }

  // ---- Phases that are not what was expected ----

  @Test
  void aPhaseThatIsLargerThanExpectedGoesOnByWeightWithWhatItWasServedCharged() {
    PhaseQueue larger = job("larger", 1);
    PhaseQueue other = job("other", 1);
    begin(larger, 100);
    begin(other, 1_000);
    send(larger, 50);
    serve(larger, 99);
    assertThat(released).isEmpty();
    serve(larger, 1);
    assertThat(released).containsExactly(larger);
    assertThat(larger.isPlanned()).isFalse();
    // Fair sharing has given it 50 of its 100.
    assertThat(larger.tag - planned.tag()).isEqualTo(FairDates.virtual(50, 1));
    assertThat(planned.waiting()).isEqualTo(1);
    checkBooks(larger, other);
  }

  @Test
  void aPhaseThatIsSmallerThanExpectedIsChargedForWhatCame() {
    PhaseQueue smaller = job("smaller", 1);
    PhaseQueue other = job("other", 1);
    begin(smaller, 1_000);
    begin(other, 1_000);
    serve(smaller, 100);
    planned.leave(smaller);
    planned.end(smaller);
    assertThat(smaller.tag - planned.tag()).isEqualTo(FairDates.virtual(50, 1));
    assertThat(planned.size()).isEqualTo(1);
    checkBooks(smaller, other);
    serve(other, 100);
    assertThat(smaller.fairDate.isQueued()).as("fair sharing is done with it").isFalse();
    planned.end(smaller);
    assertThat(planned.size()).as("it has ended once").isEqualTo(1);
  }

  @Test
  void fairSharingIsDoneWithAPhaseOfWhichNoMoreCameThanItWouldHaveServed() {
    PhaseQueue smaller = job("smaller", 1);
    PhaseQueue other = job("other", 1);
    begin(smaller, 1_000);
    begin(other, 1_000);
    serve(smaller, 10);
    serve(other, 500);
    planned.leave(smaller);
    planned.end(smaller);
    assertThat(smaller.fairDate.isQueued()).isFalse();
    assertThat(smaller.tag).isEqualTo(planned.tag());
    checkBooks(smaller, other);
  }

  @Test
  void aPhaseEndsThatFairSharingIsDoneWith() {
    PhaseQueue early = job("early", 1, 500, 3 * SECOND / 2);
    PhaseQueue other = job("other", 1);
    begin(early, 500);
    begin(other, 2_000);
    serve(other, 1_000);
    assertThat(early.fairDate.isQueued()).isFalse();
    planned.end(early);
    assertThat(early.fairDate.isQueued()).isFalse();
    assertThat(early.tag).isEqualTo(planned.tag());
    checkBooks(early, other);
  }

  /** Its requests do not come, and others are served: its date and its grace pass. */
  @Test
  void aPhaseThatIsLateByItsGraceGoesOnByWeight() {
    PhaseQueue late = job("late", 1, 500, 3 * SECOND / 2);
    PhaseQueue other = job("other", 1);
    begin(late, 500);
    begin(other, 10_000);
    serve(late, 100);
    serve(other, 900);
    assertThat(late.fairDate.isQueued()).as("fair sharing is done with it").isFalse();
    // From now on it has the target to itself beside nobody's date but the other's.
    assertThat(late.lateAfterTokens).isEqualTo(1_000 + 200);
    serve(other, 100);
    putInOrder();
    assertThat(late.fairTokens).isCloseTo(100, within(0.1));
    assertThat(released).isEmpty();
    serve(other, 99);
    planned.reweighed(other, 1);
    nowNanos += SECOND;
    putInOrder();
    assertThat(released).isEmpty();
    serve(other, 1);
    planned.reweighed(other, 1);
    nowNanos += SECOND;
    putInOrder();
    assertThat(released).containsExactly(late);
    checkBooks(late, other);
  }

  /** A job whose cycle nobody knows has no grace. */
  private void isLateWith(int left, boolean goesOnByWeight) {
    PlannedPhasesTest test = new PlannedPhasesTest();
    PhaseQueue late = job("late", 1);
    PhaseQueue other = job("other", 1);
    test.begin(late, 160);
    test.begin(other, 10_000);
    test.serve(late, 160 - left);
    test.serve(other, 160 + left - 1);
    assertThat(test.released).isEmpty();
    test.serve(other, 1);
    assertThat(test.released).isEqualTo(goesOnByWeight ? List.of(late) : List.of());
    assertThat(late.fairDate.isQueued()).isFalse();
  }

  @Test
  void aSixteenthOfAPhaseMayBeDoneLate() {
    isLateWith(10, false);
    isLateWith(11, true);
    isLateWith(160, true);
  }

  // ---- Phases whose size is guessed ----

  @Test
  void aGuessIsMendedByWhatOtherGuessedPhasesCameTo() {
    PhaseQueue over = job("over", 1);
    PhaseQueue still = job("still", 1);
    PhaseQueue known = job("known", 1);
    begin(over, 5_000);
    over.setGuessed();
    begin(still, 5_000);
    still.setGuessed();
    begin(known, 800);
    serve(over, 1_000);
    planned.leave(over);
    planned.end(over);
    serve(known, 100);
    planned.leave(known);
    planned.end(known);
    putInOrder();
    assertThat(still.expectedTokens).as("half as much again").isEqualTo(1_500);
    assertThat(still.fairDate.tag).isEqualTo(FairDates.virtual(1_500, 1));
    longPhases.cameTo(100_000);
    planned.reweighed(still, 1);
    nowNanos += SECOND;
    putInOrder();
    assertThat(still.expectedTokens).as("it is never taken for more again").isEqualTo(1_500);
    checkBooks(over, still, known);
  }

  @Test
  void fairSharingMayBeDoneWithAPhaseThatIsTakenForLess() {
    PhaseQueue guessed = job("guessed", 1);
    PhaseQueue other = job("other", 1);
    begin(guessed, 5_000);
    guessed.setGuessed();
    begin(other, 50_000);
    serve(guessed, 100);
    serve(other, 3_000);
    longPhases.cameTo(100);
    nowNanos += SECOND;
    putInOrder();
    assertThat(guessed.expectedTokens).isEqualTo(200);
    assertThat(guessed.fairDate.isQueued()).isFalse();
    checkBooks(guessed, other);
  }

  // ---- What is served by reserve ----

  /** Hands out a request of two tokens before its turn. */
  private void serveByReserve(PhaseQueue queue) {
    if (queue.poll() == null) {
      throw new AssertionError(queue + " has nothing queued");
    }
    queue.handedOut(2, nowNanos);
    queue.completed(0, nowNanos);
    planned.servedByReserve(queue, 2);
  }

  @Test
  void whatIsServedByReserveIsNotToBeServedAgainAndBringsNobodysDateNearer() {
    PhaseQueue reserved = job("reserved", 2);
    PhaseQueue other = job("other", 1);
    begin(reserved, 100);
    begin(other, 50);
    serveByReserve(reserved);
    serveByReserve(reserved);
    assertThat(reserved.fairDate.tag).isEqualTo(FairDates.virtual(96, 2));
    assertThat(other.fairDate.tag).isEqualTo(FairDates.virtual(50, 1));
    putInOrder();
    assertThat(reserved.fairTokens).isCloseTo(96 + 48, within(0.1));
    assertThat(other.fairTokens).isCloseTo(96 + 50, within(0.1));
    checkBooks(reserved, other);
  }

  /** It may be served ahead of its date by its reserve, and goes on by weight owing nothing. */
  @Test
  void fairSharingIsDoneWithAPhaseThatHadItAllByReserve() {
    PhaseQueue reserved = job("reserved", 1);
    PhaseQueue other = job("other", 1);
    begin(reserved, 20);
    begin(other, 1_000);
    send(reserved, 5);
    for (int i = 0; i < 10; i++) {
      assertThat(reserved.isPlanned()).isTrue();
      serveByReserve(reserved);
    }
    assertThat(released).containsExactly(reserved);
    assertThat(reserved.fairDate.isQueued()).isFalse();
    assertThat(reserved.tag).isEqualTo(planned.tag());
    assertThat(planned.waiting()).isEqualTo(1);
    checkBooks(reserved, other);
  }

  @Test
  void aPhaseInItsGraceIsServedByReserveToo() {
    PhaseQueue late = job("late", 1, 500, 3 * SECOND / 2);
    PhaseQueue other = job("other", 1);
    begin(late, 500);
    begin(other, 10_000);
    serve(other, 1_000);
    assertThat(late.fairDate.isQueued()).as("fair sharing is done with it").isFalse();
    serveByReserve(late);
    assertThat(late.fairDate.isQueued()).isFalse();
    assertThat(late.restTokens()).isEqualTo(498);
    checkBooks(late, other);
  }

  /**
   * All phases together owe what one of them was served by reserve, beside those that share; but no
   * more than for 64 requests between two turns.
   */
  @Test
  void phasesOweForSoManyRequestsByReserveBeforeTheyHaveATurn() {
    PhaseQueue reserved = job("reserved", 2);
    PhaseQueue other = job("other", 1);
    begin(reserved, 1_000);
    begin(other, 1_000);
    for (int i = 1; i <= 64; i++) {
      serveByReserve(reserved);
      assertThat(planned.tag()).isEqualTo(i * FairDates.virtual(2, 3));
    }
    serveByReserve(reserved);
    assertThat(planned.tag()).isEqualTo(64 * FairDates.virtual(2, 3));
    long before = planned.tag();
    if (other.poll() == null) {
      throw new AssertionError("nothing queued");
    }
    other.handedOut(1, nowNanos);
    planned.servedInTurn(other, 1);
    long inTurn = planned.tag();
    assertThat(inTurn).isEqualTo(before + FairDates.virtual(1, 3));
    serveByReserve(reserved);
    assertThat(planned.tag()).isEqualTo(inTurn + FairDates.virtual(2, 3));
  }

  // ---- Who is away ----

  @Test
  void whoIsAwayWouldBeFirstWhereNobodyWaitsOrAllThatWaitAreDueLater() {
    PhaseQueue away = job("away", 1);
    PhaseQueue shorter = job("shorter", 1);
    begin(away, 200);
    planned.leave(away);
    assertThat(planned.wouldBeFirst(away)).as("nobody waits").isTrue();
    begin(shorter, 100);
    assertThat(shorter.deadlineTokens).isEqualTo(away.deadlineTokens);
    assertThat(planned.wouldBeFirst(away)).as("the other is there, and due as soon").isFalse();
    putInOrder();
    assertThat(planned.wouldBeFirst(away)).as("the shorter one goes first").isFalse();
    planned.enter(away);
    planned.leave(shorter);
    assertThat(planned.wouldBeFirst(shorter)).as("the shorter one goes first").isTrue();
  }

  // ---- Virtual time ----

  @Test
  void whoComesBackAloneIsNotFarBehindThoseThatShare() {
    PhaseQueue first = job("first", 1);
    PhaseQueue second = job("second", 1);
    begin(first, 100);
    planned.leave(first);
    planned.catchUp(450, 400);
    planned.enter(first);
    assertThat(planned.tag()).as("ahead by an eighth").isEqualTo(400);
    planned.leave(first);
    planned.catchUp(440, 400);
    planned.enter(first);
    assertThat(planned.tag()).isEqualTo(400);
    second.begin(false, nowNanos);
    planned.begin(second, 100);
    second.append(new Request(second.flow, Operation.READ, 1, 0), sequence++);
    planned.catchUp(490, 400);
    planned.enter(second);
    assertThat(planned.tag()).as("others of these wait").isEqualTo(400);
  }

  /**
   * They go on by four fifths of what they are served until they have caught up, and then by all.
   */
  @Test
  void whoComesBackCatchesUpBitByBit() {
    PhaseQueue back = job("back", 1);
    begin(back, 1_000);
    planned.leave(back);
    long token = FairDates.virtual(1, 1);
    planned.catchUp(1_000 * token, 800 * token);
    planned.enter(back);
    assertThat(planned.tag()).isEqualTo(900 * token);
    serve(back, 100);
    assertThat(planned.tag()).isCloseTo(980 * token, within(100L));
    serve(back, 700);
    assertThat(planned.tag()).as("it is ahead of 800").isCloseTo(1_540 * token, within(800L));
    serve(back, 150);
    assertThat(planned.tag()).isCloseTo(1_660 * token, within(950L));
    planned.setBack(1_600 * token);
    assertThat(planned.tag()).isCloseTo(60 * token, within(950L));
  }

  @Test
  void whoHasCaughtUpGoesOnByAllThatItIsServed() {
    PhaseQueue back = job("back", 1);
    begin(back, 10_000);
    planned.leave(back);
    long token = FairDates.virtual(1, 1);
    planned.catchUp(1_000 * token, 800 * token);
    planned.enter(back);
    serve(back, 3_500);
    assertThat(planned.tag()).isCloseTo(3_700 * token, within(3_500L));
    serve(back, 100);
    assertThat(planned.tag()).isEqualTo(3_800 * token);
  }

  @Test
  void virtualTimeIsSetBackWhereItIsFar() {
    PhaseQueue huge = job("huge", 1);
    PhaseQueue small = job("small", 1);
    huge.begin(false, nowNanos);
    planned.begin(huge, PlannedPhases.TOKENS_MAX);
    planned.served(huge, PlannedPhases.TOKENS_MAX);
    assertThat(planned.isFar()).isFalse();
    begin(small, 100);
    planned.served(small, 2);
    assertThat(planned.isFar()).isTrue();
    long ahead = small.fairDate.tag - FairDates.virtual(2, 1) - FairDates.VIRTUAL_MAX;
    long tag = planned.tag();
    planned.setBack(1_000);
    assertThat(planned.isFar()).isFalse();
    assertThat(planned.tag()).isEqualTo(tag - 1_000);
    assertThat(small.fairDate.tag).isEqualTo(ahead);
    checkBooks(huge, small);
  }
}
