package dev.sluice.core.schedule.tbf;

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
import dev.sluice.core.schedule.Request;
import dev.sluice.core.schedule.Shares;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules that come and go, requests that are gone or cost something else, and who is forgotten. */
class TbfRulesTest {
  private static final long SECOND = Rate.NANOS_PER_SECOND;
  private static final Target OPERATIONS = new Target("t", 10_000, TokenUnit.OPERATIONS);

  /** So many are kept before anybody looks whether they are needed. */
  private static final int KEPT_UNSEEN = 1_024;

  @Test
  void whoeverNoRuleSpeaksOfIsServedInTheOrderOfArrival() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    List<Request> arrived = enqueue(scheduler, "a", "b", "a", "c", "b", "a");
    for (Request request : arrived) {
      assertThat(scheduler.next(0)).isSameAs(request);
    }
  }

  @Test
  void whereTheFirstIsGoneTheNextKeepsItsPlaceAmongAll() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    List<Request> arrived = enqueue(scheduler, "a", "b", "a");
    assertThat(scheduler.withdrawIf(arrived.getFirst()::equals, 0))
        .containsExactly(arrived.getFirst());
    assertThat(scheduler.next(0)).isSameAs(arrived.get(1));
    assertThat(scheduler.next(0)).isSameAs(arrived.get(2));
  }

  @Test
  void whereADearRequestIsGoneACheapOneWaitsForItsOwnTokensOnly() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    scheduler.start(rule("all", FlowMatch.ANY, bytes(100, 100), null), null, 0);
    for (long bytes : new long[] {100, 100, 10}) {
      scheduler.enqueue(request("a", bytes), 0);
    }
    assertThat(scheduler.next(0)).isInstanceOf(Request.class);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND));
    scheduler.withdrawIf(request -> request.bytes() == 100, 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(SECOND / 10));
  }

  @Test
  void onEqualDeadlinesTheRuleGoesFirstThatIsListedFirstNow() {
    TbfRule a = rule("a", FlowMatch.parse("job=a"), operations(100, 3), null);
    TbfRule b = rule("b", FlowMatch.parse("job=b"), operations(100, 3), null);
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    scheduler.replace(List.of(a, b), 0);
    List<Request> arrived = enqueue(scheduler, "b", "a", "b", "a");
    assertThat(scheduler.next(0)).isSameAs(arrived.get(1));
    scheduler.replace(List.of(b, a), 0);
    assertThat(scheduler.next(0)).isSameAs(arrived.get(0));
    assertThat(scheduler.next(0)).isSameAs(arrived.get(2));
    assertThat(scheduler.next(0)).isSameAs(arrived.get(3));
  }

  @Test
  void thereIsABoundOnRulesAndNamesAreTheirOwn() {
    List<TbfRule> rules = new ArrayList<>();
    for (int i = 0; i < TbfScheduler.RULES_MAX; i++) {
      rules.add(rule("rule" + i, FlowMatch.ANY, operations(1, 1), null));
    }
    TbfRule another = rule("another", FlowMatch.ANY, operations(1, 1), null);
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    scheduler.replace(rules.subList(1, rules.size()), 0);
    scheduler.start(rules.getFirst(), "rule1", 0);
    assertThat(scheduler.rules()).isEqualTo(rules);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.start(another, null, 0))
        .withMessage("there are 10000 rules already");
    scheduler.replace(rules, 0);
    List<TbfRule> oneMore = new ArrayList<>(rules);
    oneMore.add(another);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.replace(oneMore, 0))
        .withMessage("expected at most 10000 rules, not 10001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> scheduler.replace(List.of(another, another), 0))
        .withMessage("two rules are called \"another\"");
    assertThat(scheduler.rules()).isEqualTo(rules);
  }

  @Test
  void aDepthIsATokenAtLeastAndNoMoreThanPricesAre() {
    for (long depth : new long[] {1, TokenBucket.TOKENS_MAX}) {
      assertThat(operations(1, depth).depthTokens()).isEqualTo(depth);
    }
    for (long depth : new long[] {0, TokenBucket.TOKENS_MAX + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> operations(1, depth))
          .withMessage("a depth must be 1 to 2147483648 tokens, not " + depth);
    }
  }

  /** Operations are no matter here; of 100 bytes a second all are used. */
  @Test
  void theSecondBucketFillsAndIsCorrectedAsTheFirstDoes() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    scheduler.start(
        rule("both", FlowMatch.ANY, operations(1_000, 1_000), bytes(100, 100)), null, 0);
    Request used = request("a", 100);
    scheduler.enqueue(used, 0);
    assertThat(scheduler.next(0)).isSameAs(used);
    Request later = request("a", 100);
    scheduler.enqueue(later, 10 * SECOND);
    assertThat(scheduler.next(10 * SECOND)).as("ten seconds fill it").isSameAs(later);
    scheduler.enqueue(request("a", 100), 10 * SECOND);
    assertThat(scheduler.next(10 * SECOND)).isEqualTo(new Dispatch.NotBefore(11 * SECOND));
    scheduler.complete(later, 1, 30, 10 * SECOND);
    assertThat(scheduler.next(10 * SECOND))
        .as("70 of its 100 bytes were not moved")
        .isEqualTo(new Dispatch.NotBefore(10 * SECOND + 3 * SECOND / 10));
  }

  /** At most a depth was saved up when it is told that the request took five tokens. */
  @Test
  void whatIsPaidAfterwardsIsPaidFromWhatTheBucketHoldsThen() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS, 3);
    scheduler.reconfigure(share("a", 1), 0);
    Request dear = request("a", 0);
    scheduler.enqueue(dear, 0);
    assertThat(scheduler.next(0)).isSameAs(dear);
    scheduler.complete(dear, 5, 0, 10 * SECOND);
    scheduler.enqueue(request("a", 0), 10 * SECOND);
    assertThat(scheduler.next(10 * SECOND)).isEqualTo(new Dispatch.NotBefore(12 * SECOND));
  }

  @Test
  void whoWaitsForItsTurnAndTurnsOutToOweWaitsForItsTokensAgain() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS, 3);
    scheduler.reconfigure(share("a", 1), 0);
    List<Request> arrived = enqueue(scheduler, "a", "a");
    assertThat(scheduler.next(0)).isSameAs(arrived.getFirst());
    scheduler.complete(arrived.getFirst(), 10, 0, 0);
    assertThat(scheduler.next(0)).isEqualTo(new Dispatch.NotBefore(8 * SECOND));
  }

  @Test
  void aFilterGivesUpWhatWaitsInTheOrderInWhichItCame() {
    TbfFilter filter = new TbfFilter(OPERATIONS);
    filter.replace(List.of(rule("all", FlowMatch.ANY, operations(0, 1), null)), 0);
    List<Request> waiting = new ArrayList<>();
    for (String job : List.of("c", "a", "b", "a", "c")) {
      Request request = request(job, 0);
      assertThat(filter.offer(request, 0)).isTrue();
      waiting.add(request);
    }
    assertThat(filter.pass(0)).isSameAs(waiting.removeFirst());
    assertThat(filter.held()).isEqualTo(1);
    assertThat(filter.withdrawAll(0)).isEqualTo(waiting);
  }

  /** Looking costs something, so that it is done when there are twice as many as were needed. */
  @Test
  void jobsOfWhichNothingWouldBeMissedAreForgottenOnceThereAreMany() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS);
    scheduler.start(rule("ruled", FlowMatch.parse("job=ruled*"), operations(1, 1), null), null, 0);
    for (int i = 0; i < 10; i++) {
      comeAndGo(scheduler, "ruled" + i, 0);
    }
    for (int i = 0; i < KEPT_UNSEEN; i++) {
      comeAndGo(scheduler, "free" + i, 0);
    }
    assertThat(scheduler.remembered()).isEqualTo(KEPT_UNSEEN + 10);
    comeAndGo(scheduler, "free", 0);
    assertThat(scheduler.remembered()).as("those with empty buckets, and the last").isEqualTo(11);
    for (int i = 0; i < KEPT_UNSEEN - 1; i++) {
      comeAndGo(scheduler, "free" + i, SECOND);
    }
    assertThat(scheduler.remembered()).isEqualTo(KEPT_UNSEEN + 10);
  }

  @Test
  void whoIsLimitedOrWaitsOrOwesIsNotForgotten() {
    TbfScheduler scheduler = new TbfScheduler(OPERATIONS, 1);
    scheduler.start(rule("ruled", FlowMatch.parse("job=ruled*"), operations(1, 1), null), null, 0);
    scheduler.reconfigure(share("listed", 1), 0);
    comeAndGo(scheduler, "listed", 0);
    comeAndGo(scheduler, "ruled", 0);
    scheduler.enqueue(request("ruled-and-waiting", 0), 0);
    scheduler.enqueue(request("ruled-and-waiting", 0), 0);
    assertThat(scheduler.next(0)).isInstanceOf(Request.class);
    for (int i = 0; i <= KEPT_UNSEEN; i++) {
      comeAndGo(scheduler, "free" + i, 0);
    }
    assertThat(scheduler.remembered()).isLessThan(KEPT_UNSEEN);
    scheduler.checkInvariants(0);
    scheduler.enqueue(request("listed", 0), 0);
    scheduler.enqueue(request("ruled", 0), 0);
    assertThat(scheduler.next(0))
        .as("all three have used the token that they had")
        .isEqualTo(new Dispatch.NotBefore(SECOND));
    assertThat(scheduler.queued()).isEqualTo(3);
    for (int i = 0; i < 3; i++) {
      assertThat(scheduler.next(SECOND)).isInstanceOf(Request.class);
    }
    assertThat(scheduler.next(SECOND)).isEqualTo(Dispatch.EMPTY);
  }

  private static void comeAndGo(TbfScheduler scheduler, String job, long nowNanos) {
    Request request = request(job, 0);
    scheduler.enqueue(request, nowNanos);
    assertThat(scheduler.next(nowNanos)).isSameAs(request);
  }

  private static List<Request> enqueue(TbfScheduler scheduler, String... jobs) {
    List<Request> arrived = new ArrayList<>();
    for (String job : jobs) {
      Request request = request(job, 0);
      scheduler.enqueue(request, 0);
      arrived.add(request);
    }
    return arrived;
  }

  private static Request request(String job, long bytes) {
    return new Request(Flow.of(JobId.of(job), "t"), Operation.WRITE, 1, bytes);
  }

  private static Shares share(String job, long tokensPerSecond) {
    return Shares.ofColumns(
        new JobId[] {JobId.of(job)}, new long[] {tokensPerSecond}, new long[] {1}, SECOND);
  }

  private static TbfRule rule(
      String name, FlowMatch match, TbfLimit limit, @Nullable TbfLimit second) {
    return new TbfRule(name, match, limit, second);
  }

  private static TbfLimit operations(long tokensPerSecond, long depthTokens) {
    return new TbfLimit(TokenUnit.OPERATIONS, Rate.perSecond(tokensPerSecond), depthTokens);
  }

  private static TbfLimit bytes(long tokensPerSecond, long depthTokens) {
    return new TbfLimit(TokenUnit.BYTES, Rate.perSecond(tokensPerSecond), depthTokens);
  }
}
