package dev.sluice.core.schedule.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sluice.core.classify.FlowMatch;
import dev.sluice.core.model.Flow;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.core.model.Rate;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.schedule.Dispatch;
import dev.sluice.core.schedule.Pace;
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.SchedulerKind;
import dev.sluice.core.schedule.ShareTree;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.fifo.FifoScheduler;
import dev.sluice.core.schedule.registry.Schedulers;
import dev.sluice.core.schedule.tbf.RuleEffect;
import dev.sluice.core.schedule.tbf.TbfLimit;
import dev.sluice.core.schedule.tbf.TbfRule;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LimitedSchedulerTest {
  private static final long SECOND = Rate.NANOS_PER_SECOND;
  private static final Target TARGET = new Target("t", 10_000, TokenUnit.OPERATIONS);

  private static LimitedScheduler over(SchedulerKind inner) {
    return new LimitedScheduler(Schedulers.create(inner, TARGET), TARGET);
  }

  private static TbfRule operations(String match, long tokensPerSecond, long depthTokens) {
    return new TbfRule(
        match,
        FlowMatch.parse(match),
        new TbfLimit(TokenUnit.OPERATIONS, Rate.perSecond(tokensPerSecond), depthTokens),
        null);
  }

  private static TbfRule bytes(String match, long tokensPerSecond, long depthTokens) {
    return new TbfRule(
        match,
        FlowMatch.parse(match),
        new TbfLimit(TokenUnit.BYTES, Rate.perSecond(tokensPerSecond), depthTokens),
        null);
  }

  private static Request request(String job, long bytes) {
    return new Request(Flow.of(JobId.of(job), "t"), Operation.WRITE, 1, bytes);
  }

  private static Shares shares(String job, long tokens) {
    return Shares.ofColumns(
        new JobId[] {JobId.of(job)}, new long[] {tokens}, new long[] {1}, SECOND);
  }

  private record Served(long nanos, long tokens) {}

  /**
   * The theorem above {@link LimitedScheduler}, whatever is in its way: other requests, a scheduler
   * that holds the job back and lets it go, another scheduler, looks that come late, new rates,
   * reads that were short.
   */
  @ParameterizedTest
  @EnumSource
  void overAnyWindowALimitedJobGetsNoMoreThanDepthAndRateAllow(SchedulerKind inner) {
    SeededCases.forAll(
        2_000,
        random -> {
          long depth = random.nextLong(1, 1L << random.nextInt(1, 12));
          LimitedScheduler scheduler = over(inner);
          List<Served> served = new ArrayList<>();
          long now = random.nextLong(365L * 24 * 3_600 * SECOND);
          long rateMax = 0;
          long priceMax = 0;
          for (int step = 0; step < 120; step++) {
            int kind = step == 0 ? 0 : random.nextInt(14);
            if (kind == 0) {
              long rate = random.nextLong(1L << random.nextInt(1, 20));
              rateMax = Math.max(rateMax, rate);
              scheduler.limit(List.of(bytes("job=limited", rate, depth)), now);
            } else if (kind == 1) {
              long share = random.nextBoolean() ? 0 : Shares.UNLIMITED;
              scheduler.reconfigure(shares("limited", share), now);
            } else if (kind < 6) {
              long price = random.nextLong(1, 1L << random.nextInt(1, 13));
              priceMax = Math.max(priceMax, price);
              scheduler.enqueue(request("limited", price), now);
            } else if (kind < 8) {
              scheduler.enqueue(request("other", 1), now);
            } else if (kind == 12) {
              SchedulerKind[] kinds = SchedulerKind.values();
              scheduler.order(Schedulers.create(kinds[random.nextInt(kinds.length)], TARGET), now);
            } else if (kind == 13) {
              long largest = random.nextLong(1L << random.nextInt(1, 13));
              scheduler.withdrawIf(request -> request.bytes() > largest, now);
            } else if (kind == 8) {
              now += random.nextLong(1L << random.nextInt(1, 34));
            } else {
              for (int asks = random.nextInt(8); asks > 0; asks--) {
                serve(scheduler, random, now, served);
              }
            }
            scheduler.checkInvariants(now);
          }
          double most = Math.max(depth, priceMax);
          for (int from = 0; from < served.size(); from++) {
            long sum = 0;
            for (int to = from; to < served.size(); to++) {
              sum += served.get(to).tokens;
              double window = (double) served.get(to).nanos - served.get(from).nanos;
              assertThat((double) sum).isLessThanOrEqualTo(most + rateMax * window / SECOND + 1e-6);
            }
          }
        });
  }

  /** Serves one if there is one; what was moved is told at once. */
  private static void serve(
      LimitedScheduler scheduler, RandomGenerator random, long now, List<Served> served) {
    if (scheduler.next(now) instanceof Request request) {
      long moved = random.nextInt(4) == 0 ? random.nextLong(request.bytes() + 1) : request.bytes();
      scheduler.complete(request, 1, moved, now);
      if (request.job().equals(JobId.of("limited"))) {
        served.add(new Served(now, moved));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void whoeverIsNotLimitedNeverWaitsForWhoIs(SchedulerKind inner) {
    SeededCases.forAll(
        500,
        random -> {
          LimitedScheduler scheduler = over(inner);
          scheduler.limit(List.of(operations("job=limited", 3, 2)), 0);
          Deque<Request> free = new ArrayDeque<>();
          long now = 0;
          for (int step = 0; step < 200; step++) {
            now += random.nextLong(SECOND / 10);
            Request request = request(random.nextBoolean() ? "limited" : "free", 1);
            scheduler.enqueue(request, now);
            if (request.job().equals(JobId.of("free"))) {
              free.add(request);
            }
            for (Dispatch next = scheduler.next(now);
                next instanceof Request handedOut;
                next = scheduler.next(now)) {
              if (handedOut.job().equals(JobId.of("free"))) {
                assertThat(handedOut).isSameAs(free.poll());
              }
            }
            assertThat(free).as("left at %s", now).isEmpty();
          }
        });
  }

  /** The same rules again, at any time: every request comes out at the same instant. */
  @Test
  void rulesThatStayKeepTheirTokens() {
    SeededCases.forAll(
        2_000,
        random -> {
          List<TbfRule> rules = List.of(bytes("job=a", random.nextLong(1, 5_000), 1_000));
          LimitedScheduler quiet = over(SchedulerKind.FIFO);
          LimitedScheduler reloaded = over(SchedulerKind.FIFO);
          quiet.limit(rules, 0);
          reloaded.limit(rules, 0);
          long now = 0;
          for (int step = 0; step < 100; step++) {
            now += random.nextBoolean() ? 0 : random.nextLong(SECOND);
            switch (random.nextInt(4)) {
              case 0 -> {
                List<TbfRule> others = new ArrayList<>(rules);
                others.add(random.nextInt(2), operations("job=b" + step, 1, 1));
                reloaded.limit(random.nextBoolean() ? rules : others, now);
              }
              case 1 -> {
                long size = random.nextLong(1_500);
                quiet.enqueue(request("a", size), now);
                reloaded.enqueue(request("a", size), now);
              }
              default -> {
                Dispatch expected = quiet.next(now);
                Dispatch answer = reloaded.next(now);
                if (expected instanceof Request request) {
                  assertThat(answer).isInstanceOf(Request.class);
                  assertThat(((Request) answer).bytes()).isEqualTo(request.bytes());
                } else {
                  assertThat(answer).isEqualTo(expected);
                }
              }
            }
            reloaded.checkInvariants(now);
          }
        });
  }

  /** Rules by job, by operation, none, at any time: all that came leaves once, in its order. */
  @ParameterizedTest
  @EnumSource
  void aChangeOfRulesLosesNothing(SchedulerKind inner) {
    List<TbfRule> some =
        List.of(operations("job=a", 50, 1), bytes("job=b", 1_000, 10), operations("job=c", 9, 5));
    SeededCases.forAll(
        1_000,
        random -> {
          LimitedScheduler scheduler = over(inner);
          List<Request> waiting = new ArrayList<>();
          long now = 0;
          for (int step = 0; step < 150; step++) {
            now += random.nextBoolean() ? 0 : random.nextLong(SECOND / 5);
            int kind = random.nextInt(20);
            if (kind == 0) {
              scheduler.limit(some.subList(random.nextInt(2), random.nextInt(2, 4)), now);
            } else if (kind == 1) {
              scheduler.limit(List.of(), now);
            } else if (kind == 2) {
              List<Request> withdrawn = scheduler.withdrawAll(now);
              assertThat(withdrawn).isEqualTo(waiting);
              for (Request request : withdrawn) {
                scheduler.enqueue(request, now);
              }
            } else if (kind < 12) {
              Request request = request("" + "abcd".charAt(random.nextInt(4)), 1);
              waiting.add(request);
              scheduler.enqueue(request, now);
            } else if (scheduler.next(now) instanceof Request request) {
              assertThat(request).isSameAs(oldest(waiting, request.job()));
              waiting.remove(request);
            }
            assertThat(scheduler.queued()).isEqualTo(waiting.size());
            scheduler.checkInvariants(now);
          }
          scheduler.limit(List.of(), now);
          for (int left = waiting.size(); left > 0; left--) {
            assertThat(waiting.remove(scheduler.next(now))).isTrue();
          }
          assertThat(scheduler.next(now)).isEqualTo(Dispatch.EMPTY);
        });
  }

  private static Request oldest(List<Request> waiting, JobId job) {
    return waiting.stream().filter(request -> request.job().equals(job)).findFirst().orElseThrow();
  }

  @Test
  void aNewRuleHoldsForRequestsThatAlreadyWait() {
    LimitedScheduler scheduler = over(SchedulerKind.FIFO);
    for (int i = 0; i < 10; i++) {
      scheduler.enqueue(request("a", 1), 0);
    }
    scheduler.limit(List.of(operations("job=a", 1, 2)), 0);
    assertThat(scheduler.next(0)).isInstanceOf(Request.class);
    assertThat(scheduler.next(0)).isInstanceOf(Request.class);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND));
    scheduler.limit(List.of(operations("job=a", 10, 2)), 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND / 10));
  }

  /** A request with its tokens waits its turn; ten seconds later there is one depth, not ten. */
  @Test
  void whatTheInnerSchedulerHoldsBackIsNotSavedUp() {
    LimitedScheduler scheduler = over(SchedulerKind.TBF);
    scheduler.limit(List.of(operations("job=a", 1, 2)), 0);
    scheduler.reconfigure(shares("a", 0), 0);
    for (int i = 0; i < 100; i++) {
      scheduler.enqueue(request("a", 1), 0);
    }
    int inTheWay = 0;
    for (int second = 0; second < 10; second++) {
      while (scheduler.next(second * SECOND) instanceof Request) {
        inTheWay++;
      }
    }
    // The full bucket of a share with a rate of nothing.
    assertThat(inTheWay).isEqualTo(3);
    scheduler.reconfigure(shares("a", Shares.UNLIMITED), 100 * SECOND);
    assertThat(scheduler.next(100 * SECOND)).isInstanceOf(Request.class);
    assertThat(scheduler.next(100 * SECOND)).isInstanceOf(Request.class);
    assertThat(scheduler.next(100 * SECOND)).isEqualTo(new Dispatch.NotBefore(101 * SECOND));
  }

  @Test
  void requestsJoinTheOthersInTheOrderInWhichTheyBecomeFreeToGo() {
    LimitedScheduler scheduler = over(SchedulerKind.FIFO);
    scheduler.limit(List.of(operations("job=a", 1, 1)), 0);
    Request hasTokens = request("a", 1);
    Request hasNone = request("a", 1);
    Request freeBefore = request("free", 1);
    Request freeAfter = request("free", 1);
    scheduler.enqueue(hasTokens, 0);
    scheduler.enqueue(freeBefore, 0);
    scheduler.enqueue(hasNone, 0);
    assertThat(scheduler.next(0)).isSameAs(hasTokens);
    scheduler.enqueue(freeAfter, 2 * SECOND);
    assertThat(scheduler.next(2 * SECOND)).isSameAs(freeBefore);
    assertThat(scheduler.next(2 * SECOND)).isSameAs(hasNone);
    assertThat(scheduler.next(2 * SECOND)).isSameAs(freeAfter);
  }

  /** Whatever waited, for its tokens or its turn, and is gone: the job has what it had without. */
  @Test
  void whatIsWithdrawnCostsNobodyTokens() {
    SeededCases.forAll(
        1_000,
        random -> {
          long depth = 1 + random.nextLong(1_000);
          TbfRule rule = bytes("job=a", 1 + random.nextLong(1_000), depth);
          LimitedScheduler disturbed = over(SchedulerKind.FAIR);
          LimitedScheduler undisturbed = over(SchedulerKind.FAIR);
          disturbed.limit(List.of(rule), 0);
          undisturbed.limit(List.of(rule), 0);
          long now = 0;
          for (int step = 0; step < 50; step++) {
            now += random.nextLong(SECOND);
            for (int i = random.nextInt(4); i > 0; i--) {
              disturbed.enqueue(request("a", 10_000 + random.nextLong(1_000)), now);
            }
            if (random.nextInt(4) == 0) {
              disturbed.reconfigure(shares("a", 1 + random.nextLong(1_000)), now);
            }
            disturbed.withdrawIf(request -> request.bytes() >= 10_000, now);
            disturbed.checkInvariants(now);
            long bytes = 1 + random.nextLong(1_000);
            disturbed.enqueue(request("a", bytes), now);
            undisturbed.enqueue(request("a", bytes), now);
            assertThat(disturbed.effectsOn(JobId.of("a"), now))
                .isEqualTo(undisturbed.effectsOn(JobId.of("a"), now));
            Dispatch answer = disturbed.next(now);
            Dispatch expected = undisturbed.next(now);
            if (answer instanceof Request request && expected instanceof Request other) {
              assertThat(request.bytes()).isEqualTo(other.bytes());
            } else {
              assertThat(answer).isEqualTo(expected);
            }
          }
        });
  }

  @Test
  void whatDidNotPayIsGivenNothingBack() {
    LimitedScheduler scheduler = over(SchedulerKind.FIFO);
    Request early = request("a", 1_000);
    scheduler.enqueue(early, 0);
    assertThat(scheduler.next(0)).isSameAs(early);
    scheduler.limit(List.of(bytes("job=a", 1, 1_000)), 0);
    scheduler.enqueue(request("a", 1_000), 0);
    scheduler.enqueue(request("a", 1_000), 0);
    Request paid = (Request) scheduler.next(0);
    scheduler.complete(early, 1, 0, 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(1_000 * SECOND));
    scheduler.complete(paid, 1, 400, 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(400 * SECOND));
  }

  @Test
  void anotherSchedulerTakesOverWhatWaitsAndGivesNobodyTokens() {
    LimitedScheduler scheduler = over(SchedulerKind.FIFO);
    scheduler.limit(List.of(bytes("job=a", 1, 1_000)), 0);
    Request first = request("a", 1_000);
    scheduler.enqueue(first, 0);
    scheduler.enqueue(request("a", 1_000), 0);
    scheduler.order(Schedulers.create(SchedulerKind.FAIR, TARGET), 0);
    scheduler.checkInvariants(0);
    assertThat(scheduler.queued()).isEqualTo(2);
    assertThat(scheduler.next(0)).isSameAs(first);
    scheduler.order(Schedulers.create(SchedulerKind.FIFO, TARGET), 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(1_000 * SECOND));
    scheduler.correctLimits(first, 1, 400, 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(400 * SECOND));
  }

  /** Ten tokens a second and room for twenty: one is used at once, and ten come in a second. */
  @Test
  void tellsWhatAJobHasSaved() {
    LimitedScheduler scheduler = over(SchedulerKind.FIFO);
    TbfRule saving = operations("job=a", 10, 20);
    scheduler.limit(List.of(saving), 0);
    scheduler.enqueue(request("a", 1), 0);
    assertThat(scheduler.next(0)).isInstanceOf(Request.class);
    long before = saved(scheduler, 0);
    assertThat(before).isBetween(0L, 19L);
    assertThat(saved(scheduler, SECOND / 2)).isEqualTo(Math.min(20, before + 5));
    assertThat(saved(scheduler, 100 * SECOND)).isEqualTo(20);
  }

  private static long saved(LimitedScheduler scheduler, long nowNanos) {
    return scheduler.effectsOn(JobId.of("a"), nowNanos).getFirst().savedTokens();
  }

  @Test
  void whatHasMoreRoomThanUsualSaves() {
    TbfLimit usual = TbfLimit.of(TokenUnit.OPERATIONS, Rate.perSecond(10));
    assertThat(usual.saves()).isFalse();
    assertThat(new TbfLimit(usual.unit(), usual.rate(), usual.depthTokens() + 1).saves()).isTrue();
  }

  @Test
  void tellsWhichRuleHoldsAJobBackAndForHowLong() {
    LimitedScheduler scheduler = over(SchedulerKind.FIFO);
    TbfRule tight = operations("job=a", 10, 1);
    scheduler.limit(List.of(operations("job=b", 10, 1), tight, operations("job=*", 1, 1)), 0);
    assertThat(scheduler.effectsOn(JobId.of("a"), 0)).isEmpty();
    for (int i = 0; i < 3; i++) {
      scheduler.enqueue(request("a", 1), 0);
    }
    assertThat(scheduler.effectsOn(JobId.of("a"), 0))
        .as("time gives no tokens while those that passed leave no room for them")
        .containsExactly(new RuleEffect(tight, 2, Long.MAX_VALUE));
    assertThat(scheduler.next(0)).isInstanceOf(Request.class);
    assertThat(scheduler.effectsOn(JobId.of("a"), SECOND / 25))
        .containsExactly(new RuleEffect(tight, 2, SECOND / 10 - SECOND / 25));
    assertThat(scheduler.effectsOn(JobId.of("b"), SECOND / 25)).isEmpty();
    assertThat(scheduler.next(SECOND / 10)).isInstanceOf(Request.class);
    assertThat(scheduler.next(SECOND / 5)).isInstanceOf(Request.class);
    assertThat(scheduler.effectsOn(JobId.of("a"), SECOND / 5))
        .singleElement()
        .satisfies(effect -> assertThat(effect.holdsBack()).isFalse());
  }

  /** What is told changes nothing, and the instant that is told is the one that comes. */
  @Test
  void askingWhatRulesDoChangesNothing() {
    SeededCases.forAll(
        1_000,
        random -> {
          LimitedScheduler asked = over(SchedulerKind.FIFO);
          LimitedScheduler other = over(SchedulerKind.FIFO);
          List<TbfRule> rules =
              List.of(operations("job=a", random.nextLong(1, 1_000), random.nextLong(1, 4)));
          asked.limit(rules, 0);
          other.limit(rules, 0);
          long now = 0;
          for (int step = 0; step < 40; step++) {
            now += random.nextLong(SECOND / 10);
            if (random.nextBoolean()) {
              asked.enqueue(request("a", 1), now);
              other.enqueue(request("a", 1), now);
            }
            Dispatch expected = other.next(now);
            List<RuleEffect> before = asked.effectsOn(JobId.of("a"), now);
            Dispatch answer = asked.next(now);
            if (answer instanceof Dispatch.NotBefore(long nanos)) {
              assertThat(expected).isEqualTo(answer);
              assertThat(before.getFirst().holdsBack()).isTrue();
              assertThat(before.getFirst().nanosLeft()).isEqualTo(nanos - now);
            } else {
              assertThat(expected.getClass()).isEqualTo(answer.getClass());
            }
          }
        });
  }

  /** Behind it, what does not look at the pace. */
  private enum AnyPace implements Pace {
    AT_ALL_TIMES;

    @Override
    public boolean isShort() {
      return true;
    }

    @Override
    public long spareNanos(long nowNanos) {
      return 0;
    }

    @Override
    public long nanosFor(long tokens) {
      return tokens;
    }
  }

  @Test
  void aPacedTargetIsLimitedAlike() {
    SeededCases.forAll(
        200,
        random -> {
          LimitedScheduler paced = over(SchedulerKind.FIFO);
          LimitedScheduler other = over(SchedulerKind.FIFO);
          long now = 0;
          for (int step = 0; step < 60; step++) {
            now += random.nextLong(SECOND / 10);
            if (random.nextInt(10) == 0) {
              List<TbfRule> rules =
                  random.nextBoolean()
                      ? List.of()
                      : List.of(operations("job=a", random.nextLong(1, 20), 2));
              paced.limit(rules, now);
              other.limit(rules, now);
            }
            long number = step + 1L;
            String job = random.nextBoolean() ? "a" : "b";
            paced.enqueue(request(job, number), now);
            other.enqueue(request(job, number), now);
            Dispatch answer = paced.next(AnyPace.AT_ALL_TIMES, now);
            if (other.next(now) instanceof Request expected) {
              assertThat(((Request) answer).bytes()).isEqualTo(expected.bytes());
            } else {
              assertThat(answer).isInstanceOf(Dispatch.NotBefore.class);
            }
            paced.checkInvariants(now);
          }
          assertThat(paced.queued()).isEqualTo(other.queued());
        });
  }

  /** It took three operations for what was one, of the three that a share saves up. */
  @Test
  void whatARequestDidNotCostIsGivenBackBehindTheLimitsToo() {
    LimitedScheduler scheduler = over(SchedulerKind.TBF);
    scheduler.reconfigure(shares("a", 1), 0);
    Request cheap = new Request(Flow.of(JobId.of("a"), "t"), Operation.WRITE, 3, 0);
    scheduler.enqueue(cheap, 0);
    assertThat(scheduler.next(0)).isSameAs(cheap);
    scheduler.complete(cheap, 1, 0, 0);
    Request next = request("a", 0);
    scheduler.enqueue(next, 0);
    assertThat(scheduler.next(0)).isSameAs(next);
  }

  /** A waits for a limit, b for its share behind it. */
  @Test
  void ofTwoInstantsToWaitForTheEarlierIsNamed() {
    for (long ofShare : new long[] {1, 4}) {
      LimitedScheduler scheduler = over(SchedulerKind.TBF);
      scheduler.limit(List.of(operations("job=a", 2, 1)), 0);
      scheduler.reconfigure(shares("b", ofShare), 0);
      scheduler.enqueue(request("a", 0), 0);
      scheduler.enqueue(request("a", 0), 0);
      for (int i = 0; i < 4; i++) {
        scheduler.enqueue(request("b", 0), 0);
      }
      for (int i = 0; i < 4; i++) {
        assertThat(scheduler.next(0)).isInstanceOf(Request.class);
      }
      assertThat(scheduler.next(0))
          .isEqualTo(new Dispatch.NotBefore(Math.min(SECOND / 2, SECOND / ofShare)));
    }
  }

  /** Of a and b in one group and c in another, c has half; of b and c in one, a has. */
  @Test
  void whoDividesWithWhomIsToldToWhatIsBehindIt() {
    LimitedScheduler scheduler = over(SchedulerKind.FAIR);
    Map<JobId, String> groups =
        new HashMap<>(Map.of(JobId.of("a"), "one", JobId.of("b"), "one", JobId.of("c"), "other"));
    for (String job : List.of("a", "b", "c")) {
      scheduler.enqueue(request(job, 0), 0);
      scheduler.enqueue(request(job, 0), 0);
    }
    scheduler.regroup(
        new ShareTree(flow -> List.of(groups.getOrDefault(flow.job(), "none")), Map.of()), 0);
    assertThat(servedOf(scheduler, "c")).isBetween(199, 201);
    groups.put(JobId.of("b"), "other");
    scheduler.place(Flow.of(JobId.of("b"), "t"), 0);
    assertThat(servedOf(scheduler, "a")).isBetween(199, 201);
  }

  /** Of 400 requests; each comes back at once. */
  private static int servedOf(LimitedScheduler scheduler, String job) {
    int served = 0;
    for (int i = 0; i < 400; i++) {
      Request request = (Request) scheduler.next(0);
      served += request.job().equals(JobId.of(job)) ? 1 : 0;
      scheduler.enqueue(request, 0);
    }
    return served;
  }

  @Test
  void rulesThatContradictAreRefusedAndChangeNothing() {
    LimitedScheduler scheduler = over(SchedulerKind.FIFO);
    TbfRule rule = operations("job=a", 1, 1);
    scheduler.limit(List.of(rule), 0);
    scheduler.enqueue(request("a", 1), 0);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.limit(List.of(rule, operations("job=b", 1, 1), rule), 0))
        .withMessageContaining("two rules are called \"job=a\"");
    assertThat(scheduler.rules()).containsExactly(rule);
    assertThat(scheduler.queued()).isEqualTo(1);
    assertThat(scheduler.next(0)).isInstanceOf(Request.class);
  }

  @Test
  void namesWhatIsBehindIt() {
    FifoScheduler inner = new FifoScheduler();
    assertThat(new LimitedScheduler(inner, TARGET).inner()).isSameAs(inner);
  }
}
