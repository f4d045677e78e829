package dev.sluice.core.schedule.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.terms.TermedTarget;
import dev.sluice.core.schedule.terms.TermsContract;
import dev.sluice.testkit.SeededCases;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** What reserves and limits promise, on a target that does so many tokens a second. */
class ReserveAndLimitTest extends TermsContract {
  private static final long SECOND = 1_000_000_000L;
  private static final long DEPTH = TermedTarget.DEPTH;
  private static final Class<Request> REQUEST = Request.class;
  private static final long[] UNLIMITED = {Shares.UNLIMITED, Shares.UNLIMITED};

  @Override
  protected RequestScheduler newScheduler(Target target, ShareTree tree) {
    return new FairScheduler(target.unit(), tree);
  }

  /**
   * A job gets the larger of its reserve and its share by weight, not the sum, and at most its
   * limit: there is a level λ with parts {@code clamp(λ × weight, reserve, limit)} that add up to
   * what the target does.
   */
  @Test
  void whatIsLeftIsDividedByWeightAndReservesCountForIt() {
    SeededCases.forAll(
        60,
        random -> {
          TermedTarget target =
              target(random, random.nextDouble(), random.nextBoolean(), ShareTree.flat());
          double slack = 0;
          for (int i = 0; i < target.jobs; i++) {
            slack += 6 * target.largest[i] + 2 * target.largestOfAll();
            slack += target.limits[i] == Shares.UNLIMITED ? 0 : DEPTH;
          }
          double enough = 20 * slack / target.capacity;
          while (target.seconds() < enough) {
            target.fill();
            target.serve();
          }
          double[] expected = clamped(target);
          for (int i = 0; i < target.jobs; i++) {
            assertThat((double) target.served[i])
                .as(
                    "served to weight %s, reserve %s, limit %s of %s",
                    target.weights[i], target.reserves[i], target.limits[i], target.capacity)
                .isCloseTo(expected[i] * target.seconds(), within(slack));
          }
          assertThat(target.idled && expectedSum(expected) > target.capacity * 0.999)
              .as("whether it idled in spite of them")
              .isFalse();
        });
  }

  private static double expectedSum(double[] expected) {
    return Arrays.stream(expected).sum();
  }

  /** By bisection of the level. */
  private static double[] clamped(TermedTarget target) {
    double low = 0;
    double high = target.capacity;
    double[] parts = new double[target.jobs];
    for (int round = 0; round < 200; round++) {
      double level = (low + high) / 2;
      for (int i = 0; i < parts.length; i++) {
        parts[i] =
            Math.min(
                Math.max(level * target.weights[i], (double) target.reserves[i]),
                (double) target.limits[i]);
      }
      if (expectedSum(parts) > target.capacity) {
        high = level;
      } else {
        low = level;
      }
    }
    return parts;
  }

  /** A reserve that is more than the branch's share leaves a little for the branch's other jobs. */
  @Test
  void nobodyStarvesBesideAReserveInItsBranch() {
    checkWhoIsBesideAReserve(1);
    checkWhoIsBesideAReserve(4);
  }

  /** With requests of so many operations each, all of them on a target that does a hundred. */
  private static void checkWhoIsBesideAReserve(int operations) {
    FairScheduler scheduler = new FairScheduler(TokenUnit.OPERATIONS, ShareTree.byUser());
    JobId[] ids = {JobId.of("a"), JobId.of("b"), JobId.of("c")};
    String[] users = {"alice", "alice", "bob"};
    long[] unlimited = {Shares.UNLIMITED, Shares.UNLIMITED, Shares.UNLIMITED};
    scheduler.reconfigure(
        Shares.ofColumns(ids, unlimited, new long[] {1, 1, 1}, SECOND)
            .withReserves(new long[] {90L * operations, 0, 0}),
        0);
    int[] served = new int[3];
    int[] waiting = new int[3];
    int steps = 100_000;
    for (int step = 0; step < steps; step++) {
      long now = step * (SECOND / 100);
      for (int i = 0; i < 3; i++) {
        while (waiting[i] < 2) {
          Flow flow = new Flow(ids[i], users[i], "group", ClientAddress.LOCAL, "/export", "target");
          scheduler.enqueue(new Request(flow, Operation.READ, operations, 0), now);
          waiting[i]++;
        }
      }
      int job = Arrays.asList(ids).indexOf(((Request) scheduler.next(now)).job());
      served[job]++;
      waiting[job]--;
    }
    assertThat(served[0]).isBetween(steps * 90 / 100 - 3, steps * 90 / 100 + 3);
    assertThat(served[1]).isBetween(steps / 1_000, steps / 200);
  }

  /** What a reserve gave a job beyond its share is not held against it when the reserve ends. */
  @Test
  void whoHadAReserveOwesLittleWhenItEnds() {
    SeededCases.forAll(
        40,
        random -> {
          TermedTarget target = target(random, 0.9, false, ShareTree.flat());
          for (int step = 0; step < 3_000; step++) {
            target.fill();
            target.serve();
          }
          Arrays.fill(target.reserves, 0);
          Arrays.fill(target.weights, 1);
          target.scheduler.reconfigure(target.shares(), target.nanos());
          long[] before = target.served.clone();
          double began = target.now;
          long slack = 0;
          for (int i = 0; i < target.jobs; i++) {
            slack += 6 * target.largest[i] + 2 * target.largestOfAll();
          }
          while ((target.now - began) / SECOND * target.capacity < 20.0 * slack) {
            target.fill();
            target.serve();
          }
          double each = (target.now - began) / SECOND * target.capacity / target.jobs;
          for (int i = 0; i < target.jobs; i++) {
            assertThat((double) target.served[i] - before[i]).isCloseTo(each, within(1.0 * slack));
          }
        });
  }

  private static Request request(String job) {
    return new Request(Flow.of(JobId.of(job), "target"), Operation.READ, 1, 0);
  }

  private static FairScheduler scheduler(long[] limits, long[] reserves) {
    FairScheduler scheduler = new FairScheduler(TokenUnit.OPERATIONS, ShareTree.flat());
    scheduler.reconfigure(
        Shares.ofColumns(
                new JobId[] {JobId.of("a"), JobId.of("b")}, limits, new long[] {1, 1}, SECOND)
            .withReserves(reserves),
        0);
    return scheduler;
  }

  @Test
  void whenAllAreAtTheirLimitsTheInstantIsNamedAtWhichOneIsNot() {
    FairScheduler scheduler = scheduler(new long[] {10, 0}, new long[] {0, 0});
    for (int i = 0; i < 5; i++) {
      scheduler.enqueue(request("a"), 0);
      scheduler.enqueue(request("b"), 0);
    }
    for (int i = 0; i < 6; i++) {
      assertThat(scheduler.next(0)).as("three each, as deep as buckets are").isInstanceOf(REQUEST);
    }
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND / 10));
    assertThat(scheduler.next(SECOND / 10 - 1)).isEqualTo(new Dispatch.NotBefore(SECOND / 10));
    assertThat(scheduler.next(SECOND / 10)).isInstanceOf(REQUEST);
    assertThat(scheduler.next(SECOND / 10)).isEqualTo(new Dispatch.NotBefore(SECOND / 5));
    assertThat(scheduler.next(SECOND)).isInstanceOf(REQUEST);
    assertThat(scheduler.next(SECOND)).isEqualTo(new Dispatch.NotBefore(Long.MAX_VALUE));
    scheduler.checkInvariants(SECOND);
    scheduler.reconfigure(Shares.NONE, SECOND);
    assertThat(scheduler.next(SECOND)).isInstanceOf(REQUEST);
    assertThat(scheduler.next(SECOND)).isInstanceOf(REQUEST);
    assertThat(scheduler.next(SECOND)).isEqualTo(Dispatch.EMPTY);
    scheduler.checkInvariants(SECOND);
  }

  /** What a request cost on top is paid before the next; what it did not cost is given back. */
  @Test
  void aLimitCountsWhatRequestsReallyCost() {
    FairScheduler scheduler = scheduler(new long[] {10, 10}, new long[] {0, 0});
    Request dear = request("a");
    scheduler.enqueue(dear, 0);
    scheduler.enqueue(request("a"), 0);
    assertThat(scheduler.next(0)).isSameAs(dear);
    scheduler.complete(dear, 8, 0, 0);
    scheduler.checkInvariants(0);
    assertThat(scheduler.next(0))
        .as("3 - 8 + 6 = 1")
        .isEqualTo(new Dispatch.NotBefore(6 * SECOND / 10));
    scheduler.complete(dear, 0, 0, 0);
    assertThat(scheduler.next(6 * SECOND / 10)).isInstanceOf(REQUEST);
  }

  @Test
  void whatIsWithdrawnIsNeitherHeldBackNorDue() {
    FairScheduler scheduler = scheduler(new long[] {10, 50}, new long[] {0, 50});
    for (int i = 0; i < 5; i++) {
      scheduler.enqueue(request("a"), 0);
      scheduler.enqueue(request("b"), 0);
    }
    for (int i = 0; i < 6; i++) {
      assertThat(scheduler.next(0)).isInstanceOf(REQUEST);
    }
    assertThat(scheduler.withdrawIf(r -> r.job().equals(JobId.of("a")), 0)).hasSize(2);
    scheduler.checkInvariants(0);
    assertThat(scheduler.withdrawAll(0)).hasSize(2);
    scheduler.checkInvariants(0);
    assertThat(scheduler.next(0)).isEqualTo(Dispatch.EMPTY);
  }

  /** Ten slow jobs that are due at once do not delay one that is due every other request. */
  @Test
  void whoseDeadlineIsNearerGoesFirst() {
    FairScheduler scheduler = scheduler(UNLIMITED.clone(), new long[] {1, 50});
    scheduler.enqueue(request("a"), 2 * SECOND);
    scheduler.enqueue(request("a"), 2 * SECOND);
    scheduler.enqueue(request("b"), 2 * SECOND);
    scheduler.enqueue(request("b"), 2 * SECOND);
    assertThat(((Request) scheduler.next(3 * SECOND)).job()).isEqualTo(JobId.of("b"));
  }

  /** A reserve or a limit outlives a time without requests, as long as it is in the shares. */
  @Test
  void whoHasALimitIsNotForgotten() {
    FairScheduler scheduler = scheduler(new long[] {1, 1}, new long[] {0, 0});
    for (int i = 0; i < 3; i++) {
      scheduler.enqueue(request("a"), 0);
      assertThat(scheduler.next(0)).isInstanceOf(REQUEST);
    }
    for (int i = 0; i < 100; i++) {
      scheduler.enqueue(request("other" + i), 0);
      assertThat(scheduler.next(0)).isInstanceOf(REQUEST);
    }
    scheduler.enqueue(request("a"), 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND));
    assertThat(scheduler.remembered()).isLessThan(10);
  }
}
