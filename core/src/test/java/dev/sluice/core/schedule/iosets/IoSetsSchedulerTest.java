package dev.sluice.core.schedule.iosets;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.MaxWait;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerContract;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.Turns;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class IoSetsSchedulerTest extends SchedulerContract {
  private static final Target REQUESTS = new Target("t", 100, TokenUnit.OPERATIONS);
  private static final Target BYTES = new Target("t", 100 << 20, TokenUnit.BYTES);
  private static final long SECOND = 1_000_000_000L;

  @Override
  protected RequestScheduler newScheduler(long nowNanos) {
    return new IoSetsScheduler(BYTES);
  }

  @Test
  void withinASetAllOfTheFirstJobComesBeforeTheNext() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "app1", 5, "app2", 5);
    enqueue(scheduler, "app2", 3, 0);
    enqueue(scheduler, "app1", 3, 0);
    assertThat(served(scheduler, 4, 0)).containsExactly("app1", "app1", "app1", "app2");
    enqueue(scheduler, "app1", 1, 0);
    assertThat(served(scheduler, 3, 0)).containsExactly("app1", "app2", "app2");
  }

  @Test
  void whereTurnsGoByArrivalTheFirstToComeIsServedUntilItHasNothingQueued() {
    IoSetsScheduler scheduler = new IoSetsScheduler(REQUESTS);
    scheduler.reconfigure(
        shares(new TreeMap<>(Map.of("a", 1L, "b", 1L)))
            .withTurns(new Turns(Turns.Order.ARRIVAL, MaxWait.UNBOUNDED)),
        0);
    enqueue(scheduler, "b", 2, 0);
    enqueue(scheduler, "a", 2, 0);
    assertThat(served(scheduler, 1, 0)).containsExactly("b");
    enqueue(scheduler, "b", 1, 0);
    assertThat(served(scheduler, 4, 0)).containsExactly("b", "b", "a", "a");
  }

  @Test
  void ofTwoSetsTheOneWithTwiceThePriorityIsServedTwiceAsOften() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "app1", 1, "app2", 2);
    enqueue(scheduler, "app1", 10, 0);
    enqueue(scheduler, "app2", 10, 0);
    assertThat(served(scheduler, 9, 0))
        .containsExactly("app2", "app2", "app1", "app2", "app2", "app1", "app2", "app2", "app1");
  }

  /** The theorem, for requests: whole credits exactly, parts of one carried. */
  @Test
  void creditsAreExactOverAnyFullRound() {
    SeededCases.forAll(500, IoSetsSchedulerTest::checkRounds);
  }

  private static void checkRounds(RandomGenerator random) {
    int sets = random.nextInt(1, 7);
    Map<String, Long> weights = new TreeMap<>();
    while (weights.values().stream().distinct().count() < sets) {
      weights.put("job" + weights.size(), random.nextLong(1, 40));
    }
    IoSetsScheduler scheduler = new IoSetsScheduler(REQUESTS);
    scheduler.reconfigure(shares(weights), 0);
    long least = weights.values().stream().min(Long::compare).orElseThrow();
    // The smallest first, so that the first round is one of all of them.
    weights.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .forEach(job -> enqueue(scheduler, job.getKey(), 10, 0));
    Map<Long, Long> got = new HashMap<>();
    int rounds = random.nextInt(1, 30);
    long perRoundTimesLeast = weights.values().stream().distinct().mapToLong(w -> w).sum();
    // After n rounds n·Σw/w0 were served up to the parts that are carried: less than one a set.
    for (long i = 0; i < rounds * perRoundTimesLeast / least; i++) {
      String job = served(scheduler, 1, 0).getFirst();
      got.merge(weights.getOrDefault(job, 0L), 1L, Long::sum);
      enqueue(scheduler, job, 1, 0);
      scheduler.checkInvariants(0);
    }
    boolean whole = weights.values().stream().allMatch(weight -> weight % least == 0);
    got.forEach((weight, count) -> {
      double exact = (double) rounds * weight / least;
      if (whole) {
        assertThat((double) count).isEqualTo(exact);
      } else {
        assertThat((double) count).isBetween(exact - sets - 1, exact + sets + 1);
      }
    });
  }

  @Test
  void whereBytesCountASetOfLargeRequestsIsServedNoMoreBytes() {
    IoSetsScheduler scheduler = with(BYTES, MaxWait.AUTOMATIC, "large", 1, "small", 3);
    Map<String, Long> bytes = new HashMap<>();
    for (int i = 0; i < 20; i++) {
      enqueue(scheduler, "large", 4 << 20);
      enqueue(scheduler, "small", 64 << 10);
    }
    for (int i = 0; i < 5_000; i++) {
      Request request = (Request) scheduler.next(0);
      String job = request.job().toString();
      bytes.merge(job, request.bytes(), Long::sum);
      enqueue(scheduler, job, request.bytes());
    }
    double ratio = (double) bytes.getOrDefault("small", 0L) / bytes.getOrDefault("large", 1L);
    assertThat(ratio).isBetween(2.9, 3.1);
  }

  private static void enqueue(IoSetsScheduler scheduler, String job, long requestBytes) {
    Flow flow = Flow.of(JobId.of(job), "t");
    scheduler.enqueue(new Request(flow, Operation.WRITE, 1, requestBytes), 0);
  }

  @Test
  void aSetThatWasIdleHasSavedNothingUp() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "busy", 1, "idle", 3);
    enqueue(scheduler, "busy", 100, 0);
    served(scheduler, 50, 0);
    enqueue(scheduler, "idle", 100, 0);
    assertThat(served(scheduler, 8, 0))
        .as("its part of the round that goes on, and then of whole rounds")
        .containsExactly("idle", "idle", "idle", "idle", "idle", "idle", "busy", "idle");
  }

  @Test
  void aJobThatNobodyListedIsASetOfItsOwn() {
    IoSetsScheduler scheduler =
        with(REQUESTS, MaxWait.AUTOMATIC, "known", IoSetsScheduler.PRIORITY_ONE / 100);
    enqueue(scheduler, "known", 10, 0);
    enqueue(scheduler, "new", 10, 0);
    enqueue(scheduler, "newer", 10, 0);
    assertThat(served(scheduler, 5, 0))
        .as("1/50 is twice 1/100, for each of those that nobody listed")
        .containsExactly("new", "new", "newer", "newer", "known");
  }

  @Test
  void withoutABoundAJobStarvesBehindOneThatNeverEnds() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.UNBOUNDED, "a", 1, "b", 1);
    enqueue(scheduler, "b", 1, 0);
    for (long second = 0; second < 10_000; second++) {
      enqueue(scheduler, "a", 1, second * SECOND);
      assertThat(served(scheduler, 1, second * SECOND)).containsExactly("a");
    }
  }

  /** With n jobs that never end in one set nobody goes unserved for more than n bounds. */
  @Test
  void withABoundNobodyStarves() {
    SeededCases.forAll(200, IoSetsSchedulerTest::checkStarvation);
  }

  private static void checkStarvation(RandomGenerator random) {
    int jobs = random.nextInt(2, 8);
    long bound = random.nextLong(SECOND / 100, 20 * SECOND);
    long step = bound / random.nextInt(3, 50) + 1;
    Map<String, Long> weights = new TreeMap<>();
    for (int i = 0; i < jobs; i++) {
      weights.put("job" + i, 7L);
    }
    IoSetsScheduler scheduler = new IoSetsScheduler(REQUESTS);
    scheduler.reconfigure(
        shares(weights).withTurns(new Turns(Turns.Order.ID, new MaxWait.Bounded(bound))), 0);
    weights.keySet().forEach(job -> enqueue(scheduler, job, 5, 0));
    Map<String, Long> lastServed = new HashMap<>();
    for (long now = 0; now < 5L * jobs * bound; now += step) {
      String job = served(scheduler, 1, now).getFirst();
      enqueue(scheduler, job, 1, now);
      lastServed.put(job, now);
      for (String each : weights.keySet()) {
        assertThat(now - lastServed.getOrDefault(each, 0L))
            .as("time since %s was served", each)
            .isLessThanOrEqualTo(jobs * (bound + step));
      }
    }
  }

  @Test
  void whoWaitedTooLongKeepsItsTurnUntilItHasNothingQueued() {
    IoSetsScheduler scheduler =
        with(REQUESTS, new MaxWait.Bounded(10 * SECOND), "a", 1, "b", 1, "c", 1);
    enqueue(scheduler, "a", 20, 0);
    enqueue(scheduler, "b", 3, 0);
    enqueue(scheduler, "c", 1, 5 * SECOND);
    assertThat(served(scheduler, 2, 9 * SECOND)).containsExactly("a", "a");
    assertThat(served(scheduler, 4, 10 * SECOND)).containsExactly("b", "b", "b", "a");
    assertThat(served(scheduler, 2, 15 * SECOND)).containsExactly("c", "a");
  }

  @Test
  void theBoundFollowsTheLengthOfPhases() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", 1, "b", 1, "c", 1);
    enqueue(scheduler, "a", 1_000, 0);
    enqueue(scheduler, "b", 1, 0);
    assertThat(served(scheduler, 999, 59 * SECOND)).containsOnly("a");
    assertThat(served(scheduler, 2, 60 * SECOND))
        .as("a minute, before a phase is over")
        .containsExactly("b", "a");
    // A phase was 1,000 requests at 100 a second: 10 s, so that the other waits for 20 s at most.
    enqueue(scheduler, "a", 1_000, 100 * SECOND);
    enqueue(scheduler, "c", 1, 100 * SECOND);
    assertThat(served(scheduler, 1, 110 * SECOND)).containsExactly("a");
    assertThat(served(scheduler, 1, 119 * SECOND)).containsExactly("a");
    assertThat(served(scheduler, 2, 120 * SECOND)).containsExactly("c", "a");
  }

  @Test
  void aPauseWithinAPhaseDoesNotEndIt() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", 1, "b", 1);
    for (int i = 0; i < 1_000; i++) {
      enqueue(scheduler, "a", 1, i * SECOND / 100);
      served(scheduler, 1, i * SECOND / 100);
    }
    enqueue(scheduler, "a", 10, 100 * SECOND);
    enqueue(scheduler, "b", 1, 100 * SECOND);
    assertThat(served(scheduler, 1, 110 * SECOND)).containsExactly("a");
    assertThat(served(scheduler, 1, 119 * SECOND)).containsExactly("a");
    assertThat(served(scheduler, 1, 120 * SECOND)).containsExactly("b");
  }

  @Test
  void aJobThatChangesItsSetTakesItsRequestsAndItsWaitAlong() {
    IoSetsScheduler scheduler =
        with(REQUESTS, new MaxWait.Bounded(10 * SECOND), "a", 1, "b", 1, "c", 9);
    enqueue(scheduler, "a", 5, 0);
    enqueue(scheduler, "c", 5, 0);
    Map<String, Long> together = Map.of("a", 1L, "b", 1L, "c", 1L);
    scheduler.reconfigure(
        shares(new TreeMap<>(together))
            .withTurns(new Turns(Turns.Order.ID, new MaxWait.Bounded(10 * SECOND))),
        SECOND);
    scheduler.checkInvariants(SECOND);
    assertThat(served(scheduler, 1, SECOND)).containsExactly("a");
    assertThat(served(scheduler, 1, 10 * SECOND)).containsExactly("c");
  }

  /** Credits are 2 and 1 in a round; one request of b turns out to cost 5. */
  @Test
  void aSetPaysForWhatARequestCostOnTop() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", 1, "b", 2);
    enqueue(scheduler, "a", 10, 0);
    enqueue(scheduler, "b", 10, 0);
    served(scheduler, 3, 0);
    Request dear = (Request) scheduler.next(0);
    assertThat(dear.job()).isEqualTo(JobId.of("b"));
    scheduler.complete(dear, 5, 0, 0);
    scheduler.checkInvariants(0);
    assertThat(served(scheduler, 7, 0)).containsExactly("a", "a", "b", "a", "b", "b", "a");
  }

  @Test
  void aSetThatHasJustSpentItsCreditWaitsForTheNextRound() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", 1, "b", 2);
    enqueue(scheduler, "a", 10, 0);
    enqueue(scheduler, "b", 10, 0);
    served(scheduler, 3, 0);
    Request dear = (Request) scheduler.next(0);
    scheduler.complete(dear, 2, 0, 0);
    assertThat(served(scheduler, 2, 0)).containsExactly("a", "b");
  }

  @Test
  void whatARequestDidNotCostIsGivenBackToItsSet() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", 1, "b", 2);
    enqueue(scheduler, "a", 10, 0);
    Request cheap = new Request(Flow.of(JobId.of("b"), "t"), Operation.WRITE, 4, 0);
    scheduler.enqueue(cheap, 0);
    enqueue(scheduler, "b", 10, 0);
    assertThat(scheduler.next(0)).isSameAs(cheap);
    scheduler.complete(cheap, 1, 0, 0);
    scheduler.checkInvariants(0);
    assertThat(served(scheduler, 2, 0)).containsExactly("b", "a");
    assertThatThrownBy(() -> scheduler.complete(cheap, -1, 0, 0))
        .hasMessageContaining("-1 operations");
  }

  @Test
  void whatIsCorrectedOfAJobThatHasNothingQueuedOrIsForgottenHarmsNobody() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", 1);
    Request cheap = new Request(Flow.of(JobId.of("a"), "t"), Operation.WRITE, 4, 0);
    scheduler.enqueue(cheap, 0);
    assertThat(scheduler.next(0)).isSameAs(cheap);
    scheduler.complete(cheap, 1, 0, 0);
    assertThat(scheduler.next(0)).isEqualTo(Dispatch.EMPTY);
    scheduler.reconfigure(Shares.NONE, 0);
    scheduler.complete(cheap, 9, 0, 0);
    scheduler.checkInvariants(0);
  }

  /** Of each request of a, which costs 2, its set pays half in a round. */
  @Test
  void aSetThatHasPaidItsDebtAndNoMoreSitsOut() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", 1, "b", 2);
    for (int i = 0; i < 3; i++) {
      scheduler.enqueue(new Request(Flow.of(JobId.of("a"), "t"), Operation.WRITE, 2, 0), 0);
    }
    enqueue(scheduler, "b", 20, 0);
    served(scheduler, 3, 0);
    assertThat(served(scheduler, 5, 0)).containsExactly("b", "b", "b", "b", "a");
  }

  @Test
  void whereBytesCountARoundIsOfMegabytes() {
    IoSetsScheduler scheduler = with(BYTES, MaxWait.AUTOMATIC, "a", 1, "b", 2);
    for (int i = 0; i < 12; i++) {
      enqueue(scheduler, "a", IoSetsScheduler.QUANTUM_BYTES / 4);
      enqueue(scheduler, "b", IoSetsScheduler.QUANTUM_BYTES / 4);
    }
    assertThat(served(scheduler, 12, 0))
        .containsExactly("b", "b", "b", "b", "b", "b", "b", "b", "a", "a", "a", "a");
  }

  /** So many that a heap does not keep their order by itself. */
  @Test
  void thoseThatNobodyListedHaveTheirTurnsInTheOrderInWhichTheyCame() {
    List<String> jobs = List.of("e", "c", "a", "l", "d", "b", "k", "f", "j", "g", "i", "h");
    IoSetsScheduler scheduler = new IoSetsScheduler(REQUESTS);
    for (int i = 0; i < 4; i++) {
      jobs.forEach(job -> enqueue(scheduler, job, 1, 0));
    }
    for (int i = 0; i < 4; i++) {
      assertThat(served(scheduler, jobs.size(), 0)).isEqualTo(jobs);
    }
  }

  @Test
  void whoIsListedNoMoreIsASetOfItsOwn() {
    long weight = IoSetsScheduler.UNLISTED_WEIGHT;
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", weight, "b", weight);
    enqueue(scheduler, "a", 5, 0);
    enqueue(scheduler, "b", 5, 0);
    assertThat(served(scheduler, 2, 0)).containsExactly("a", "a");
    scheduler.reconfigure(Shares.NONE, 0);
    scheduler.checkInvariants(0);
    assertThat(served(scheduler, 4, 0)).containsExactlyInAnyOrder("a", "b", "a", "b");
  }

  @Test
  void turnsThatGoByAnotherOrderGoByItAtOnce() {
    IoSetsScheduler scheduler = new IoSetsScheduler(REQUESTS);
    Shares both = shares(new TreeMap<>(Map.of("a", 1L, "b", 1L)));
    scheduler.reconfigure(both.withTurns(new Turns(Turns.Order.ARRIVAL, MaxWait.UNBOUNDED)), 0);
    enqueue(scheduler, "b", 3, 0);
    enqueue(scheduler, "a", 3, 0);
    assertThat(served(scheduler, 1, 0)).containsExactly("b");
    scheduler.reconfigure(both.withTurns(new Turns(Turns.Order.ID, MaxWait.UNBOUNDED)), 0);
    scheduler.checkInvariants(0);
    assertThat(served(scheduler, 4, 0)).containsExactly("a", "a", "a", "b");
  }

  /** B and c have waited too long at once; b has its turn for as long as a wait may take. */
  @Test
  void ofTwoThatWaitedTooLongOneIsServedAndThenTheOther() {
    IoSetsScheduler scheduler =
        with(REQUESTS, new MaxWait.Bounded(10 * SECOND), "a", 1, "b", 1, "c", 1);
    for (String job : List.of("a", "b", "c")) {
      enqueue(scheduler, job, 20, 0);
    }
    assertThat(served(scheduler, 1, 9 * SECOND)).containsExactly("a");
    assertThat(served(scheduler, 1, 10 * SECOND)).containsExactly("b");
    assertThat(served(scheduler, 1, 12 * SECOND)).containsExactly("b");
    assertThat(served(scheduler, 1, 20 * SECOND - 1)).containsExactly("b");
    assertThat(served(scheduler, 1, 20 * SECOND)).containsExactly("c");
  }

  /** Phases of 1,000 and 200 requests: what is typical moves towards the second by an eighth. */
  @Test
  void whatIsTypicalFollowsPhasesSlowlyWhateverIsReconfigured() {
    IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", 1, "b", 1);
    enqueue(scheduler, "a", 1_000, 0);
    served(scheduler, 1_000, 0);
    scheduler.reconfigure(shares(new TreeMap<>(Map.of("a", 1L, "b", 1L))), 10 * SECOND);
    enqueue(scheduler, "a", 200, 100 * SECOND);
    served(scheduler, 200, 100 * SECOND);
    enqueue(scheduler, "a", 10, 200 * SECOND);
    enqueue(scheduler, "b", 1, 200 * SECOND);
    long typicalTokens = 1_000 - 800 / 8;
    long bound = 2 * typicalTokens * SECOND / 100;
    assertThat(served(scheduler, 1, 200 * SECOND + bound - 1)).containsExactly("a");
    assertThat(served(scheduler, 1, 200 * SECOND + bound)).containsExactly("b");
  }

  /** Of a period of a second a tenth. */
  @Test
  void howLongAPauseIsGoesByThePeriodsOfTheSet() {
    for (long more : new long[] {0, 1}) {
      long one = IoSetsScheduler.PRIORITY_ONE;
      IoSetsScheduler scheduler = with(REQUESTS, MaxWait.AUTOMATIC, "a", one, "b", one);
      enqueue(scheduler, "a", 100, 0);
      served(scheduler, 100, 0);
      long back = SECOND / 10 + more;
      enqueue(scheduler, "a", 100, back);
      enqueue(scheduler, "b", 1, back);
      assertThat(served(scheduler, 1, back + SECOND)).containsExactly("a");
      // A phase of a second is over, or it is not known yet how long phases are.
      assertThat(served(scheduler, 1, back + 2 * SECOND)).containsExactly(more == 0 ? "a" : "b");
    }
  }

  @Test
  void theyHaveNames() {
    JobSet set = new JobSet(5, true);
    assertThat(set).hasToString("the set of weight 5");
    assertThat(new SetQueue(JobId.of("a"), set)).hasToString("job a");
  }

  private static IoSetsScheduler with(Target target, MaxWait bound, Object... jobsAndWeights) {
    Map<String, Long> weights = new TreeMap<>();
    for (int i = 0; i < jobsAndWeights.length; i += 2) {
      weights.put((String) jobsAndWeights[i], ((Number) jobsAndWeights[i + 1]).longValue());
    }
    IoSetsScheduler scheduler = new IoSetsScheduler(target);
    scheduler.reconfigure(shares(weights).withTurns(new Turns(Turns.Order.ID, bound)), 0);
    return scheduler;
  }

  private static Shares shares(Map<String, Long> weights) {
    JobId[] jobs = weights.keySet().stream().map(JobId::of).sorted().toArray(JobId[]::new);
    long[] unlimited = new long[jobs.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    long[] column = weights.values().stream().mapToLong(weight -> weight).toArray();
    return Shares.ofColumns(jobs, unlimited, column, SECOND);
  }

  private static void enqueue(IoSetsScheduler scheduler, String job, int count, long nowNanos) {
    Flow flow = Flow.of(JobId.of(job), "t");
    for (int i = 0; i < count; i++) {
      scheduler.enqueue(new Request(flow, Operation.WRITE, 1, 1 << 20), nowNanos);
    }
  }

  private static List<String> served(IoSetsScheduler scheduler, int count, long nowNanos) {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(((Request) scheduler.next(nowNanos)).job().toString());
    }
    return jobs;
  }
}
