package dev.sluice.core.schedule.fair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerContract;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FairSchedulerTest extends SchedulerContract {
  @Override
  protected RequestScheduler newScheduler(long nowNanos) {
    return new FairScheduler(
        new TokenUnit(1_000, 1),
        new ShareTree(flow -> List.of(flow.group(), flow.user()), Map.of(List.of("group1"), 3L)));
  }

  @Test
  void whatIsQueuedIsServedAtOnceWhereNobodyIsLimited() {
    SeededCases.forAll(
        2_000,
        random -> {
          FairScheduler scheduler = flat();
          JobId[] listed = {job(0), job(1)};
          scheduler.reconfigure(
              Shares.ofColumns(
                      listed,
                      new long[] {Shares.UNLIMITED, Shares.UNLIMITED},
                      new long[] {1, 5},
                      1_000_000_000)
                  .withReserves(new long[] {1_000, 7}),
              0);
          int waiting = 0;
          for (int step = 0; step < 60; step++) {
            if (random.nextBoolean()) {
              scheduler.enqueue(request(random.nextInt(4), random.nextLong(1_000)), 0);
              waiting++;
            } else if (waiting > 0) {
              assertThat(scheduler.next(0)).isInstanceOf(Request.class);
              waiting--;
            } else {
              assertThat(scheduler.next(0)).isEqualTo(Dispatch.EMPTY);
            }
          }
        });
  }

  @Test
  void sharesAreExactInTheLongRun() {
    // 2^20 divides by neither 3 nor 7. Were the remainders dropped, the job of weight 7 would be a
    // request ahead after some 260,000 services.
    FairScheduler scheduler = flat();
    weigh(scheduler, 1, 3, 7);
    long[] served = new long[3];
    List<Request> requests = List.of(request(0, 1), request(1, 1), request(2, 1));
    requests.forEach(request -> scheduler.enqueue(request, 0));
    requests.forEach(request -> scheduler.enqueue(copy(request), 0));
    long rounds = 200_000;
    for (int i = 0; i < 11 * rounds; i++) {
      Request request = ready(scheduler);
      served[jobNumber(request)] += request.bytes();
      scheduler.enqueue(request, 0);
    }
    assertThat(served).containsExactly(rounds, 3 * rounds, 7 * rounds);
  }

  @Test
  void oddPricesDivideByWeightToo() {
    FairScheduler scheduler = flat();
    weigh(scheduler, 1, 3, 7);
    long[] prices = {13, 4_097, 65_537};
    long[] served = new long[3];
    for (int job = 0; job < 3; job++) {
      scheduler.enqueue(request(job, prices[job]), 0);
      scheduler.enqueue(request(job, prices[job]), 0);
    }
    for (int i = 0; i < 1_000_000; i++) {
      Request request = ready(scheduler);
      served[jobNumber(request)] += request.bytes();
      scheduler.enqueue(request, 0);
    }
    assertThat(Math.abs(3 * served[0] - served[1])).isLessThanOrEqualTo(3 * 13 + 4_097);
    assertThat(Math.abs(7 * served[0] - served[2])).isLessThanOrEqualTo(7 * 13 + 65_537);
    assertThat(Math.abs(7 * served[1] - 3 * served[2])).isLessThanOrEqualTo(7 * 4_097 + 3 * 65_537);
  }

  @Test
  void aUserWithAHundredJobsGetsWhatAUserWithOneGets() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
    for (int job = 0; job < 100; job++) {
      scheduler.enqueue(request(job, "many", 1_000), 0);
      scheduler.enqueue(request(job, "many", 1_000), 0);
    }
    scheduler.enqueue(request(100, "one", 1_000), 0);
    scheduler.enqueue(request(100, "one", 1_000), 0);
    int[] served = new int[101];
    for (int i = 0; i < 20_000; i++) {
      Request request = ready(scheduler);
      served[jobNumber(request)]++;
      scheduler.enqueue(request, 0);
    }
    assertThat(served[100]).isEqualTo(10_000);
    assertThat(Arrays.copyOf(served, 100)).containsOnly(100);
  }

  @Test
  void jobsWithoutAUserAreUsersOfTheirOwn() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
    for (int i = 0; i < 300; i++) {
      scheduler.enqueue(request(0, "alice", 10), 0);
      scheduler.enqueue(request(1, "alice", 10), 0);
      scheduler.enqueue(request(2, "", 10), 0);
      scheduler.enqueue(request(3, "", 10), 0);
    }
    assertThat(serve(scheduler, 600, 4)).containsExactly(100, 100, 200, 200);
  }

  @Test
  void groupsDivideByTheirWeightsAtEveryDepth() {
    ShareTree tree =
        new ShareTree(
            flow ->
                switch (jobNumber(flow.job())) {
                  case 0 -> List.of("physics", "alice");
                  case 1 -> List.of("physics", "bob");
                  default -> List.of("biology", "carol");
                },
            Map.of(List.of("physics"), 3L, List.of("physics", "bob"), 2L));
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, tree);
    for (int i = 0; i < 1_000; i++) {
      for (int job = 0; job < 3; job++) {
        scheduler.enqueue(request(job, 10), 0);
      }
    }
    assertThat(serve(scheduler, 1_200, 3)).containsExactly(300, 600, 300);
  }

  @Test
  void idlingSavesNothingUp() {
    FairScheduler scheduler = flat();
    for (int i = 0; i < 2_000; i++) {
      scheduler.enqueue(request(0, 10), 0);
    }
    scheduler.enqueue(request(1, 10), 0);
    serve(scheduler, 1_001, 2);
    for (int i = 0; i < 500; i++) {
      scheduler.enqueue(request(1, 10), 0);
    }
    int[] served = serve(scheduler, 400, 2);
    assertThat(served[1]).isBetween(200, 201);
  }

  @Test
  void idlingDoesNotEndADebt() {
    FairScheduler scheduler = flat();
    for (int i = 0; i < 100; i++) {
      scheduler.enqueue(request(0, 10), 0);
    }
    scheduler.enqueue(request(1, 200), 0);
    serve(scheduler, 2, 2);
    scheduler.enqueue(request(1, 10), 0);
    int[] served = serve(scheduler, 19, 2);
    assertThat(served).as("until the others have had 200 too").containsExactly(19, 0);
    assertThat(serve(scheduler, 2, 2)).containsExactly(1, 1);
  }

  @Test
  void allBeginAnewAsEqualsWhenNothingIsLeft() {
    FairScheduler scheduler = flat();
    scheduler.enqueue(request(0, 10), 0);
    scheduler.enqueue(request(1, 1_000), 0);
    serve(scheduler, 2, 2);
    for (int i = 0; i < 100; i++) {
      scheduler.enqueue(request(1, 10), 0);
      scheduler.enqueue(request(0, 10), 0);
    }
    assertThat(serve(scheduler, 100, 2)).containsExactly(50, 50);
  }

  /** A job that joins without a debt waits for at most one request of each other. */
  @Test
  void aJobThatJoinsWaitsForOneRequestOfEachOther() {
    SeededCases.forAll(
        2_000,
        random -> {
          FairScheduler scheduler = flat();
          int others = 1 + random.nextInt(10);
          long[] weights = random.longs(others + 1, 1, 1 << 20).toArray();
          weigh(scheduler, weights);
          for (int i = 0; i < 40; i++) {
            for (int job = 1; job <= others; job++) {
              scheduler.enqueue(request(job, 1 + random.nextLong(1 << 20)), 0);
            }
          }
          serve(scheduler, random.nextInt(39), others + 1);
          scheduler.enqueue(request(0, 1_000), 0);
          int[] before = new int[others + 1];
          for (Request request = ready(scheduler);
              jobNumber(request) != 0;
              request = ready(scheduler)) {
            before[jobNumber(request)]++;
          }
          assertThat(Arrays.stream(before).max().orElseThrow()).isLessThanOrEqualTo(1);
        });
  }

  @Test
  void whatWasNotMovedIsGivenBack() {
    assertThat(movedWhen(100, 50)).satisfies(FairSchedulerTest::areEqualButForOneRequest);
  }

  @Test
  void whatWasMovedOnTopIsCharged() {
    assertThat(movedWhen(100, 300)).satisfies(FairSchedulerTest::areEqualButForOneRequest);
  }

  /** Bytes that two users moved of which the first asks for so much, and moves so much. */
  private static long[] movedWhen(long asked, long moved) {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
    for (int i = 0; i < 3; i++) {
      scheduler.enqueue(request(0, "alice", asked), 0);
      scheduler.enqueue(request(1, "bob", 100), 0);
    }
    long[] total = new long[2];
    for (int i = 0; i < 10_000; i++) {
      Request request = ready(scheduler);
      long actual = jobNumber(request) == 0 ? moved : 100;
      total[jobNumber(request)] += actual;
      scheduler.enqueue(copy(request), 0);
      scheduler.complete(request, 1, actual, 0);
      scheduler.checkInvariants(0);
    }
    return total;
  }

  private static void areEqualButForOneRequest(long[] moved) {
    assertThat(moved[0]).isCloseTo(moved[1], Offset.offset(400L));
  }

  @Test
  void whatIsGivenBackIsNotSavedUp() {
    FairScheduler scheduler = flat();
    for (int i = 0; i < 300; i++) {
      scheduler.enqueue(request(0, 10), 0);
      scheduler.enqueue(request(1, 10), 0);
    }
    List<Request> early = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Request request = ready(scheduler);
      if (jobNumber(request) == 0) {
        early.add(request);
      }
    }
    early.forEach(request -> scheduler.complete(request, 1, 0, 0));
    assertThat(serve(scheduler, 100, 2)[0]).isBetween(50, 51);
  }

  @Test
  void aChargeOutlivesTheJobThatWasForgotten() {
    FairScheduler scheduler = flat();
    Request late = request(0, 10);
    scheduler.enqueue(late, 0);
    assertThat(scheduler.next(0)).isSameAs(late);
    for (int job = 1; job <= 10; job++) {
      scheduler.enqueue(request(job, 10), 0);
      ready(scheduler);
    }
    scheduler.complete(late, 1, 110, 0);
    for (int i = 0; i < 20; i++) {
      scheduler.enqueue(request(0, 10), 0);
      scheduler.enqueue(request(1, 10), 0);
    }
    assertThat(serve(scheduler, 10, 2)).containsExactly(0, 10);
  }

  /** Among those that nothing is taken from all goes on as if nothing had been. */
  @Test
  void whoIsGoneLeavesTheOrderOfTheOthersAsItIs() {
    SeededCases.forAll(
        1_000,
        random -> {
          FairScheduler disturbed = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
          FairScheduler undisturbed = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
          for (int i = 0; i < 100; i++) {
            int job = random.nextInt(12);
            Request request =
                request(job, job < 6 ? "one" : "other", 1 + random.nextLong(1L << 16));
            disturbed.enqueue(request, 0);
            undisturbed.enqueue(copy(request), 0);
            if (i > 20 && random.nextBoolean()) {
              assertThat(ready(disturbed).job()).isEqualTo(ready(undisturbed).job());
            }
          }
          int gone = random.nextInt(6);
          List<Request> withdrawn = disturbed.withdrawIf(request -> jobNumber(request) == gone, 0);
          assertThat(withdrawn).allMatch(request -> jobNumber(request) == gone);
          disturbed.checkInvariants(0);
          assertThat(jobsInOrder(disturbed, gone)).isEqualTo(jobsInOrder(undisturbed, gone));
        });
  }

  /** The numbers of the jobs of user one, but for one of them, in the order of their service. */
  private static List<Integer> jobsInOrder(FairScheduler scheduler, int but) {
    List<Integer> order = new ArrayList<>();
    while (scheduler.next(0) instanceof Request request) {
      int job = jobNumber(request);
      if (job < 6 && job != but) {
        order.add(job);
      }
    }
    return order;
  }

  @Test
  void aNegativeCostIsRefused() {
    FairScheduler scheduler = flat();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.complete(request(3, 10), 1, -1, 0))
        .withMessageContaining("job003")
        .withMessageContaining("-1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.complete(request(3, 10), -7, 10, 0))
        .withMessageContaining("-7 operations");
  }

  @Test
  void anotherWeightCountsAtOnce() {
    FairScheduler scheduler = flat();
    weigh(scheduler, 1, 1_000);
    for (int i = 0; i < 4_000; i++) {
      scheduler.enqueue(request(0, 10), 0);
      scheduler.enqueue(request(1, 10), 0);
    }
    serve(scheduler, 10, 2);
    // Job 0 was served once and would wait for a thousand requests of job 1 at the old weights.
    weigh(scheduler, 1_000, 1_000);
    assertThat(serve(scheduler, 100, 2)[0]).isBetween(49, 51);
    weigh(scheduler, 3, 1);
    assertThat(serve(scheduler, 100, 2)[0]).isBetween(73, 77);
    scheduler.reconfigure(Shares.NONE, 0);
    assertThat(serve(scheduler, 100, 2)[0]).isBetween(49, 51);
    weigh(scheduler, 1, Long.MAX_VALUE);
    assertThat(serve(scheduler, 1_000, 2)[0]).isLessThanOrEqualTo(1);
  }

  /**
   * Only differences between tags matter: prices so large that tags must be shifted back every few
   * requests give the order that small prices give. Weights are powers of two, so that both divide
   * without a remainder.
   */
  @Test
  void tagsThatAreShiftedBackChangeNothing() {
    TokenUnit large = new TokenUnit(TokenUnit.PRICE_MAX, 0);
    SeededCases.forAll(
        2_000,
        random -> {
          FairScheduler shifted = new FairScheduler(large, ShareTree.byUser());
          FairScheduler plain = new FairScheduler(TokenUnit.OPERATIONS, ShareTree.byUser());
          long[] weights = new long[6];
          Arrays.setAll(weights, _ -> 1L << random.nextInt(4));
          weigh(shifted, weights);
          weigh(plain, weights);
          for (int step = 0; step < 200; step++) {
            int kind = random.nextInt(10);
            if (kind < 5) {
              int job = random.nextInt(6);
              Flow flow = flow(job, "user" + job % 2);
              long operations = random.nextLong(1, 513);
              shifted.enqueue(new Request(flow, Operation.OPEN, operations, 0), 0);
              plain.enqueue(new Request(flow, Operation.OPEN, operations, 0), 0);
            } else if (plain.next(0) instanceof Request request) {
              Request other = ready(shifted);
              assertThat(other.job()).isEqualTo(request.job());
              assertThat(other.operations()).isEqualTo(request.operations());
            } else {
              assertThat(shifted.next(0)).isEqualTo(Dispatch.EMPTY);
            }
            shifted.checkInvariants(0);
          }
        });
  }

  @Test
  void aPriceAboveTheBoundCountsAsTheBound() {
    FairScheduler scheduler =
        new FairScheduler(new TokenUnit(TokenUnit.PRICE_MAX, 0), ShareTree.flat());
    long boundOperations = FairScheduler.PRICE_MAX / TokenUnit.PRICE_MAX;
    for (int i = 0; i < 100; i++) {
      scheduler.enqueue(new Request(flow(0, ""), Operation.OPEN, Request.COST_MAX, 0), 0);
      scheduler.enqueue(new Request(flow(1, ""), Operation.OPEN, boundOperations, 0), 0);
      scheduler.enqueue(new Request(flow(2, ""), Operation.OPEN, boundOperations / 2, 0), 0);
    }
    assertThat(serve(scheduler, 80, 3)).containsExactly(20, 20, 40);
  }

  @Test
  void theLargestRequestsAndCorrectionsStayWithinBounds() {
    SeededCases.forAll(
        2_000,
        random -> {
          FairScheduler scheduler =
              new FairScheduler(new TokenUnit(TokenUnit.PRICE_MAX, 1), ShareTree.byUser());
          List<Request> served = new ArrayList<>();
          for (int step = 0; step < 150; step++) {
            switch (random.nextInt(5)) {
              case 0, 1 -> {
                long operations = random.nextBoolean() ? Request.COST_MAX : 0;
                int job = random.nextInt(5);
                Flow flow = flow(job, "user" + job % 2);
                scheduler.enqueue(
                    new Request(flow, Operation.WRITE, operations, random.nextInt(2)), 0);
              }
              case 2 -> {
                if (scheduler.next(0) instanceof Request request) {
                  served.add(request);
                }
              }
              case 3 -> {
                if (!served.isEmpty()) {
                  scheduler.complete(served.removeLast(), Long.MAX_VALUE, Long.MAX_VALUE, 0);
                }
              }
              default ->
                  weigh(scheduler, random.longs(random.nextInt(5), 1, Long.MAX_VALUE).toArray());
            }
            scheduler.checkInvariants(0);
          }
        });
  }

  @Test
  void jobsAndUsersThatAreGoneAreForgotten() {
    FairScheduler scheduler = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
    scheduler.enqueue(request(0, "steady", 10), 0);
    int most = 0;
    for (int i = 1; i <= 20_000; i++) {
      scheduler.enqueue(request(i, "user" + i, 10), 0);
      scheduler.enqueue(ready(scheduler), 0);
      ready(scheduler);
      most = Math.max(most, scheduler.remembered());
      if (i % 1_000 == 0) {
        scheduler.checkInvariants(0);
      }
    }
    assertThat(most).isLessThanOrEqualTo(20);
  }

  /** What is forgotten would have changed nothing: a scheduler that forgets nobody agrees. */
  @Test
  void forgettingChangesNoAnswer() {
    SeededCases.forAll(
        3_000,
        random -> {
          FairScheduler forgetful = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser());
          FairScheduler mindful = new FairScheduler(TokenUnit.BYTES, ShareTree.byUser(), 0);
          List<Request> forgetfulServed = new ArrayList<>();
          List<Request> mindfulServed = new ArrayList<>();
          for (int step = 0; step < 150; step++) {
            int kind = random.nextInt(10);
            if (kind < 4) {
              int job = random.nextInt(12);
              Request request =
                  request(job, "user" + job % 5, random.nextLong(1L << random.nextInt(1, 20)));
              forgetful.enqueue(request, 0);
              mindful.enqueue(copy(request), 0);
            } else if (kind < 8) {
              if (mindful.next(0) instanceof Request request) {
                Request other = ready(forgetful);
                assertThat(other.job()).isEqualTo(request.job());
                assertThat(other.sequence()).isEqualTo(request.sequence());
                mindfulServed.add(request);
                forgetfulServed.add(other);
              }
            } else if (kind == 8 && !mindfulServed.isEmpty()) {
              int index = random.nextInt(mindfulServed.size());
              long moved = random.nextLong(1 << 20);
              mindful.complete(mindfulServed.remove(index), 1, moved, 0);
              forgetful.complete(forgetfulServed.remove(index), 1, moved, 0);
            } else if (random.nextInt(4) == 0) {
              long[] weights = random.longs(random.nextInt(13), 1, 100).toArray();
              weigh(mindful, weights);
              weigh(forgetful, weights);
            }
          }
          assertThat(forgetful.remembered()).isLessThanOrEqualTo(mindful.remembered());
        });
  }

  private static FairScheduler flat() {
    return new FairScheduler(TokenUnit.BYTES, ShareTree.flat());
  }

  private static JobId job(int number) {
    return JobId.of("job%03d".formatted(number));
  }

  private static int jobNumber(JobId job) {
    return Integer.parseInt(job.toString().substring(3));
  }

  private static int jobNumber(Request request) {
    return jobNumber(request.job());
  }

  private static Flow flow(int job, String user) {
    return new Flow(job(job), user, "", ClientAddress.LOCAL, "", "target");
  }

  private static Request request(int job, long bytes) {
    return request(job, "", bytes);
  }

  private static Request request(int job, String user, long bytes) {
    return new Request(flow(job, user), Operation.WRITE, 1, bytes);
  }

  private static Request copy(Request request) {
    return new Request(request.flow(), request.operation(), request.operations(), request.bytes());
  }

  private static Request ready(RequestScheduler scheduler) {
    Dispatch answer = scheduler.next(0);
    assertThat(answer).isInstanceOf(Request.class);
    return (Request) answer;
  }

  /** How many of the next requests are of each job. */
  private static int[] serve(RequestScheduler scheduler, int count, int jobs) {
    int[] served = new int[jobs];
    for (int i = 0; i < count; i++) {
      served[jobNumber(ready(scheduler))]++;
    }
    return served;
  }

  /** Gives job 0 the first weight, and so on. */
  private static void weigh(RequestScheduler scheduler, long... weights) {
    JobId[] jobs = new JobId[weights.length];
    Arrays.setAll(jobs, FairSchedulerTest::job);
    long[] tokens = new long[weights.length];
    Arrays.fill(tokens, Shares.UNLIMITED);
    scheduler.reconfigure(Shares.ofColumns(jobs, tokens, weights, 1_000_000), 0);
  }
}
