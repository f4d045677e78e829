package dev.sluice.gateway.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.JobService;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareGrouping;
import dev.sluice.core.schedule.ShareGrouping.Level;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TargetQueueTest {
  private static final long START = 5_000_000_000L;
  private static final List<SchedulerKind> KINDS = List.of(SchedulerKind.values());
  private static final List<Operation> OPERATIONS =
      List.of(Operation.READ, Operation.WRITE, Operation.COMMIT, Operation.GETATTR);
  private static final JobId SMALL = JobId.of("small");
  private static final JobId LARGE = JobId.of("large");

  @Test
  void everyRequestIsHandedOutOnceWhateverChanges() {
    SeededCases.forAll(
        1_000,
        random -> {
          TargetQueue queue = queue(random.nextBoolean(), 1 + random.nextInt(4), random);
          Set<ToyRequest> waiting = new HashSet<>();
          List<ToyRequest> served = new ArrayList<>();
          long now = START;
          int arrivals = 0;
          for (int step = 0; step < 200; step++) {
            // Threads read the clock before they have the lock.
            now += random.nextLong(2_000_000) - 100_000;
            switch (random.nextInt(11)) {
              case 10 -> {
                JobId gone = JobId.of("job" + random.nextInt(4));
                long smallest = random.nextInt(1 << 20);
                List<TargetRequest> withdrawn =
                    queue.withdrawIf(
                        request -> request.job().equals(gone) && request.bytes() >= smallest, now);
                assertThat(withdrawn)
                    .allMatch(request -> request.bytes() >= smallest)
                    .allMatch(request -> waiting.remove(request));
                assertThat(waiting)
                    .noneMatch(
                        request -> request.job().equals(gone) && request.bytes() >= smallest);
                arrivals -= withdrawn.size();
              }
              case 0 -> queue.use(KINDS.get(random.nextInt(KINDS.size())), now);
              case 1 -> queue.reconfigure(shares(random), now);
              case 2 -> queue.endPeriod(now);
              case 3 -> {
                if (random.nextBoolean()) {
                  queue.resize(target(random), now);
                } else {
                  queue.divideBy(
                      random.nextInt(3) == 0 ? ShareGrouping.FLAT : BY_ACCOUNT,
                      job -> random.nextBoolean() ? "" : "account of " + job,
                      now);
                }
              }
              case 4, 5, 6 -> {
                ToyRequest request =
                    new ToyRequest(
                        JobId.of("job" + random.nextInt(4)),
                        OPERATIONS.get(random.nextInt(OPERATIONS.size())),
                        random.nextInt(1 << 20),
                        _ -> {});
                queue.arrive(request, now);
                waiting.add(request);
                arrivals++;
              }
              case 7 -> {
                if (!served.isEmpty()) {
                  ToyRequest done = served.removeLast();
                  queue.complete(done, 1, random.nextInt((int) done.bytes() + 1), now);
                }
              }
              default -> {
                if (queue.next(now) instanceof ToyRequest next) {
                  assertThat(waiting.remove(next)).isTrue();
                  served.add(next);
                }
              }
            }
            queue.checkInvariants();
            assertThat(queue.queued()).isEqualTo(waiting.size());
            assertThat(queue.inService()).isEqualTo(served.size());
            checkWaits(queue, waiting, now + 1_000_000);
          }
          queue.reconfigure(Shares.NONE, now);
          while (!waiting.isEmpty()) {
            for (ToyRequest each : served) {
              queue.complete(each, 1, 0, now);
            }
            served.clear();
            switch (queue.next(now)) {
              case ToyRequest next -> {
                assertThat(waiting.remove(next)).isTrue();
                served.add(next);
              }
              case Dispatch.NotBefore wait -> now = wait.nanos();
              default -> throw new AssertionError(waiting.size() + " requests are lost");
            }
          }
          for (ToyRequest each : served) {
            queue.complete(each, 1, 0, now);
          }
          long operations =
              queue.jobStatistics(0).stream()
                  .mapToLong(TargetStatistics.JobStatistics::operations)
                  .sum();
          assertThat(operations).isEqualTo(arrivals);
        });
  }

  /** What each job's requests have waited so far is told of those that wait, and of no others. */
  private static void checkWaits(TargetQueue queue, Set<ToyRequest> waiting, long nowNanos) {
    for (TargetStatistics.JobStatistics job : queue.jobStatistics(nowNanos)) {
      long[] ages =
          waiting.stream()
              .filter(request -> request.job().equals(job.job()))
              .mapToLong(request -> request.waitedNanos(nowNanos))
              .toArray();
      assertThat(job.waitingNanos()).isEqualTo(Arrays.stream(ages).sum());
      assertThat(job.oldestWaitNanos()).isEqualTo(Arrays.stream(ages).max().orElse(0));
    }
  }

  @Test
  void aJobThatIsServedNothingWaitsLongerAndLonger() {
    TargetQueue queue =
        new TargetQueue(
            new TargetSettings(new Target("disk", 1_000, TokenUnit.BYTES), false, 4),
            SchedulerKind.FAIR,
            START);
    queue.arrive(new ToyRequest(SMALL, 1), START);
    queue.arrive(new ToyRequest(SMALL, 1), START + 40);
    TargetStatistics.JobStatistics early = queue.jobStatistics(START + 100).getFirst();
    assertThat(early.waitedNanos()).isZero();
    assertThat(early.waitingNanos()).isEqualTo(160);
    assertThat(early.oldestWaitNanos()).isEqualTo(100);
    queue.next(START + 100);
    queue.withdrawAll(START + 150);
    TargetStatistics.JobStatistics late = queue.jobStatistics(START + 200).getFirst();
    assertThat(late.waitedNanos()).as("one was served, one went away").isEqualTo(100 + 110);
    assertThat(late.waitingNanos()).isZero();
    assertThat(late.waitedSoFarNanos()).isGreaterThan(early.waitedSoFarNanos());
  }

  /** A number, until its name is known: then it is one with the user's other jobs. */
  @Test
  void aUserWhoseNameIsFoundOutIsInItsOwnBranchFromThenOn() {
    TargetQueue queue = queueBy(new ShareGrouping(List.of(Level.USER), Map.of()), _ -> "");
    fill(queue, 400, flow("a", "alice"), flow("b", "1001"), flow("c", "carol"));
    assertThat(served(queue, 300)).containsExactly(100, 100, 100);
    queue.arrive(new ToyRequest(flow("b", "alice"), 1_000), START);
    queue.checkInvariants();
    assertThat(served(queue, 400)).satisfies(are(100, 100, 200));
    // Another number is another user's, and changes nothing.
    queue.arrive(new ToyRequest(flow("b", "1002"), 1_000), START);
    queue.arrive(new ToyRequest(flow("c", "alice"), 1_000), START);
    assertThat(served(queue, 200)).satisfies(are(50, 50, 100));
  }

  @Test
  void anAccountThatBecomesKnownMovesTheJobAndAnotherSchedulerKeepsTheTree() {
    Map<String, String> accounts = new HashMap<>();
    Function<JobId, String> paidBy = job -> accounts.getOrDefault(job.toString(), "");
    ShareGrouping weighed =
        new ShareGrouping(
            List.of(Level.ACCOUNT, Level.USER), Map.of(Level.ACCOUNT, Map.of("physics", 3L)));
    TargetQueue queue = queueBy(weighed, paidBy);
    fill(queue, 2_000, flow("a", "alice"), flow("b", "bob"), flow("c", "carol"));
    assertThat(served(queue, 300)).as("all of no account").containsExactly(100, 100, 100);
    accounts.put("a", "physics");
    queue.divideBy(weighed, paidBy, START);
    queue.checkInvariants();
    assertThat(served(queue, 800)).satisfies(are(600, 100, 100));
    queue.use(SchedulerKind.FIFO, START);
    queue.use(SchedulerKind.FAIR, START);
    queue.checkInvariants();
    assertThat(served(queue, 800)).satisfies(are(600, 100, 100));
    queue.divideBy(ShareGrouping.FLAT, paidBy, START);
    assertThat(served(queue, 300)).satisfies(are(100, 100, 100));
  }

  private static final ShareGrouping BY_ACCOUNT =
      new ShareGrouping(List.of(Level.ACCOUNT), Map.of());

  private static TargetQueue queueBy(ShareGrouping grouping, Function<JobId, String> paidBy) {
    Target target = new Target("disk", 1_000_000, TokenUnit.BYTES);
    TargetQueue queue =
        new TargetQueue(new TargetSettings(target, false, 1), SchedulerKind.FAIR, START);
    queue.divideBy(grouping, paidBy, START);
    return queue;
  }

  private static Flow flow(String job, String user) {
    return new Flow(JobId.of(job), user, "", ClientAddress.LOCAL, "", "disk");
  }

  private static void fill(TargetQueue queue, int each, Flow... flows) {
    for (int i = 0; i < each; i++) {
      for (Flow flow : flows) {
        queue.arrive(new ToyRequest(flow, 1_000), START);
      }
    }
  }

  /** How many of the next requests are of jobs a, b and c. */
  private static int[] served(TargetQueue queue, int count) {
    int[] served = new int[3];
    for (int i = 0; i < count; i++) {
      if (queue.next(START) instanceof ToyRequest request) {
        served["abc".indexOf(request.job().toString())]++;
        queue.complete(request, 1, 1_000, START);
      }
    }
    return served;
  }

  private static Consumer<int[]> are(int... expected) {
    return served -> {
      for (int i = 0; i < expected.length; i++) {
        assertThat(served[i]).as("job %d", i).isBetween(expected[i] - 2, expected[i] + 2);
      }
    };
  }

  /** A capacity that becomes known while requests wait holds from the next one on. */
  @Test
  void isPacedFromWhenItIsToldTo() {
    Target target = new Target("disk", 1_000, TokenUnit.BYTES);
    TargetQueue queue =
        new TargetQueue(new TargetSettings(target, false, 100), SchedulerKind.FAIR, START);
    for (int i = 0; i < 40; i++) {
      queue.arrive(new ToyRequest(SMALL, 1_000), START);
    }
    for (int i = 0; i < 10; i++) {
      assertThat(queue.next(START)).isInstanceOf(ToyRequest.class);
    }
    queue.pace(true);
    assertThat(queue.next(START)).isInstanceOf(ToyRequest.class);
    assertThat(queue.next(START)).isInstanceOf(Dispatch.NotBefore.class);
    queue.pace(false);
    assertThat(queue.next(START)).isInstanceOf(ToyRequest.class);
    queue.checkInvariants();
  }

  @Test
  void tellsWhichLimitHoldsAJobBack() {
    TargetQueue queue =
        new TargetQueue(
            new TargetSettings(new Target("disk", 100_000_000, TokenUnit.BYTES), false, 4),
            SchedulerKind.FAIR,
            START);
    TbfLimit oneASecond = new TbfLimit(TokenUnit.OPERATIONS, Rate.perSecond(1), 1);
    TbfRule limit = new TbfRule("slow", FlowMatch.ofJob(LARGE), oneASecond, null);
    queue.limit(List.of(limit), START);
    for (int i = 0; i < 3; i++) {
      queue.arrive(new ToyRequest(LARGE, 1), START);
      queue.arrive(new ToyRequest(SMALL, 1), START);
      queue.next(START);
    }
    // Threads read the clock before they have the lock.
    assertThat(queue.limitsOn(LARGE, START - 1_000_000))
        .containsExactly(new RuleEffect(limit, 2, 1_000_000_000));
    assertThat(queue.limitsOn(SMALL, START)).isEmpty();
  }

  /** Operations that a job gets in so many seconds whose requests are 400 entries each. */
  private static long entriesListed(TargetQueue queue, int seconds) {
    long now = START;
    long end = START + seconds * Rate.NANOS_PER_SECOND;
    queue.arrive(new ToyRequest(LARGE, Operation.READDIR, 0, _ -> {}), now);
    while (now < end) {
      switch (queue.next(now)) {
        case ToyRequest request -> {
          queue.arrive(new ToyRequest(LARGE, Operation.READDIR, 0, _ -> {}), now);
          queue.complete(request, 400, 0, now);
        }
        case Dispatch.NotBefore wait -> now = wait.nanos();
        default -> throw new AssertionError("nothing waits");
      }
      queue.checkInvariants();
    }
    return queue.jobStatistics(now).getFirst().operations();
  }

  @Test
  void aDirectoryCostsTheTargetAsMuchAsItHasEntries() {
    Target target = new Target("disk", 1_000, TokenUnit.OPERATIONS);
    TargetQueue queue =
        new TargetQueue(new TargetSettings(target, true, 4), SchedulerKind.FIFO, START);
    assertThat(entriesListed(queue, 100)).isBetween(100_000L, 100_900L);
    JobDemand wanted = queue.endPeriod(START).getFirst();
    assertThat(wanted.arrivedTokens()).isBetween(100_000L, 100_901L);
  }

  @Test
  void aLimitInOperationsIsOneOnEntries() {
    Target target = new Target("disk", 100_000_000, TokenUnit.BYTES);
    TargetQueue queue =
        new TargetQueue(new TargetSettings(target, false, 4), SchedulerKind.FAIR, START);
    TbfLimit limit = TbfLimit.of(TokenUnit.OPERATIONS, Rate.perSecond(20));
    queue.limit(List.of(new TbfRule("slow", FlowMatch.ofJob(LARGE), limit, null)), START);
    assertThat(entriesListed(queue, 600)).isBetween(12_000L, 12_404L);
  }

  private static TargetQueue queue(boolean paced, int workers, RandomGenerator random) {
    return new TargetQueue(
        new TargetSettings(target(random), paced, workers),
        KINDS.get(random.nextInt(KINDS.size())),
        START);
  }

  private static Target target(RandomGenerator random) {
    TokenUnit unit = random.nextBoolean() ? TokenUnit.BYTES : new TokenUnit(1_000, 1);
    return new Target("disk", 50_000_000 + random.nextLong(100_000_000), unit);
  }

  private static Shares shares(RandomGenerator random) {
    JobId[] jobs = {JobId.of("job0"), JobId.of("job2")};
    long[] tokens = {random.nextLong(10_000_000), Shares.UNLIMITED};
    long[] weights = {1 + random.nextLong(5), 1 + random.nextLong(5)};
    return Shares.ofColumns(jobs, tokens, weights, 100_000_000);
  }

  @ParameterizedTest
  @EnumSource(
      value = SchedulerKind.class,
      names = {"FAIR", "SOJOURN", "TBF"})
  void aPacedTargetIsUsedFullyAndDividedAsDecided(SchedulerKind kind) {
    Target target = new Target("disk", 100_000_000, TokenUnit.BYTES);
    TargetQueue queue = new TargetQueue(new TargetSettings(target, true, 4), kind, 0);
    queue.reconfigure(
        Shares.ofColumns(
            new JobId[] {LARGE, SMALL},
            new long[] {7_500_000, 2_500_000},
            new long[] {3, 1},
            100_000_000),
        0);
    long now = 0;
    long end = 10_000_000_000L;
    for (int i = 0; i < 9; i++) {
      queue.arrive(new ToyRequest(SMALL, 1 << 20), now);
    }
    for (int i = 0; i < 3; i++) {
      queue.arrive(new ToyRequest(LARGE, 1 << 20), now);
    }
    List<ToyRequest> inService = new ArrayList<>();
    while (now < end) {
      switch (queue.next(now)) {
        case ToyRequest request -> inService.add(request);
        case Dispatch.NotBefore wait -> {
          // Served at once, and each client asks again; the next look comes 100 µs late.
          for (ToyRequest each : inService) {
            queue.complete(each, 1, 1 << 20, now);
            queue.arrive(new ToyRequest(each.job(), 1 << 20), now);
          }
          if (inService.isEmpty()) {
            now = wait.nanos() + 100_000;
          }
          inService.clear();
        }
        default -> throw new AssertionError("nothing waits");
      }
    }
    List<TargetStatistics.JobStatistics> jobs = queue.jobStatistics(0);
    double large = (double) bytesOf(LARGE, jobs);
    double small = (double) bytesOf(SMALL, jobs);
    assertThat((large + small) / 1e9).isBetween(0.995, 1.02);
    assertThat(large / (large + small)).isBetween(0.74, 0.76);
  }

  @Test
  void knowsForHowLongAJobHadSomethingHere() {
    TargetSettings settings =
        new TargetSettings(new Target("t", 1_000_000, TokenUnit.BYTES), false, 8);
    TargetQueue queue = new TargetQueue(settings, SchedulerKind.FIFO, START);
    ToyRequest first = new ToyRequest(SMALL, 10);
    ToyRequest second = new ToyRequest(SMALL, 10);
    queue.arrive(first, START + 100);
    queue.arrive(second, START + 200);
    assertThat(queue.next(START + 300)).isSameAs(first);
    queue.complete(first, 1, 10, START + 400);
    assertThat(queue.next(START + 500)).isSameAs(second);
    TargetStatistics.JobStatistics meanwhile = queue.jobStatistics(START + 600).getFirst();
    assertThat(meanwhile.busyNanos()).as("it is still there").isEqualTo(500);
    assertThat(meanwhile.inService()).isEqualTo(1);
    queue.complete(second, 1, 10, START + 700);
    TargetStatistics.JobStatistics after = queue.jobStatistics(START + 900).getFirst();
    assertThat(after.busyNanos()).isEqualTo(600);
    assertThat(after.waitedNanos()).isEqualTo(200 + 300);
    assertThat(after.servedNanos()).isEqualTo(100 + 200);
    queue.arrive(new ToyRequest(SMALL, 10), START + 1_000);
    assertThat(queue.jobStatistics(START + 1_050).getFirst().busyNanos()).isEqualTo(650);
  }

  @Test
  void whatIsCopiedIsReadAndWritten() {
    TargetSettings settings =
        new TargetSettings(new Target("t", 1_000_000, TokenUnit.BYTES), false, 8);
    TargetQueue queue = new TargetQueue(settings, SchedulerKind.FIFO, START);
    ToyRequest copy = new ToyRequest(SMALL, Operation.COPY, 200, _ -> {});
    queue.arrive(copy, START);
    assertThat(queue.next(START)).isSameAs(copy);
    queue.complete(copy, 1, 20, START);
    TargetStatistics.JobStatistics after = queue.jobStatistics(START).getFirst();
    assertThat(after.readBytes()).isEqualTo(10);
    assertThat(after.writtenBytes()).isEqualTo(10);
    ServiceTally tally = new ServiceTally();
    tally.served(Operation.COPY, 1, 20);
    assertThat(tally.bytes(ServiceTally.Kind.READ)).isEqualTo(10);
    assertThat(tally.bytes(ServiceTally.Kind.WRITE)).isEqualTo(10);
    assertThat(tally.operations(ServiceTally.Kind.WRITE)).isEqualTo(1);
  }

  private static long bytesOf(JobId job, List<TargetStatistics.JobStatistics> jobs) {
    return jobs.stream()
        .filter(each -> each.job().equals(job))
        .mapToLong(TargetStatistics.JobStatistics::writtenBytes)
        .sum();
  }

  @Test
  void aPeriodSaysWhatEachJobWanted() {
    Target target = new Target("disk", 100_000_000, TokenUnit.BYTES);
    TargetQueue queue =
        new TargetQueue(new TargetSettings(target, false, 1), SchedulerKind.FIFO, START);
    queue.arrive(new ToyRequest(SMALL, 100), START);
    queue.arrive(new ToyRequest(LARGE, 1_000), START);
    queue.arrive(new ToyRequest(LARGE, 1_000), START);
    assertThat(queue.next(START)).isInstanceOf(ToyRequest.class);
    assertThat(queue.endPeriod(START))
        .containsExactlyInAnyOrder(demand(SMALL, 100, 0, 100), demand(LARGE, 2_000, 0, 1_000));
    assertThat(queue.endPeriod(START))
        .containsExactlyInAnyOrder(demand(SMALL, 0, 0, 100), demand(LARGE, 0, 2_000, 1_000));
  }

  /** Nothing was served yet, and the largest request was worth so much. */
  private static JobDemand demand(JobId job, long arrived, long backlog, long largest) {
    return new JobDemand(job, 1, arrived, backlog)
        .withService(new JobService(0, 0, JobService.NOT_KNOWN, largest));
  }

  @Test
  void whatCostsNothingIsWantedToo() {
    Target target = new Target("disk", 100_000_000, TokenUnit.BYTES);
    TargetQueue queue =
        new TargetQueue(new TargetSettings(target, false, 1), SchedulerKind.FIFO, START);
    queue.arrive(new ToyRequest(SMALL, Operation.COMMIT, 0, _ -> {}), START);
    assertThat(queue.endPeriod(START)).containsExactly(demand(SMALL, 1, 0, 1));
  }

  @Test
  void jobsThatAreGoneAreForgotten() {
    Target target = new Target("disk", 100_000_000, TokenUnit.BYTES);
    TargetQueue queue =
        new TargetQueue(new TargetSettings(target, false, 1), SchedulerKind.FIFO, START);
    long now = START;
    int most = 0;
    for (int i = 0; i < 50_000; i++) {
      now += TargetQueue.FORGOTTEN_AFTER_NANOS / 1_000;
      ToyRequest request = new ToyRequest(JobId.of("job" + i), 1);
      queue.arrive(request, now);
      assertThat(queue.next(now)).isSameAs(request);
      queue.complete(request, 1, 1, now);
      if (i % 500 == 0) {
        queue.endPeriod(now);
      }
      most = Math.max(most, queue.jobStatistics(0).size());
    }
    assertThat(most).isLessThan(4_000);
  }
}
