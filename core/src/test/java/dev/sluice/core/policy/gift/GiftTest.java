package dev.sluice.core.policy.gift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.linear.BoundedSimplex;
import dev.sluice.core.linear.PackingAnswer;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.model.JobId;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.policy.progress.Decisions;
import dev.sluice.core.policy.progress.FairShares;
import dev.sluice.core.policy.progress.JobsOnTargets;
import dev.sluice.core.policy.progress.ProgressPolicyContract;
import dev.sluice.core.policy.progress.RandomJobs;
import dev.sluice.core.policy.progress.ShareBasis;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GiftTest extends ProgressPolicyContract {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final long PERIOD_NANOS = 10 * SECOND_NANOS;

  @Override
  protected PolicyFactory factory() {
    return new GiftFactory(PackingSolvers.BUILT_IN);
  }

  private static Gift gift(PackingSolver solver, Map<String, String> settings) {
    GiftFactory factory = new GiftFactory(new PackingSolvers(List.of(solver)));
    return (Gift) factory.create(new Settings(factory.info(), settings));
  }

  /** The paper's figure 6, in exact numbers. */
  @Test
  void figure6() {
    Map<String, List<String>> later =
        Map.of("t1", List.of("A", "B", "C"), "t2", List.of("B", "D", "E", "F"));
    List<Decisions> decided =
        Decisions.sequence(
            factory(),
            Map.of("threshold", "0.3"),
            List.of(Map.of("t1", List.of("A", "B"), "t2", List.of("B")), later, later));

    Decisions first = decided.get(0);
    has(first.rates(), Map.of("A", 0.35, "B", 0.65));
    has(first.figures("coupon"), Map.of("A", 0.15, "B", 0.0));
    has(first.figures("owed"), Map.of("A", 0.15, "B", 0.0));

    Decisions second = decided.get(1);
    has(second.figures("bsip"), Map.of("A", 1 / 3.0, "B", 0.25, "C", 1 / 3.0));
    has(second.rates(), Map.of("A", 5 / 12.0, "B", 0.25, "C", 1 / 3.0, "D", 0.25));
    has(second.figures("redeemed"), Map.of("A", 1 / 12.0, "C", 0.0));
    has(second.figures("owed"), Map.of("A", 1 / 15.0));

    Decisions third = decided.get(2);
    has(third.rates(), Map.of("A", 0.4, "B", 0.25, "C", 0.35));
    has(third.figures("redeemed"), Map.of("A", 1 / 15.0));
    has(third.figures("owed"), Map.of("A", 0.0));
    has(third.figures("coupon"), Map.of("A", 0.0, "B", 0.0, "C", 0.0));
  }

  @Test
  void theWordsTellWhoIsSlowerAndWhoIsOwed() {
    Map<String, List<String>> later =
        Map.of("t1", List.of("A", "B", "C"), "t2", List.of("B", "D", "E", "F"));
    List<Decisions> decided =
        Decisions.sequence(
            factory(),
            Map.of("threshold", "0.3"),
            List.of(Map.of("t1", List.of("A", "B"), "t2", List.of("B")), later, later));
    Decisions first = decided.getFirst();
    assertThat(first.summary())
        .isEqualTo(
            "2 jobs do I/O on 2 targets, 82.50 % of which they use to make progress; fair shares"
                + " alone would use 75.00 %; optimum of the linear program by built-in");
    assertThat(first.words())
        .containsExactly(
            "its process on 1 target may move at 70.00 % of the fair rate, with a coupon for the"
                + " rest; owed 0.1500 of a target for one period",
            "its 2 processes on 2 targets may move at 130.00 % of the fair rate");
    assertThat(decided.get(1).words().getFirst())
        .startsWith("its process on 1 target may move at 124.90 % of the fair rate, redeeming what")
        .contains("redeeming what it is owed; owed 0.06700 of a target");
    assertThat(decided.get(2).words().get(1))
        .isEqualTo("its 2 processes on 2 targets may move at the fair rate");
    assertThat(first.totals())
        .containsEntry("usable", 2_000.0)
        .containsEntry("fair", 1_500.0)
        .containsEntry("coupons-issued", 1L)
        .containsEntry("owed-node-seconds", 3L)
        .containsEntry("awarded-node-seconds", 0L);
    assertThat(first.totals().getOrDefault("used", 0).doubleValue()).isEqualTo(1_650, within(1e-6));

    Decisions alone =
        Decisions.of(factory(), Map.of(), Map.of("t1", List.of("A"), "t2", List.of()));
    assertThat(alone.summary())
        .startsWith("1 job does I/O on 1 targets, 100.00 % of which")
        .endsWith("filling what was left fills every target");
    assertThat(Decisions.of(factory(), Map.of(), Map.of("t1", List.of())).summary())
        .isEqualTo("nobody does I/O: nobody is limited");
  }

  /** To within the two tokens of 1,000 in a period that rounding can make. */
  private static void has(Map<String, Double> figures, Map<String, Double> expected) {
    expected.forEach((job, figure) ->
        assertThat(figures.getOrDefault(job, Double.NaN)).as(job).isEqualTo(figure, within(0.002)));
  }

  /**
   * Histories with few coupons in the window, short regret periods and a small budget, so that
   * every limit is met.
   */
  @Test
  void whatAlwaysHolds() {
    Set<String> met = new HashSet<>();
    SeededCases.forAll(
        600,
        random -> {
          double threshold = random.nextInt(1, 6) / 10.0;
          double tau = random.nextInt(1, 10) / 10.0;
          long window = random.nextLong(1, 8);
          long budget = random.nextLong(0, 40);
          Gift gift =
              gift(
                  new BoundedSimplex(),
                  Map.of(
                      "threshold",
                      Double.toString(threshold),
                      "tau",
                      Double.toString(tau),
                      "window",
                      Long.toString(window),
                      "objective",
                      random.nextBoolean() ? "gain" : "net",
                      "regret-period",
                      "100 s",
                      "coupon-age",
                      "30 s",
                      "memory",
                      "1000 s",
                      "regret-budget",
                      Double.toString(budget / 3600.0)));
          Cluster cluster = RandomJobs.cluster(random, 8);
          GiftState state = gift.initialState(cluster);
          for (int step = 1; step <= 60; step++) {
            Observation seen = RandomJobs.observation(random, cluster, 14, step * PERIOD_NANOS);
            Step<GiftState> next = gift.decide(state, seen);
            JobsOnTargets on = new JobsOnTargets(seen, ShareBasis.GIVEN);
            checkRates(
                on, throttleFriendly(on, state, next, tau, window, budget, met), next, threshold);
            checkLedger(state, next, budget, met);
            checkDebt(next.next(), tau, window);
            state = next.next();
          }
        });
    assertThat(met)
        .contains("Issued", "Redeemed", "Awarded", "Forgotten", "PeriodBegan")
        .contains("too few redeemed by all", "budget used up", "too few redeemed by one")
        .contains("redeems now", "friendly");
  }

  /**
   * Who may be throttled, worked out anew from the books as they were after redemption and before
   * any coupon was issued.
   */
  private static boolean[] throttleFriendly(
      JobsOnTargets on,
      GiftState before,
      Step<GiftState> step,
      double tau,
      long window,
      long budget,
      Set<String> met) {
    List<LedgerEvent> events =
        step.next().events().stream()
            .takeWhile(event -> !(event instanceof LedgerEvent.Issued))
            .toList();
    Set<JobId> redeems = new HashSet<>();
    for (LedgerEvent event : events) {
      if (event instanceof LedgerEvent.Redeemed redeemed) {
        redeems.add(redeemed.application());
      }
    }
    CouponLedger ledger = before.ledger().with(events);
    boolean[] friendly = new boolean[on.jobs()];
    for (int i = 0; i < friendly.length; i++) {
      JobId application = on.application(i);
      boolean redeemsNow =
          redeems.contains(application)
              && step.explanation().reasons().get(i).figure("redeemed").doubleValue() > 0;
      String why =
          ledger.redemptionRate(window) < tau
              ? "too few redeemed by all"
              : ledger.regretNodeSeconds() >= budget
                  ? "budget used up"
                  : ledger.account(application).redemptionRate(window) < tau
                      ? "too few redeemed by one"
                      : redeemsNow ? "redeems now" : "friendly";
      met.add(why);
      friendly[i] = why.equals("friendly");
    }
    return friendly;
  }

  private static void checkRates(
      JobsOnTargets on, boolean[] friendly, Step<GiftState> step, double threshold) {
    double[] fair = FairShares.synchronous(on);
    double[] rates = new double[on.jobs()];
    double[] redeemed = new double[on.jobs()];
    double coupons = 0;
    List<Explanation.Reason> reasons = step.explanation().reasons();
    // Tokens are whole: a part of one may be missing for each process.
    double token = 1 / on.tokensPerPeriod();
    for (int i = 0; i < rates.length; i++) {
      rates[i] = reasons.get(i).figure("allocated").doubleValue() / on.tokensPerSecond();
      redeemed[i] = reasons.get(i).figure("redeemed").doubleValue() / on.tokensPerSecond();
      coupons += reasons.get(i).figure("coupon").doubleValue() / on.tokensPerSecond();
      double floor = friendly[i] ? (1 - threshold) * fair[i] : fair[i];
      assertThat(rates[i]).isGreaterThanOrEqualTo(floor * (1 - 1e-12));
      assertThat(rates[i])
          .isGreaterThanOrEqualTo(
              redeemed[i] > 0 ? fair[i] + redeemed[i] / on.processes(i) - token : 0);
    }
    for (double gap : on.gaps(rates)) {
      assertThat(gap).isGreaterThanOrEqualTo(-1e-12);
    }
    assertThat(on.effective(rates) - on.effective(fair))
        .isGreaterThanOrEqualTo(coupons - (1e-9 + rates.length * token));
  }

  /** The books follow from their events, contradict nothing, and pay no more than the budget. */
  private static void checkLedger(
      GiftState before, Step<GiftState> step, long budget, Set<String> met) {
    GiftState after = step.next();
    after.ledger().checkInvariants();
    assertThat(before.ledger().with(after.events())).isEqualTo(after.ledger());
    long awarded = 0;
    for (LedgerEvent event : after.events()) {
      met.add(event.getClass().getSimpleName());
      awarded += event instanceof LedgerEvent.Awarded award ? award.nodeSeconds() : 0;
    }
    assertThat(awarded).isLessThanOrEqualTo(budget);
    assertThat(after.ledger().period().awardedNodeSeconds()).isLessThanOrEqualTo(budget);
  }

  /** At most (1 − τ)·N coupons and those of one further decision, of at most five jobs. */
  private static void checkDebt(GiftState state, double tau, long window) {
    for (Account account : state.ledger().accounts().values()) {
      double unredeemed = 0;
      for (Coupon coupon : account.coupons()) {
        unredeemed += (double) coupon.owedTokens() / coupon.worthTokens();
      }
      assertThat(unredeemed).isLessThanOrEqualTo((1 - tau) * window + 5 + 1e-6);
    }
  }

  @Test
  void theBooksCanBeRestoredFromAllTheirEvents() {
    SeededCases.forAll(
        200,
        random -> {
          Gift gift =
              gift(new BoundedSimplex(), Map.of("regret-period", "100 s", "coupon-age", "1 s"));
          Cluster cluster = RandomJobs.cluster(random, 6);
          GiftState state = gift.initialState(cluster);
          List<LedgerEvent> events = new ArrayList<>();
          for (int step = 1; step <= 40; step++) {
            Observation seen = RandomJobs.observation(random, cluster, 12, step * PERIOD_NANOS);
            state = gift.decide(state, seen).next();
            events.addAll(state.events());
          }
          CouponLedger restored = CouponLedger.EMPTY.with(events);
          assertThat(restored).isEqualTo(state.ledger());

          Observation seen = RandomJobs.observation(random, cluster, 12, 500 * SECOND_NANOS);
          assertThat(gift.decide(GiftState.restored(restored), seen).next().events())
              .isEqualTo(gift.decide(state, seen).next().events());
        });
  }

  @Test
  void whatIsSetCanBeAskedFor() {
    Gift gift = gift(new BoundedSimplex(), Map.of("window", "7", "regret-budget", "0.5"));
    assertThat(gift.settings().window()).isEqualTo(7);
    assertThat(gift.settings().regretBudgetNodeSeconds()).isEqualTo(1_800);
  }

  @Test
  void nobodyIsThrottledWithoutNeed() {
    Decisions decided =
        Decisions.of(
            factory(), Map.of(), Map.of("t1", List.of("A", "B"), "t2", List.of("A", "B", "C")));
    has(decided.rates(), Map.of("A", 1 / 3.0, "B", 1 / 3.0, "C", 1 / 3.0));
    has(decided.figures("coupon"), Map.of("A", 0.0, "B", 0.0, "C", 0.0));
  }

  @Test
  void netThrottlesOnlyWhereItPaysForItself() {
    Map<String, List<String>> evenTrade = Map.of("t1", List.of("A", "B"), "t2", List.of("B"));
    Map<String, List<String>> goodTrade =
        Map.of("t1", List.of("A", "B"), "t2", List.of("B"), "t3", List.of("B"));
    Map<String, String> net = Map.of("objective", "net");
    has(Decisions.of(factory(), net, evenTrade).rates(), Map.of("A", 0.5, "B", 0.5));
    has(Decisions.of(factory(), net, goodTrade).rates(), Map.of("A", 0.45, "B", 0.55));
  }

  @Test
  void withoutASolverWhatIsLeftIsFilledAndSaid() {
    PackingSolver absent =
        new PackingSolver() {
          @Override
          public String name() {
            return "glop";
          }

          @Override
          public PackingAnswer solve(PackingProgram program, long limitNanos) {
            assertThat(limitNanos).isEqualTo(SECOND_NANOS);
            return new PackingAnswer.Failed("its library is not here");
          }
        };
    Decisions decided =
        Decisions.of(
            new GiftFactory(new PackingSolvers(List.of(absent))),
            Map.of(),
            Map.of("t1", List.of("A", "B"), "t2", List.of("B"), "t3", List.of("C")));
    has(decided.rates(), Map.of("A", 0.5, "B", 0.5, "C", 1.0));
    assertThat(decided.summary())
        .contains(
            "max-min fill, because glop did not solve the linear program (its library is not"
                + " here); the optimum is at most 20.0 % higher");
  }

  @Test
  void aSolverThatLiesIsFoundOut() {
    PackingSolver liar =
        new PackingSolver() {
          @Override
          public String name() {
            return "liar";
          }

          @Override
          public PackingAnswer solve(PackingProgram program, long limitNanos) {
            double[] values = new double[program.columns()];
            Arrays.fill(values, 0.9);
            return new PackingAnswer.Optimal(values);
          }
        };
    Decisions decided =
        Decisions.of(
            new GiftFactory(new PackingSolvers(List.of(liar))),
            Map.of(),
            Map.of("t1", List.of("A", "B"), "t2", List.of("B")));
    has(decided.rates(), Map.of("A", 0.5, "B", 0.5));
    assertThat(decided.summary()).contains("its answer is not allowed: row");
  }
}
