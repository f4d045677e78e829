package dev.sluice.core.schedule.fair;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import org.junit.jupiter.api.Test;

/** What there is of a reserve or a limit at an instant, whatever has happened to it. */
class TermsTest {
  private static final long MILLISECOND = 1_000_000;
  private static final long SECOND = 1_000 * MILLISECOND;
  private static final long NONE = Shares.UNLIMITED;

  private final FairScheduler scheduler = new FairScheduler(TokenUnit.OPERATIONS, ShareTree.flat());

  /** Job b weighs so much that job a has next to nothing but its reserve. */
  private void terms(long limitOfA, long reserveOfA, long nowNanos) {
    scheduler.reconfigure(
        Shares.ofColumns(
                new JobId[] {JobId.of("a"), JobId.of("b")},
                new long[] {limitOfA, NONE},
                new long[] {1, ShareTree.WEIGHT_MAX},
                SECOND)
            .withReserves(new long[] {reserveOfA, 0}),
        nowNanos);
  }

  private void enqueue(String job, int count, long nowNanos) {
    for (int i = 0; i < count; i++) {
      scheduler.enqueue(request(job, 1), nowNanos);
    }
  }

  private static Request request(String job, long operations) {
    return new Request(Flow.of(JobId.of(job), "t"), Operation.READ, operations, 0);
  }

  private Request served(long nowNanos) {
    Request request = (Request) scheduler.next(nowNanos);
    scheduler.checkInvariants(nowNanos);
    return request;
  }

  private String next(long nowNanos) {
    return served(nowNanos).job().toString();
  }

  /** Both have something queued, and a has had its share by weight for long. */
  private void reserve(long perSecond) {
    terms(NONE, perSecond, 0);
    enqueue("b", 50, 0);
    enqueue("a", 20, 0);
    assertThat(next(0)).isEqualTo("b");
    assertThat(next(0)).isEqualTo("a");
    assertThat(next(0)).isEqualTo("b");
  }

  @Test
  void aReserveThatBecomesAnotherKeepsWhatHasComeIn() {
    reserve(1);
    terms(NONE, 4, SECOND / 2);
    assertThat(next(SECOND / 2)).isEqualTo("b");
    assertThat(next(625 * MILLISECOND - 1)).as("half a token at 4 a second").isEqualTo("b");
    assertThat(next(625 * MILLISECOND)).isEqualTo("a");
    assertThat(next(625 * MILLISECOND)).isEqualTo("b");
  }

  @Test
  void aReserveThatStaysIsDueWhenItWas() {
    reserve(1);
    terms(NONE, 1, SECOND / 2);
    assertThat(next(SECOND - 1)).isEqualTo("b");
    assertThat(next(SECOND)).isEqualTo("a");
  }

  @Test
  void whatCameInWhileNothingWasQueuedIsWorthOneRequest() {
    terms(NONE, 10, 0);
    enqueue("b", 50, 0);
    enqueue("a", 1, 0);
    assertThat(next(0)).isEqualTo("b");
    assertThat(next(0)).isEqualTo("a");
    enqueue("a", 5, 10 * SECOND);
    assertThat(next(10 * SECOND)).isEqualTo("a");
    assertThat(next(10 * SECOND)).isEqualTo("b");
    assertThat(next(10 * SECOND + 100 * MILLISECOND)).isEqualTo("a");
  }

  @Test
  void whatARequestCostOnTopIsTakenFromTheReserve() {
    reserve(10);
    Request dear = served(SECOND);
    assertThat(dear.job()).isEqualTo(JobId.of("a"));
    scheduler.complete(dear, 3, 0, SECOND);
    assertThat(next(SECOND)).as("of three that were there none is left").isEqualTo("b");
  }

  @Test
  void aLimitThatBecomesAnotherKeepsWhatHasComeIn() {
    terms(10, 0, 0);
    enqueue("a", 5, 0);
    for (int i = 0; i < 3; i++) {
      assertThat(next(0)).isEqualTo("a");
    }
    terms(1, 0, 50 * MILLISECOND);
    assertThat(scheduler.next(50 * MILLISECOND))
        .as("half a token at one a second")
        .isEqualTo(new Dispatch.NotBefore(550 * MILLISECOND));
  }

  /** What is full stays full, so that a later price is taken from that. */
  @Test
  void whatARequestCostOnTopIsTakenFromWhatThereIsThen() {
    terms(10, 0, 0);
    enqueue("a", 1, 0);
    Request dear = served(0);
    scheduler.complete(dear, 6, 0, 10 * SECOND);
    enqueue("a", 1, 10 * SECOND);
    assertThat(scheduler.next(10 * SECOND))
        .as("3 - 5, and one is wanted")
        .isEqualTo(new Dispatch.NotBefore(10 * SECOND + 300 * MILLISECOND));
  }

  /** Or whoever is away for a moment would owe nothing any more. */
  @Test
  void whoGoesOnBelowItsLimitLeavesNobodyABeginning() {
    terms(100, 0, 0);
    scheduler.enqueue(request("other", 5), 0);
    enqueue("a", 3, 0);
    assertThat(next(0)).isEqualTo("other");
    assertThat(next(0)).isEqualTo("a");
    enqueue("other", 1, 0);
    assertThat(next(0)).isEqualTo("a");
    assertThat(next(0)).isEqualTo("a");
    assertThat(next(0)).isEqualTo("other");
  }

  @Test
  void theLargestRequestsFitUnderTermsToo() {
    FairScheduler dear = new FairScheduler(new TokenUnit(1 << 10, 0), ShareTree.flat());
    dear.reconfigure(
        Shares.ofColumns(new JobId[] {JobId.of("a")}, new long[] {NONE}, new long[] {1}, SECOND)
            .withReserves(new long[] {1}),
        0);
    dear.enqueue(request("a", 1), 0);
    for (int i = 0; i < 20; i++) {
      dear.enqueue(request("other", Request.COST_MAX), 0);
    }
    for (int i = 0; i < 21; i++) {
      assertThat(dear.next(0)).isInstanceOf(Request.class);
      dear.checkInvariants(0);
    }
  }

  /** A target on which there is time for everything. */
  private record Ample(boolean isShort) implements Pace {
    @Override
    public long spareNanos(long nowNanos) {
      return SECOND;
    }

    @Override
    public long nanosFor(long tokens) {
      return SECOND;
    }
  }

  @Test
  void nobodyIsHeldBeyondTheInstantAtWhichAReserveIsDue() {
    Pace pace = new Ample(true);
    // A comes back after 4 ms each time, and is then due back after 6.5.
    long now = 0;
    scheduler.enqueue(request("a", 1), now);
    for (int i = 0; i < 3; i++) {
      assertThat(scheduler.next(pace, now)).isInstanceOf(Request.class);
      now += 4 * MILLISECOND;
      scheduler.enqueue(request("a", 1), now);
    }
    assertThat(scheduler.next(pace, now)).isInstanceOf(Request.class);
    scheduler.reconfigure(
        Shares.ofColumns(
                new JobId[] {JobId.of("a"), JobId.of("b")},
                new long[] {NONE, NONE},
                new long[] {ShareTree.WEIGHT_MAX, 1},
                SECOND)
            .withReserves(new long[] {0, 200}),
        now);
    enqueue("b", 2, now);
    enqueue("c", 2, now);
    assertThat(next(now)).as("nobody is waited for").isEqualTo("b");
    assertThat(next(now)).isEqualTo("c");
    assertThat(scheduler.next(pace, now))
        .as("one is due by reserve after 5 ms")
        .isEqualTo(new Dispatch.NotBefore(now + 5 * MILLISECOND));
  }

  @Test
  void whereNothingIsQueuedNothingIsHeld() {
    assertThat(scheduler.next(new Ample(true), 0)).isEqualTo(Dispatch.EMPTY);
    assertThat(scheduler.next(new Ample(false), 0)).isEqualTo(Dispatch.EMPTY);
  }
}
