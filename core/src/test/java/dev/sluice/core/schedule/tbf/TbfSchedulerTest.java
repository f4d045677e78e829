package dev.sluice.core.schedule.tbf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.RequestScheduler;
import dev.sluice.core.schedule.SchedulerContract;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TbfSchedulerTest extends SchedulerContract {
  private static final long SECOND = Rate.NANOS_PER_SECOND;
  private static final long YEAR_NANOS = 365L * 24 * 3_600 * SECOND;
  private static final Target OPERATIONS = new Target("t", 10_000, TokenUnit.OPERATIONS);

  @Override
  protected RequestScheduler newScheduler(long nowNanos) {
    return new TbfScheduler(OPERATIONS);
  }

  /** Lustre's filter delivers 6,667 of 10,000 when each look is 50 µs late. */
  @Test
  void noTokenIsLostToRoundingOrLateLooks() {
    for (long rate : new long[] {3, 7, 999, 1_967, 10_000}) {
      for (long lateNanos : new long[] {0, 1, 50_000}) {
        TbfScheduler scheduler = limited(Map.of("a", rate));
        long seconds = 10;
        long served = 0;
        long now = 0;
        backlog(scheduler, "a", (int) (rate * seconds + 100));
        while (now < seconds * SECOND) {
          switch (scheduler.next(now)) {
            case Request _ -> served++;
            case Dispatch.NotBefore(long nanos) -> now = nanos + lateNanos;
            case Dispatch.Empty _ -> throw new AssertionError("the backlog is used up");
          }
        }
        double expected = rate * seconds;
        assertThat(served - 3)
            .as("rate %d, looks late by %d ns", rate, lateNanos)
            .isBetween((long) Math.floor(expected * 0.999) - 1, (long) Math.ceil(expected * 1.001));
      }
    }
  }

  @Test
  void aChangeOfRateFillsNoBucket() {
    TbfScheduler scheduler = limited(Map.of("a", 10L));
    backlog(scheduler, "a", 1_000);
    long now = 0;
    long served = 0;
    // Ten seconds at about 10 a second, changed a hundred times: 100 and the first three.
    for (int step = 0; step < 100; step++) {
      served += serveUntil(scheduler, now, now + SECOND / 10);
      now += SECOND / 10;
      scheduler.reconfigure(shares(Map.of("a", 10L + step % 2)), now);
    }
    assertThat(served).isBetween(100L, 110L);
  }

  @Test
  void aChangeHoldsAtOnceForRequestsThatWait() {
    TbfScheduler scheduler = limited(Map.of("a", 1L));
    backlog(scheduler, "a", 10_000);
    assertThat(serveUntil(scheduler, 0, SECOND / 100)).isEqualTo(3);
    long now = SECOND / 100;
    scheduler.reconfigure(shares(Map.of("a", 1_000L)), now);
    Dispatch wait = scheduler.next(now);
    assertThat(wait).isInstanceOf(Dispatch.NotBefore.class);
    assertThat(((Dispatch.NotBefore) wait).nanos()).isLessThan(now + 1_000_000);
    assertThat(serveUntil(scheduler, now, now + SECOND)).isBetween(999L, 1_001L);

    now += SECOND;
    scheduler.reconfigure(shares(Map.of("a", 0L)), now);
    assertThat(serveUntil(scheduler, now + 1, now + YEAR_NANOS)).isLessThanOrEqualTo(3);
    assertThat(scheduler.next(now + YEAR_NANOS)).isEqualTo(new Dispatch.NotBefore(Long.MAX_VALUE));
  }

  @Test
  void aJobWithoutTokensDelaysNobody() {
    TbfScheduler scheduler = limited(Map.of("poor", 1L, "rich", 1_000L));
    backlog(scheduler, "poor", 10);
    backlog(scheduler, "rich", 2_000);
    Map<JobId, Long> served = new TreeMap<>();
    serve(scheduler, 0, SECOND, served);
    assertThat(served.get(JobId.of("rich"))).isBetween(1_000L, 1_003L);
    assertThat(served.get(JobId.of("poor"))).isBetween(3L, 4L);
  }

  @Test
  void yearsOfIdlenessOverflowNothing() {
    for (long tokensPerSecond : new long[] {1, 1_000_000, Rate.TOKENS_PER_SECOND_MAX}) {
      for (long years : new long[] {1, 10, 200}) {
        TbfScheduler scheduler = limited(Map.of("a", tokensPerSecond));
        backlog(scheduler, "a", 3);
        serveUntil(scheduler, 0, 1);
        long now = years * YEAR_NANOS;
        for (int i = 0; i < 10; i++) {
          scheduler.enqueue(request("a"), now);
        }
        scheduler.checkInvariants(now);
        assertThat(serveUntil(scheduler, now, now)).isEqualTo(3);
      }
    }
  }

  @Test
  void whoeverNoRuleSpeaksOfIsServedWhenNobodyWithATokenWaits() {
    TbfScheduler scheduler = limited(Map.of("ruled", 10L));
    Request first = request("other");
    Request second = request("another");
    scheduler.enqueue(first, 0);
    scheduler.enqueue(second, 0);
    backlog(scheduler, "ruled", 5);
    for (int i = 0; i < 3; i++) {
      assertThat(((Request) scheduler.next(0)).job()).isEqualTo(JobId.of("ruled"));
    }
    assertThat(scheduler.next(0)).isSameAs(first);
    assertThat(scheduler.next(0)).isSameAs(second);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND / 10));
  }

  /** Or a job that only looks for files would wait for as long as others keep a target busy. */
  @Test
  void whatCostsNothingTakesTurnsWithThoseThatHaveTokens() {
    Target bytes = new Target("t", 1_000_000, TokenUnit.BYTES);
    TbfScheduler scheduler = new TbfScheduler(bytes, 1_000);
    scheduler.reconfigure(shares(Map.of("writer", 1_000_000L)), 0);
    Flow writer = Flow.of(JobId.of("writer"), "t");
    Flow finder = Flow.of(JobId.of("finder"), "t");
    for (int i = 0; i < 10; i++) {
      scheduler.enqueue(new Request(writer, Operation.WRITE, 1, 100), 0);
      scheduler.enqueue(new Request(finder, Operation.LOOKUP, 1, 0), 0);
    }
    for (int i = 0; i < 10; i++) {
      assertThat(((Request) scheduler.next(0)).operation()).isEqualTo(Operation.LOOKUP);
      assertThat(((Request) scheduler.next(0)).operation()).isEqualTo(Operation.WRITE);
    }
    assertThat(scheduler.next(0)).isEqualTo(Dispatch.EMPTY);
  }

  @Test
  void onEqualDeadlinesTheHigherRankGoesFirst() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    scheduler.reconfigure(
        Shares.ofColumns(
            new JobId[] {JobId.of("large"), JobId.of("small")},
            new long[] {10, 10},
            new long[] {8, 1},
            SECOND),
        0);
    scheduler.enqueue(request("small"), 5);
    scheduler.enqueue(request("large"), 5);
    assertThat(((Request) scheduler.next(5)).job()).isEqualTo(JobId.of("large"));
    // Later in line is later, whatever the rank.
    scheduler.enqueue(request("large"), 6);
    assertThat(((Request) scheduler.next(6)).job()).isEqualTo(JobId.of("small"));
  }

  /** What a queue of the model below has: when it became due, and its requests. */
  private static final class Line {
    final List<Request> requests = new ArrayList<>();
    long weight = 1;
    long dueNanos;
  }

  /**
   * Among those with tokens, whoever became due first is first; then the larger weight, then who
   * came first. Whatever is enqueued, served and weighed anew in between.
   */
  @Test
  void thoseWithTokensAreServedInTheOrderInWhichTheyBecameDue() {
    SeededCases.forAll(
        3_000,
        random -> {
          TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
          List<Line> lines = new ArrayList<>();
          for (int job = 0; job < 6; job++) {
            lines.add(new Line());
          }
          long now = 0;
          weigh(scheduler, lines, now);
          for (int step = 0; step < 150; step++) {
            now += random.nextInt(3) == 0 ? random.nextInt(5) : 0;
            int kind = random.nextInt(20);
            if (kind == 0) {
              lines.forEach(line -> line.weight = random.nextLong(1, 4));
              weigh(scheduler, lines, now);
            } else if (kind < 11) {
              int job = random.nextInt(lines.size());
              Request request = request("job" + job);
              scheduler.enqueue(request, now);
              Line line = lines.get(job);
              line.dueNanos = line.requests.isEmpty() ? now : line.dueNanos;
              line.requests.add(request);
            } else {
              Optional<Line> first =
                  lines.stream()
                      .filter(line -> !line.requests.isEmpty())
                      .min(
                          Comparator.<Line>comparingLong(line -> line.dueNanos)
                              .thenComparingLong(line -> -line.weight)
                              .thenComparingLong(line -> line.requests.getFirst().sequence()));
              Dispatch answer = scheduler.next(now);
              if (first.isEmpty()) {
                assertThat(answer).isEqualTo(Dispatch.EMPTY);
              } else {
                assertThat(answer).isSameAs(first.get().requests.removeFirst());
                first.get().dueNanos = now;
              }
            }
            scheduler.checkInvariants(now);
          }
        });
  }

  private static void weigh(TbfScheduler scheduler, List<Line> lines, long nowNanos) {
    JobId[] jobs = new JobId[lines.size()];
    long[] tokens = new long[lines.size()];
    for (int job = 0; job < jobs.length; job++) {
      jobs[job] = JobId.of("job" + job);
      tokens[job] = Shares.UNLIMITED;
    }
    long[] weights = lines.stream().mapToLong(line -> line.weight).toArray();
    scheduler.reconfigure(Shares.ofColumns(jobs, tokens, weights, SECOND), nowNanos);
  }

  @Test
  void aBucketMayCountBytesAndOperationsAtOnce() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    TbfLimit operations = new TbfLimit(TokenUnit.OPERATIONS, Rate.perSecond(100), 3);
    TbfLimit bytes = new TbfLimit(TokenUnit.BYTES, Rate.perSecond(1_000_000), 4_096);
    scheduler.start(new TbfRule("both", FlowMatch.ANY, operations, bytes), null, 0);

    for (int i = 0; i < 1_000; i++) {
      scheduler.enqueue(request("small", 1), 0);
      scheduler.enqueue(request("large", 100_000), 0);
    }
    Map<JobId, Long> served = new TreeMap<>();
    serve(scheduler, 0, SECOND, served);
    assertThat(served.get(JobId.of("small"))).as("limited by operations").isEqualTo(103);
    assertThat(served.get(JobId.of("large"))).as("limited by bytes").isBetween(10L, 11L);
  }

  @Test
  void rulesCanBeStartedChangedAndStoppedWhileRequestsWait() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    TbfLimit slow = TbfLimit.of(TokenUnit.OPERATIONS, Rate.perSecond(1));
    TbfLimit fast = TbfLimit.of(TokenUnit.OPERATIONS, Rate.perSecond(100));
    backlog(scheduler, "a", 1_000);
    scheduler.start(new TbfRule("slow", FlowMatch.parse("job=a"), slow, null), null, 0);
    assertThat(serveUntil(scheduler, 0, 10 * SECOND)).isEqualTo(13);

    scheduler.change("slow", fast, null, 10 * SECOND);
    assertThat(serveUntil(scheduler, 10 * SECOND + 1, 11 * SECOND)).isBetween(99L, 101L);

    scheduler.start(
        new TbfRule("slower", FlowMatch.parse("operation=write"), slow, null), "slow", 11 * SECOND);
    assertThat(scheduler.rules()).extracting(TbfRule::name).containsExactly("slower", "slow");
    assertThat(serveUntil(scheduler, 11 * SECOND + 1, 12 * SECOND)).isBetween(3L, 4L);

    scheduler.stop("slower", 12 * SECOND);
    assertThat(serveUntil(scheduler, 12 * SECOND + 1, 13 * SECOND)).isBetween(99L, 104L);
    scheduler.stop("slow", 13 * SECOND);
    int left = scheduler.queued();
    assertThat(serveUntil(scheduler, 13 * SECOND, 13 * SECOND)).isEqualTo(left).isPositive();
  }

  @Test
  void rulesThatContradictAreRefusedAndChangeNothing() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    TbfLimit limit = TbfLimit.of(TokenUnit.OPERATIONS, Rate.perSecond(1));
    TbfRule rule = new TbfRule("a", FlowMatch.ANY, limit, null);
    scheduler.start(rule, null, 0);
    assertThatThrownBy(() -> scheduler.start(rule, null, 0)).hasMessageContaining("\"a\" already");
    assertThatThrownBy(() -> scheduler.change("b", limit, null, 0)).hasMessageContaining("\"b\"");
    assertThatThrownBy(() -> scheduler.stop("b", 0)).hasMessageContaining("no rule \"b\"");
    TbfRule before = new TbfRule("c", FlowMatch.ANY, limit, null);
    assertThatThrownBy(() -> scheduler.start(before, "b", 0)).hasMessageContaining("\"b\"");
    assertThat(scheduler.rules()).containsExactly(rule);
  }

  @Test
  void whatARequestDidNotMoveIsGivenBack() {
    Target bytes = new Target("t", 1_000_000, TokenUnit.BYTES);
    TbfScheduler scheduler = new TbfScheduler(bytes, 1_000);
    scheduler.reconfigure(shares(Map.of("a", 1_000L)), 0);
    scheduler.enqueue(request("a", 1_000), 0);
    scheduler.enqueue(request("a", 1_000), 0);
    Request first = (Request) scheduler.next(0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND));
    // It found the end of the file after 400 bytes: the other 600 are there for the next one.
    scheduler.complete(first, 1, 400, 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND * 4 / 10));
    assertThatThrownBy(() -> scheduler.complete(first, 1, -1, 0)).hasMessageContaining("moved -1");
  }

  @Test
  void jobsThatCameAndWentAreForgotten() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    scheduler.start(
        new TbfRule(
            "even",
            FlowMatch.parse("job=*0"),
            TbfLimit.of(TokenUnit.OPERATIONS, Rate.perSecond(9)),
            null),
        null,
        0);
    long now = 0;
    for (int i = 0; i < 50_000; i++) {
      now += SECOND;
      scheduler.enqueue(request("job" + i), now);
      assertThat(scheduler.next(now)).isInstanceOf(Request.class);
    }
    assertThat(scheduler.remembered()).isLessThan(10_000);
  }

  /** The theorem above {@link TokenBucket}, over random arrivals, rates and changes. */
  @Test
  void overAnyWindowNoJobGetsMoreThanDepthAndRateAllow() {
    SeededCases.forAll(
        10_000,
        random -> {
          long depth = random.nextLong(1, 10);
          TbfScheduler scheduler = new TbfScheduler(OPERATIONS, depth);
          long rateMax = 0;
          long priceMax = 0;
          List<long[]> served = new ArrayList<>();
          long now = random.nextLong(YEAR_NANOS);
          for (int step = 0; step < 60; step++) {
            int kind = random.nextInt(10);
            if (kind == 0 || step == 0) {
              long rate = random.nextLong(0, 1L << random.nextInt(1, 20));
              rateMax = Math.max(rateMax, rate);
              scheduler.reconfigure(shares(Map.of("a", rate)), now);
            } else if (kind < 6) {
              long price = random.nextLong(1, 1L << random.nextInt(1, 6));
              priceMax = Math.max(priceMax, price);
              scheduler.enqueue(
                  new Request(Flow.of(JobId.of("a"), "t"), Operation.READ, price, 0), now);
            } else {
              now += random.nextLong(1L << random.nextInt(1, 32));
            }
            while (scheduler.next(now) instanceof Request request) {
              served.add(new long[] {now, request.operations()});
            }
          }
          double most = Math.max(depth, priceMax);
          for (int from = 0; from < served.size(); from++) {
            long sum = 0;
            for (int to = from; to < served.size(); to++) {
              sum += served.get(to)[1];
              double window = (double) served.get(to)[0] - served.get(from)[0];
              assertThat((double) sum).isLessThanOrEqualTo(most + rateMax * window / SECOND + 1e-6);
            }
          }
        });
  }

  private static TbfScheduler limited(Map<String, Long> tokensPerSecond) {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    scheduler.reconfigure(shares(tokensPerSecond), 0);
    return scheduler;
  }

  private static Shares shares(Map<String, Long> tokensPerSecond) {
    TreeMap<JobId, Long> sorted = new TreeMap<>();
    tokensPerSecond.forEach((job, tokens) -> sorted.put(JobId.of(job), tokens));
    long[] tokens = sorted.values().stream().mapToLong(Long::longValue).toArray();
    long[] weights = sorted.values().stream().mapToLong(any -> 1).toArray();
    return Shares.ofColumns(sorted.keySet().toArray(JobId[]::new), tokens, weights, SECOND);
  }

  private static Request request(String job) {
    return request(job, 0);
  }

  private static Request request(String job, long bytes) {
    return new Request(Flow.of(JobId.of(job), "t"), Operation.WRITE, 1, bytes);
  }

  private static void backlog(TbfScheduler scheduler, String job, int count) {
    for (int i = 0; i < count; i++) {
      scheduler.enqueue(request(job), 0);
    }
  }

  private static long serveUntil(TbfScheduler scheduler, long fromNanos, long toNanos) {
    Map<JobId, Long> served = new TreeMap<>();
    serve(scheduler, fromNanos, toNanos, served);
    return served.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Serves all that may be served in a time, looking exactly when it is told to. */
  private static void serve(
      TbfScheduler scheduler, long fromNanos, long toNanos, Map<JobId, Long> served) {
    long now = fromNanos;
    while (now <= toNanos) {
      switch (scheduler.next(now)) {
        case Request request -> served.merge(request.job(), 1L, Long::sum);
        case Dispatch.NotBefore(long nanos) -> now = nanos;
        case Dispatch.Empty _ -> {
          return;
        }
      }
    }
  }
}
