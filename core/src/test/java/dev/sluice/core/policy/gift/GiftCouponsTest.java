package dev.sluice.core.policy.gift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.gift.LedgerEvent.Awarded;
import dev.sluice.core.policy.gift.LedgerEvent.Forgotten;
import dev.sluice.core.policy.gift.LedgerEvent.Issued;
import dev.sluice.core.policy.gift.LedgerEvent.PeriodBegan;
import dev.sluice.core.policy.gift.LedgerEvent.Redeemed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What a decision makes of books that are given: who redeems first, what is paid for and forgotten,
 * and at which of its limits throttling ends. Targets have 100 tokens/s, a period has 10 s.
 */
class GiftCouponsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final JobId A = JobId.of("A");
  private static final JobId X = JobId.of("X");
  private static final JobId Z = JobId.of("Z");

  /** X cannot use its third of t1, which leaves a twelfth of it: 83 tokens of a period. */
  private static final Map<String, List<String>> A_TWELFTH_IS_LEFT =
      Map.of("t1", List.of("A", "X", "Z"), "t2", List.of("P", "Q", "R", "X"));

  /** What A loses B can use twice, and nothing is left for coupons. */
  private static final Map<String, List<String>> A_IS_IN_THE_WAY =
      Map.of("t1", List.of("A", "B"), "t2", List.of("B"));

  private static final Map<String, List<String>> NOBODY = Map.of("t1", List.of());

  @Test
  void whoIsOwedForLongestRedeemsFirst() {
    CouponLedger books = books(new PeriodBegan(0), issued(1, Z, 1, 100), issued(2, A, 1, 100));
    assertThat(events(Redeemed.class, decide(Map.of(), books, 10, A_TWELFTH_IS_LEFT)))
        .containsExactly(new Redeemed(Z, 1, 83));
    CouponLedger other = books(new PeriodBegan(0), issued(1, A, 1, 100), issued(2, Z, 1, 100));
    assertThat(events(Redeemed.class, decide(Map.of(), other, 10, A_TWELFTH_IS_LEFT)))
        .containsExactly(new Redeemed(A, 1, 83));
  }

  @Test
  void whatTheFirstLeavesIsForTheSecond() {
    CouponLedger books = books(new PeriodBegan(0), issued(1, Z, 1, 50), issued(2, A, 1, 100));
    assertThat(events(Redeemed.class, decide(Map.of(), books, 10, A_TWELFTH_IS_LEFT)))
        .containsExactly(new Redeemed(Z, 1, 50), new Redeemed(A, 2, 33));
  }

  @Test
  void anApplicationRedeemsItsOldestCouponFirst() {
    CouponLedger books = books(new PeriodBegan(0), issued(1, A, 1, 50), issued(2, A, 2, 100));
    assertThat(events(Redeemed.class, decide(Map.of(), books, 10, A_TWELFTH_IS_LEFT)))
        .containsExactly(new Redeemed(A, 1, 50), new Redeemed(A, 2, 33));
  }

  @Test
  void whatWasPaidForMakesNobodyFirst() {
    CouponLedger books =
        books(
            new PeriodBegan(0),
            issued(1, Z, 1, 100),
            issued(2, A, 1, 100),
            issued(3, Z, 2, 100),
            new Awarded(Z, 1, 10));
    assertThat(events(Redeemed.class, decide(Map.of(), books, 10, A_TWELFTH_IS_LEFT)))
        .containsExactly(new Redeemed(A, 2, 83));
  }

  private static final Map<String, String> SHORT =
      Map.of(
          "regret-period",
          "100 s",
          "coupon-age",
          "30 s",
          "memory",
          "1000 s",
          "window",
          "2",
          "regret-budget",
          "1");

  @Test
  void regretIsAssessedAtTheEndOfItsPeriodAndNotBefore() {
    CouponLedger books = books(new PeriodBegan(0));
    assertThat(events(LedgerEvent.class, decideAt(SHORT, books, 100 * SECOND - 1, NOBODY)))
        .isEmpty();
    assertThat(events(LedgerEvent.class, decideAt(SHORT, books, 100 * SECOND, NOBODY)))
        .containsExactly(new PeriodBegan(100 * SECOND));
    CouponLedger late = books(new PeriodBegan(1_000 * SECOND));
    assertThat(events(LedgerEvent.class, decide(SHORT, late, 1_050, NOBODY))).isEmpty();
  }

  /** What all processes of a job lose together: two of them a tenth of a quarter of a target. */
  @Test
  void aCouponIsForAllProcesses() {
    Step<GiftState> step = decideAt(Map.of(), CouponLedger.EMPTY, 10 * SECOND, A_IS_IN_THE_WAY, 2);
    assertThat(events(Issued.class, step)).hasSize(1);
    Coupon coupon = events(Issued.class, step).getFirst().coupon();
    assertThat(coupon.application()).isEqualTo(A);
    assertThat(coupon.worthTokens()).isEqualTo(50);
    assertThat(coupon.fairTokensPerSecond()).isEqualTo(50, within(1e-9));
    assertThat(step.next().decisions()).isEqualTo(1);

    CouponLedger books = books(new PeriodBegan(0), issued(1, A, 1, 1_000));
    assertThat(events(Redeemed.class, decideAt(Map.of(), books, 10 * SECOND, A_TWELFTH_IS_LEFT, 2)))
        .as("a twelfth of the target, whoever uses it")
        .containsExactly(new Redeemed(A, 1, 83));
  }

  @Test
  void whatWasPaidForIsForgottenAfterTheMemory() {
    CouponLedger books = books(new PeriodBegan(0), issued(1, A, 1, 100), new Awarded(A, 1, 10));
    assertThat(events(Forgotten.class, decideAt(SHORT, books, 1_000 * SECOND - 1, NOBODY)))
        .isEmpty();
    assertThat(events(Forgotten.class, decideAt(SHORT, books, 1_000 * SECOND, NOBODY)))
        .containsExactly(new Forgotten(A, 1));
  }

  @Test
  void whatWasPaidForIsForgottenWhenTheWindowHasPassedIt() {
    CouponLedger books =
        books(
            new PeriodBegan(0),
            issued(1, A, 1, 100),
            issued(2, A, 2, 100),
            new Awarded(A, 1, 10),
            new Awarded(A, 2, 10));
    assertThat(events(Forgotten.class, decide(SHORT, books, 200, NOBODY)))
        .as("both are among the last two")
        .isEmpty();
    CouponLedger more = books.with(List.of(issued(3, A, 3, 100)));
    assertThat(events(Forgotten.class, decide(SHORT, more, 200, NOBODY)))
        .containsExactly(new Forgotten(A, 1));
  }

  @Test
  void whatIsOwedIsNeverForgotten() {
    CouponLedger books =
        books(
            new PeriodBegan(0),
            issued(1, A, 1, 20_000),
            issued(2, A, 2, 20_000),
            issued(3, A, 3, 20_000));
    assertThat(events(LedgerEvent.class, decide(SHORT, books, 5_000, NOBODY)))
        .as("each would cost 2,000 × 4 node-seconds, which is more than an hour")
        .containsExactly(new PeriodBegan(5_000 * SECOND));
  }

  @Test
  void whatIsOldEnoughIsPaidForAsFarAsTheBudgetGoes() {
    CouponLedger aged =
        books(
            new PeriodBegan(0),
            new Issued(coupon(1, A, 1, 70 * SECOND, 100)),
            new Issued(coupon(2, A, 2, 70 * SECOND + 1, 100)));
    assertThat(events(Awarded.class, decide(SHORT, aged, 100, NOBODY)))
        .containsExactly(new Awarded(A, 1, 40));
    assertThat(decide(SHORT, aged, 100, NOBODY).explanation().amounts())
        .containsEntry(GiftFigures.AWARDED_NODE_SECONDS, 40L);

    CouponLedger much = books(new PeriodBegan(0), issued(1, Z, 1, 9_000), issued(2, A, 1, 10));
    assertThat(events(Awarded.class, decide(SHORT, much, 100, NOBODY)))
        .as("900 × 4 node-seconds are all of the budget")
        .containsExactly(new Awarded(Z, 1, 3_600));

    CouponLedger other = books(new PeriodBegan(0), issued(1, A, 1, 9_000), issued(2, Z, 1, 10));
    assertThat(events(Awarded.class, decide(SHORT, other, 100, NOBODY)))
        .as("the oldest, whoever it is")
        .containsExactly(new Awarded(A, 1, 3_600));

    CouponLedger tooMuch = books(new PeriodBegan(0), issued(1, Z, 1, 9_001), issued(2, A, 1, 10));
    assertThat(events(Awarded.class, decide(SHORT, tooMuch, 100, NOBODY)))
        .as("what the budget does not cover stays owed, and the next is looked at")
        .containsExactly(new Awarded(A, 2, 4));

    CouponLedger paidBefore =
        books(
            new PeriodBegan(0),
            issued(1, Z, 1, 10),
            new Awarded(Z, 1, 3_597),
            issued(2, A, 1, 10),
            issued(3, A, 2, 7));
    assertThat(events(Awarded.class, decide(SHORT, paidBefore, 100, NOBODY)))
        .as("3 of 3,600 node-seconds are left of the period")
        .containsExactly(new Awarded(A, 3, 3));
  }

  /** Of coupons before this period only the application's own rate speaks. */
  @Test
  void whoRedeemedExactlyTauMayBeThrottled() {
    Map<String, String> half = Map.of("tau", "0.5", "window", "4");
    CouponLedger two = books(issued(1, A, 1, 100), issued(2, A, 2, 100), new PeriodBegan(0));
    assertThat(rateOfA(decide(half, two, 10, A_IS_IN_THE_WAY))).isEqualTo(45, within(1e-6));
    CouponLedger three =
        books(issued(1, A, 1, 100), issued(2, A, 2, 100), issued(3, A, 3, 100), new PeriodBegan(0));
    assertThat(rateOfA(decide(half, three, 10, A_IS_IN_THE_WAY))).isEqualTo(50, within(1e-6));
  }

  @Test
  void nobodyIsThrottledWhileAllTogetherRedeemedLessThanTau() {
    Map<String, String> half = Map.of("tau", "0.5", "window", "4");
    CouponLedger two = books(new PeriodBegan(0), issued(1, X, 1, 100), issued(2, X, 2, 100));
    Step<GiftState> allowed = decide(half, two, 10, A_IS_IN_THE_WAY);
    assertThat(rateOfA(allowed)).isEqualTo(45, within(1e-6));
    assertThat(allowed.explanation().summary()).doesNotContain("nobody is throttled");

    CouponLedger three = two.with(List.of(issued(3, Z, 1, 100)));
    Step<GiftState> refused = decide(half, three, 10, A_IS_IN_THE_WAY);
    assertThat(rateOfA(refused)).isEqualTo(50, within(1e-6));
    assertThat(refused.explanation().summary())
        .endsWith(
            "nobody is throttled, because too few coupons were redeemed in this regret period");
  }

  @Test
  void nobodyIsThrottledOnceWhatIsOwedHasUsedUpTheBudget() {
    Map<String, String> hour = Map.of("regret-budget", "1");
    CouponLedger below = books(new PeriodBegan(0), issued(1, X, 1, 8_997));
    assertThat(rateOfA(decide(hour, below, 10, A_IS_IN_THE_WAY))).isEqualTo(45, within(1e-6));
    CouponLedger all = books(new PeriodBegan(0), issued(1, X, 1, 9_000));
    Step<GiftState> refused = decide(hour, all, 10, A_IS_IN_THE_WAY);
    assertThat(rateOfA(refused)).isEqualTo(50, within(1e-6));
    assertThat(refused.explanation().summary())
        .endsWith("nobody is throttled, because what is owed has used up the regret budget");
  }

  private static CouponLedger books(LedgerEvent... events) {
    return CouponLedger.EMPTY.with(Arrays.asList(events));
  }

  private static Issued issued(long number, JobId application, long ordinal, long worth) {
    return new Issued(coupon(number, application, ordinal, 0, worth));
  }

  /** Of a job of 4 nodes that could have moved 10 tokens a second. */
  private static Coupon coupon(
      long number, JobId application, long ordinal, long issuedAtNanos, long worth) {
    return new Coupon(number, application, ordinal, issuedAtNanos, worth, 0, 0, 10, 4);
  }

  private static <E extends LedgerEvent> List<E> events(Class<E> kind, Step<GiftState> step) {
    return step.next().events().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static double rateOfA(Step<GiftState> step) {
    return step.explanation().reasons().getFirst().figure("allocated").doubleValue();
  }

  private static Step<GiftState> decide(
      Map<String, String> settings,
      CouponLedger books,
      long atSecond,
      Map<String, List<String>> jobs) {
    return decideAt(settings, books, atSecond * SECOND, jobs);
  }

  private static Step<GiftState> decideAt(
      Map<String, String> settings,
      CouponLedger books,
      long nowNanos,
      Map<String, List<String>> jobs) {
    return decideAt(settings, books, nowNanos, jobs, 1);
  }

  private static Step<GiftState> decideAt(
      Map<String, String> settings,
      CouponLedger books,
      long nowNanos,
      Map<String, List<String>> jobs,
      long processesOnEachTarget) {
    GiftFactory factory = new GiftFactory(PackingSolvers.BUILT_IN);
    Gift gift = (Gift) factory.create(new Settings(factory.info(), settings));
    Cluster cluster =
        new Cluster(
            jobs.keySet().stream()
                .sorted()
                .map(name -> new Target(name, 100, TokenUnit.BYTES))
                .toList());
    Map<String, List<JobDemand>> seen = new TreeMap<>();
    jobs.forEach((target, names) ->
        seen.put(
            target,
            names.stream()
                .map(name -> JobDemand.of(name, 1, 1).withProcesses(processesOnEachTarget))
                .toList()));
    return gift.decide(
        GiftState.restored(books),
        new Observation(nowNanos, 10 * SECOND, cluster, seen, List.of()));
  }
}
