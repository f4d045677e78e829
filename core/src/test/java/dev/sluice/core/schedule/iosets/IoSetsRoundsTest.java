package dev.sluice.core.schedule.iosets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.MaxWait;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.Turns;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Which set is next in rounds with debts, and who belongs to a set when shares change. */
class IoSetsRoundsTest {
  private static final Target REQUESTS = new Target("t", 100, TokenUnit.OPERATIONS);
  private static final long SECOND = 1_000_000_000L;

  /**
   * Whatever requests cost: as if one round went by after the other, each giving every set its
   * credits, although those in which all are in debt are gone through at once.
   */
  @Test
  void roundsInWhichNobodyHasCreditAreOnlyFaster() {
    SeededCases.forAll(300, IoSetsRoundsTest::checkDebts);
  }

  private static void checkDebts(RandomGenerator random) {
    int sets = random.nextInt(1, 5);
    long least = random.nextLong(1, 100);
    long[] credits = new long[sets];
    Map<String, Long> weights = new TreeMap<>();
    for (int i = 0; i < sets; i++) {
      credits[i] = sets - i == 1 ? 1 : (sets - i) * random.nextLong(1, 4) + 20L * (sets - i);
      weights.put("job" + i, credits[i] * least);
    }
    IoSetsScheduler scheduler = scheduler(weights, MaxWait.UNBOUNDED);
    // The least priority first, by which credits are counted from the first round on.
    for (int i = sets - 1; i >= 0; i--) {
      enqueue(scheduler, "job" + i, random.nextLong(1, 300));
      enqueue(scheduler, "job" + i, random.nextLong(1, 300));
    }
    long[] balances = credits.clone();
    for (int step = 0; step < 100; step++) {
      Request request = (Request) scheduler.next(0);
      int expected = firstWithCredit(balances);
      while (expected < 0) {
        for (int i = 0; i < sets; i++) {
          balances[i] = Math.min(balances[i], 0) + credits[i];
        }
        expected = firstWithCredit(balances);
      }
      assertThat(request.job()).as("step %d", step).isEqualTo(JobId.of("job" + expected));
      balances[expected] -= request.operations();
      enqueue(scheduler, "job" + expected, random.nextLong(1, 300));
      scheduler.checkInvariants(0);
    }
  }

  private static int firstWithCredit(long[] balances) {
    for (int i = 0; i < balances.length; i++) {
      if (balances[i] > 0) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void aSetThatComesBackInALaterRoundHasItsPartOfIt() {
    for (int rounds = 1; rounds <= 3; rounds++) {
      IoSetsScheduler scheduler = scheduler(Map.of("a", 2L, "b", 1L), MaxWait.AUTOMATIC);
      enqueue(scheduler, "a", 1);
      assertThat(served(scheduler, 1, 0)).containsExactly("a");
      for (int i = 0; i < 5; i++) {
        enqueue(scheduler, "b", 1);
      }
      assertThat(served(scheduler, rounds, 0)).containsOnly("b");
      for (int i = 0; i < 5; i++) {
        enqueue(scheduler, "a", 1);
      }
      assertThat(served(scheduler, 5, 0))
          .as("after %d rounds", rounds)
          .containsExactly("a", "a", "a", "a", "b");
    }
  }

  /** Those that nobody listed have twice the credits of "known", and are in order of arrival. */
  @Test
  void aSetThatIsGivenCreditBackTakesItsPlaceAmongItsEquals() {
    IoSetsScheduler scheduler =
        scheduler(Map.of("known", IoSetsScheduler.UNLISTED_WEIGHT / 2), MaxWait.AUTOMATIC);
    enqueue(scheduler, "known", 1);
    Request cheap = enqueue(scheduler, "b", 4);
    enqueue(scheduler, "a", 1);
    enqueue(scheduler, "a", 1);
    enqueue(scheduler, "b", 1);
    assertThat(scheduler.next(0)).isSameAs(cheap);
    scheduler.complete(cheap, 1, 0, 0);
    assertThat(served(scheduler, 4, 0)).containsExactly("a", "a", "b", "known");
  }

  @Test
  void whoIsForgottenOwesNothing() {
    IoSetsScheduler scheduler = scheduler(Map.of("a", 1L), MaxWait.AUTOMATIC);
    Request dear = enqueue(scheduler, "a", 1);
    assertThat(scheduler.next(0)).isSameAs(dear);
    scheduler.reconfigure(Shares.NONE, 0);
    scheduler.complete(dear, 1_000, 0, 0);
    for (String job : List.of("a", "b", "a", "b")) {
      enqueue(scheduler, job, 1);
    }
    assertThat(served(scheduler, 4, 0)).containsExactly("a", "b", "a", "b");
  }

  @Test
  void whoComesAfterAReconfigurationJoinsTheSetThatThereIs() {
    Map<String, Long> weights = Map.of("a", 1L, "b", 1L);
    IoSetsScheduler scheduler = scheduler(weights, MaxWait.AUTOMATIC);
    for (int i = 0; i < 3; i++) {
      enqueue(scheduler, "a", 1);
    }
    scheduler.reconfigure(shares(weights, MaxWait.AUTOMATIC), 0);
    enqueue(scheduler, "b", 1);
    assertThat(served(scheduler, 4, 0)).containsExactly("a", "a", "a", "b");
  }

  @Test
  void whoIsAloneInItsSetIsNotServedBeforeAllForHavingWaited() {
    IoSetsScheduler scheduler =
        scheduler(Map.of("a", 1L, "b", 1L), new MaxWait.Bounded(10 * SECOND));
    for (int i = 0; i < 5; i++) {
      enqueue(scheduler, "b", 1);
    }
    assertThat(served(scheduler, 1, 20 * SECOND)).containsExactly("b");
    scheduler.enqueue(new Request(flow("a"), Operation.WRITE, 1, 0), 20 * SECOND);
    assertThat(served(scheduler, 2, 20 * SECOND)).containsExactly("a", "b");
  }

  private static IoSetsScheduler scheduler(Map<String, Long> weights, MaxWait bound) {
    IoSetsScheduler scheduler = new IoSetsScheduler(REQUESTS);
    scheduler.reconfigure(shares(weights, bound), 0);
    return scheduler;
  }

  private static Shares shares(Map<String, Long> weights, MaxWait bound) {
    Map<String, Long> sorted = new TreeMap<>(weights);
    JobId[] jobs = sorted.keySet().stream().map(JobId::of).toArray(JobId[]::new);
    long[] unlimited = new long[jobs.length];
    Arrays.fill(unlimited, Shares.UNLIMITED);
    long[] column = sorted.values().stream().mapToLong(weight -> weight).toArray();
    return Shares.ofColumns(jobs, unlimited, column, SECOND)
        .withTurns(new Turns(Turns.Order.ID, bound));
  }

  private static Flow flow(String job) {
    return Flow.of(JobId.of(job), "t");
  }

  private static Request enqueue(IoSetsScheduler scheduler, String job, long operations) {
    Request request = new Request(flow(job), Operation.WRITE, operations, 0);
    scheduler.enqueue(request, 0);
    return request;
  }

  private static List<String> served(IoSetsScheduler scheduler, int count, long nowNanos) {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(((Request) scheduler.next(nowNanos)).job().toString());
    }
    return jobs;
  }
}
