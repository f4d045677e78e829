package dev.sluice.core.schedule.mlwdf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerContract;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MlwdfSchedulerTest extends SchedulerContract {
  private static final Target TARGET = new Target("t", 1_000, TokenUnit.OPERATIONS);
  private static final long SLOT = 100_000_000L;
  private static final long GAMMA_ONE = 1L << 40;

  @Override
  protected RequestScheduler newScheduler(long nowNanos) {
    return new MlwdfScheduler(new Target("t", 100 << 20, TokenUnit.BYTES));
  }

  @Test
  void theLongerQueueIsFirst() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(shares(new long[] {50, 50}, GAMMA_ONE, GAMMA_ONE), 0);
    enqueue(scheduler, "a", 2, 0);
    enqueue(scheduler, "b", 4, 0);
    assertThat(served(scheduler, 6, 0)).containsExactly("b", "b", "a", "b", "a", "b");
  }

  @Test
  void theLargerWeightAndTheLargerCapacityAreFirst() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(shares(new long[] {50, 50}, GAMMA_ONE, 3 * GAMMA_ONE), 0);
    enqueue(scheduler, "a", 1, 0);
    enqueue(scheduler, "b", 1, 0);
    assertThat(served(scheduler, 2, 0)).containsExactly("b", "a");
    scheduler.reconfigure(shares(new long[] {90, 10}, GAMMA_ONE, 3 * GAMMA_ONE), 0);
    enqueue(scheduler, "a", 1, 0);
    enqueue(scheduler, "b", 1, 0);
    assertThat(served(scheduler, 2, 0)).containsExactly("a", "b");
  }

  /** Whoever came first is first where nothing else tells two apart, so that b comes first here. */
  @Test
  void whoHasBorrowedIsFirst() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(shares(new long[] {50, 50}, GAMMA_ONE, GAMMA_ONE), 0);
    enqueue(scheduler, "b", 3, 0);
    enqueue(scheduler, "a", 3, 0);
    assertThat(served(scheduler, 6, 0))
        .as("nobody has borrowed")
        .containsExactly("b", "a", "b", "a", "b", "a");
    scheduler.reconfigure(
        shares(new long[] {50, 50}, GAMMA_ONE, GAMMA_ONE).withBorrowed(new long[] {30, 0}), SLOT);
    enqueue(scheduler, "b", 3, SLOT);
    enqueue(scheduler, "a", 3, SLOT);
    // Each is worth 50 a request; what a has borrowed is worth less than one more.
    assertThat(served(scheduler, 6, SLOT)).containsExactly("a", "b", "a", "b", "a", "b");
  }

  /** With γ = 1/4 and C = 100 a request is worth 25; what a has borrowed, 80, is worth 3.2. */
  @Test
  void whatIsBorrowedIsWorthAsManyRequestsAsItsTokens() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(
        shares(new long[] {100, 100}, GAMMA_ONE / 4, GAMMA_ONE / 4)
            .withBorrowed(new long[] {80, 0}),
        0);
    enqueue(scheduler, "b", 5, 0);
    enqueue(scheduler, "a", 5, 0);
    assertThat(served(scheduler, 10, 0))
        .containsExactly("a", "a", "a", "a", "b", "a", "b", "b", "b", "b");
  }

  /** For who has no limit the server has all that it has: 100 tokens in a slot. */
  @Test
  void whoHasNoLimitIsAsUrgentAsTheWholeServer() {
    for (long limit : new long[] {99, 101}) {
      MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
      scheduler.reconfigure(shares(new long[] {Shares.UNLIMITED, limit}, GAMMA_ONE, GAMMA_ONE), 0);
      enqueue(scheduler, limit < 100 ? "b" : "a", 1, 0);
      enqueue(scheduler, limit < 100 ? "a" : "b", 1, 0);
      assertThat(served(scheduler, 1, 0)).containsExactly(limit < 100 ? "a" : "b");
    }
  }

  @Test
  void whatComesInWhileABucketIsFullIsNotSavedUp() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(shares(new long[] {2, 50}, 1, 1), 0);
    enqueue(scheduler, "a", 4, 0);
    assertThat(served(scheduler, 2, 10 * SLOT)).containsExactly("a", "a");
    assertThat(scheduler.next(10 * SLOT)).isInstanceOf(Dispatch.NotBefore.class);
  }

  @Test
  void whatARequestCostOnTopIsChargedWhenItIsTold() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(shares(new long[] {10, 50}, 1, 1), 0);
    enqueue(scheduler, "a", 1, 0);
    Request request = (Request) scheduler.next(0);
    scheduler.complete(request, 9, 0, 10 * SLOT);
    enqueue(scheduler, "a", 5, 10 * SLOT);
    assertThat(served(scheduler, 2, 10 * SLOT)).containsExactly("a", "a");
    assertThat(scheduler.next(10 * SLOT)).isInstanceOf(Dispatch.NotBefore.class);
    assertThatThrownBy(() -> scheduler.complete(request, -1, 0, 10 * SLOT))
        .hasMessageContaining("-1 operations");
  }

  @Test
  void whoWasNotLimitedHasSavedNothingUpAndWhoIsForgottenBeginsAnew() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    enqueue(scheduler, "a", 4, 0);
    scheduler.reconfigure(shares(new long[] {5, 5}, 1, 1), 0);
    assertThat(served(scheduler, 1, 0)).as("a first one does not wait").containsExactly("a");
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SLOT / 5));
    assertThat(served(scheduler, 3, SLOT)).containsExactly("a", "a", "a");

    scheduler.reconfigure(Shares.NONE, SLOT);
    scheduler.reconfigure(shares(new long[] {5, 5}, 1, 1), SLOT);
    enqueue(scheduler, "a", 6, SLOT);
    assertThat(served(scheduler, 5, SLOT)).as("a slot's worth").hasSize(5);
    assertThat(scheduler.next(SLOT)).isInstanceOf(Dispatch.NotBefore.class);
  }

  @Test
  void whoIsNamedAgainIsNotForgottenThoughItHasNothingQueued() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(shares(new long[] {2, 50}, 1, 1), 0);
    enqueue(scheduler, "a", 2, 0);
    assertThat(served(scheduler, 2, 0)).containsExactly("a", "a");
    scheduler.reconfigure(shares(new long[] {2, 50}, 1, 1), 0);
    enqueue(scheduler, "a", 1, 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SLOT / 2));
  }

  @Test
  void whatCameInBeforeAChangeCameInAtTheRateOfThen() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(shares(new long[] {2, 50}, 1, 1), 0);
    enqueue(scheduler, "a", 3, 0);
    assertThat(served(scheduler, 2, 0)).containsExactly("a", "a");
    scheduler.reconfigure(shares(new long[] {4, 50}, 1, 1), SLOT / 4);
    assertThat(scheduler.next(SLOT / 4))
        .as("half a token is there")
        .isEqualTo(new Dispatch.NotBefore(SLOT / 4 + SLOT / 8));
  }

  @Test
  void aQueueIsCalledByItsJob() {
    assertThat(new MlwdfQueue(JobId.of("a"))).hasToString("job a");
  }

  @Test
  void whoHasNoTokensWaitsForThem() {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    scheduler.reconfigure(shares(new long[] {2, 50}, 100 * GAMMA_ONE, 1), 0);
    enqueue(scheduler, "a", 4, 0);
    enqueue(scheduler, "b", 1, 0);
    assertThat(served(scheduler, 3, 0)).containsExactly("a", "a", "b");
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SLOT / 2));
    assertThat(served(scheduler, 1, SLOT / 2)).containsExactly("a");
  }

  /** The theorem about windows: no more than a slot, the rate, and one request. */
  @Test
  void nobodyIsServedMoreThanItsTokens() {
    SeededCases.forAll(300, MlwdfSchedulerTest::checkWindow);
  }

  private static void checkWindow(RandomGenerator random) {
    MlwdfScheduler scheduler = new MlwdfScheduler(TARGET);
    long tokens = random.nextLong(1, 200);
    scheduler.reconfigure(shares(new long[] {tokens, 1}, 1, 1), 0);
    int price = random.nextInt(1, 20);
    Flow flow = Flow.of(JobId.of("a"), "t");
    long now = 0;
    long served = 0;
    for (int i = 0; i < 500; i++) {
      scheduler.enqueue(new Request(flow, Operation.GETATTR, price, 0), now);
      Dispatch answer = scheduler.next(now);
      if (answer instanceof Dispatch.NotBefore(long nanos)) {
        now = nanos + random.nextLong(SLOT / 10);
        answer = scheduler.next(now);
      }
      assertThat(answer).isInstanceOf(Request.class);
      served += price;
      assertThat((double) served)
          .isLessThanOrEqualTo(tokens + (double) tokens * now / SLOT + price);
    }
  }

  @Test
  void whatWasNotMovedIsGivenBack() {
    MlwdfScheduler scheduler = new MlwdfScheduler(new Target("t", 1_000, TokenUnit.BYTES));
    scheduler.reconfigure(shares(new long[] {100, 1}, 1, 1), 0);
    Flow flow = Flow.of(JobId.of("a"), "t");
    Request first = new Request(flow, Operation.READ, 1, 100);
    Request second = new Request(flow, Operation.READ, 1, 100);
    scheduler.enqueue(first, 0);
    scheduler.enqueue(second, 0);
    assertThat(scheduler.next(0)).isSameAs(first);
    assertThat(scheduler.next(0)).isInstanceOf(Dispatch.NotBefore.class);
    scheduler.complete(first, 1, 40, 0);
    assertThat(scheduler.next(0)).isSameAs(second);
  }

  private static Shares shares(long[] tokens, long... weights) {
    return Shares.ofColumns(new JobId[] {JobId.of("a"), JobId.of("b")}, tokens, weights, SLOT);
  }

  private static void enqueue(MlwdfScheduler scheduler, String job, int count, long nowNanos) {
    Flow flow = Flow.of(JobId.of(job), "t");
    for (int i = 0; i < count; i++) {
      scheduler.enqueue(new Request(flow, Operation.WRITE, 1, 1 << 20), nowNanos);
    }
  }

  private static List<String> served(MlwdfScheduler scheduler, int count, long nowNanos) {
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      jobs.add(((Request) scheduler.next(nowNanos)).job().toString());
    }
    return jobs;
  }
}
