package dev.sluice.core.policy.sdqpro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.AllTargetsPolicyContract;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.StateText;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.mlwdf.MlwdfScheduler;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SdqProTest extends AllTargetsPolicyContract {
  private static final long SECOND = 1_000_000_000L;

  @Override
  protected PolicyFactory factory() {
    return new SdqProFactory();
  }

  /** Figure 3: 300 desired on three servers, 150, 90 and 60 required: 250 without borrowing. */
  @Test
  void theExampleOfThePaper() {
    long[][] required = {{150, 90, 60}};
    assertThat(useful(required, 500, "<app0, rate=300>; <*, borrow=FALSE>")).isEqualTo(250);
    assertThat(useful(required, 500, "<app0, rate=300>")).isEqualTo(300);
    assertThat(useful(required, 500, "<app0, rate=300>; <app0, thres=0.9>")).isEqualTo(270);
    assertThat(useful(required, 500, "<app0, rate=300>; <app0, thres=0.8>")).isEqualTo(250);
  }

  /** Figure 1: servers of 120 cannot serve 150, whatever is borrowed. */
  @Test
  void noServerGrantsMoreThanItHas() {
    long[][] required = {{150, 90, 60}};
    assertThat(useful(required, 120, "<app0, rate=300>")).isEqualTo(270);
  }

  @Test
  void whoWantsLittleBesideManyIsNotForgotten() {
    Step<SdqProState> step = decide(new long[][] {{1_000_000}, {1}, {900_000}}, 100, "");
    Shares shares = step.allocation().on("s0");
    assertThat(shares.tokens(1)).isEqualTo(1);
    assertThat(shares.tokens(0) + shares.tokens(2)).isCloseTo(99, within(1e-6));
  }

  /** A gateway that kept silent could have others' jobs take each other's part by that. */
  @Test
  void serversThatKeepSilentMakeNoDifference() {
    SeededCases.forAll(
        2_000,
        random -> {
          long[][] required = new long[1 + random.nextInt(4)][1 + random.nextInt(4)];
          for (long[] each : required) {
            Arrays.setAll(each, _ -> random.nextInt(3) == 0 ? 0 : random.nextLong(2_000));
          }
          Map<String, String> lines = Map.of("lines", "<app0, rate=500>; <app1, rate=2000>");
          int silent = 1 + random.nextInt(3);
          assertThat(rows(decide(required, 1_000, lines, SECOND, silent), required[0].length))
              .isEqualTo(rows(decide(required, 1_000, lines, SECOND), required[0].length));
        });
  }

  @Test
  void aRateIsGivenWhateverIsAskedFor() {
    long[][] required = {{500, 500, 500}};
    assertThat(useful(required, 1_000, "<app0, rate=300>")).isEqualTo(300);
  }

  @Test
  void withoutARateWhatIsAskedForIsDesiredAndWhatIsLeftIsThere() {
    long[][] required = {{500, 0, 20}};
    assertThat(useful(required, 1_000, "")).isEqualTo(520);
    Step<SdqProState> alone = decide(required, 1_000, "<*, borrow=FALSE>");
    assertThat(alone.explanation().reasons().getFirst().figure("desired")).isEqualTo(520.0);
    assertThat(alone.allocation().on("s0").tokens(0)).isEqualTo(1_000);
    assertThat(alone.allocation().on("s1").size()).isZero();
  }

  @Test
  void aRateIsNotExceededWhereMuchIsLeft() {
    Step<SdqProState> step = decide(new long[][] {{500}, {20}}, 1_000, "<app0, rate=300>");
    assertThat(step.allocation().on("s0").tokens(0)).isEqualTo(300);
    assertThat(step.allocation().on("s0").tokens(1)).isEqualTo(700);
  }

  /**
   * On s0 app0 requires 100 and has 50 of its even tokens, app1 requires and has 50, of the 150
   * there are.
   */
  @Test
  void whatIsLeftGoesFirstToThoseWhoseTokensDoNotCoverWhatTheyRequire() {
    Shares shares =
        decide(new long[][] {{100, 0}, {50, 50}}, 150, "<*, borrow=FALSE>").allocation().on("s0");
    assertThat(shares.tokens(0)).isCloseTo(100, within(1e-6));
    assertThat(shares.tokens(1)).isCloseTo(50, within(1e-6));
  }

  @Test
  void aFirstRequestIsNotHeldBack() {
    Step<SdqProState> step = decide(new long[][] {{500, 0}}, 1_000, "");
    assertThat(step.allocation().on("s0").size()).isEqualTo(1);
    assertThat(step.allocation().on("s1").size()).isZero();
    Step<SdqProState> given = decide(new long[][] {{500, 0}}, 1_000, "<app0, rate=600>");
    assertThat(given.allocation().on("s1").size()).isEqualTo(1);
  }

  @Test
  void aRateInAnotherUnitThanTheServersIsRefused() {
    assertThatThrownBy(() -> decide(new long[][] {{5}}, 10, "<app0, rate=5 MB/s>"))
        .hasMessageContaining("the rate of app0 counts bytes and target s0 operations");
  }

  /** Never above desired, never above a limit, equal seeds give equal results; borrowing ends. */
  @Test
  void whatMustHoldOnAnyDemand() {
    SeededCases.forAll(500, SdqProTest::checkRandomly);
  }

  private static void checkRandomly(RandomGenerator random) {
    int servers = random.nextInt(1, 12);
    int applications = random.nextInt(1, 12);
    long limit = random.nextLong(1, 2_000);
    long[][] required = new long[applications][servers];
    Map<String, Long> rates = new HashMap<>();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < applications; i++) {
      for (int s = 0; s < servers; s++) {
        required[i][s] = random.nextBoolean() ? random.nextLong(0, 500) : 0;
      }
      if (random.nextBoolean()) {
        rates.put("app" + i, random.nextLong(0, 3_000));
        lines.append("<app" + i + ", rate=" + rates.get("app" + i) + ">");
      }
      if (random.nextInt(3) == 0) {
        lines.append("<app" + i + ", thres=" + random.nextInt(11) / 10.0 + ">");
      }
    }
    Step<SdqProState> step = decide(required, limit, lines.toString());
    Step<SdqProState> again = decide(required, limit, lines.toString());
    Step<SdqProState> none = decide(required, limit, lines + "<*, borrow=FALSE>" + noBorrow(rates));
    assertThat(rows(again, servers)).isEqualTo(rows(step, servers));
    assertThat(again.next()).isEqualTo(step.next());
    Map<String, Double> sums = new HashMap<>();
    for (int s = 0; s < servers; s++) {
      Shares shares = step.allocation().on("s" + s);
      double sum = 0;
      for (int i = 0; i < shares.size(); i++) {
        sum += shares.tokens(i);
        sums.merge(shares.job(i).toString(), shares.tokens(i), Double::sum);
      }
      assertThat(sum).as("granted by s%s", s).isLessThanOrEqualTo(limit + 1e-6);
    }
    for (int i = 0; i < applications; i++) {
      String job = "app" + i;
      double mayHave = rates.containsKey(job) ? rates.get(job) : (double) limit * servers;
      assertThat(sums.getOrDefault(job, 0.0)).as(job).isLessThanOrEqualTo(mayHave + 1e-6);
    }
    for (Explanation.Reason reason : step.explanation().reasons()) {
      assertThat(reason.figure("usable").longValue())
          .isLessThanOrEqualTo(reason.figure("allocated").longValue());
      assertThat(reason.words()).isNotBlank();
    }
    assertThat(totalUseful(step)).isGreaterThanOrEqualTo(totalUseful(none));
    assertThat(step.explanation().summary()).isNotBlank();
  }

  private static String noBorrow(Map<String, Long> rates) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      String rate = rates.containsKey("app" + i) ? ", rate=" + rates.get("app" + i) : "";
      lines.append("<app" + i + ", borrow=FALSE" + rate + ">");
    }
    return lines.toString();
  }

  /** Where capacity is no matter, borrowing meets all that is required and desired. */
  @Test
  void borrowingMeetsWhatIsRequiredWhereTheServersCan() {
    SeededCases.forAll(
        500,
        random -> {
          int servers = random.nextInt(1, 12);
          long[][] required = new long[1][servers];
          long asked = 0;
          for (int s = 0; s < servers; s++) {
            required[0][s] = random.nextLong(0, 500);
            asked += required[0][s];
          }
          long rate = random.nextLong(0, 8_000);
          assertThat(useful(required, 1_000_000, "<app0, rate=" + rate + ">"))
              .isEqualTo((double) Math.min(rate, asked));
        });
  }

  @Test
  void otherSeedsChooseOtherLenders() {
    long[][] required = {{400, 10, 20, 30, 40, 50, 60, 70}};
    List<List<String>> seen = new ArrayList<>();
    for (int seed = 1; seed <= 5; seed++) {
      Step<SdqProState> step =
          decide(required, 10_000, Map.of("lines", "<app0, rate=1000>", "seed", "" + seed));
      seen.add(rows(step, 8));
    }
    assertThat(seen.stream().distinct().count()).isGreaterThan(1);
  }

  /** With two lenders there is no choice: both are looked at, whatever the seed. */
  @Test
  void ofTwoLendersTheOneWithMoreToSpareLends() {
    for (int seed = 1; seed <= 40; seed++) {
      Step<SdqProState> step = lending(new long[] {150, 90, 10}, 300, seed);
      assertThat(tokens(step, 3)).as("seed %d", seed).containsExactly(150.0, 100.0, 50.0);
    }
  }

  /**
   * Of three lenders with 10, 30 and 60 to spare two are looked at: the last is one of them twice
   * in three times and then lends, and the first never does.
   */
  @Test
  void ofThreeLendersTwoAreLookedAt() {
    int[] lent = new int[4];
    int seeds = 300;
    for (int seed = 1; seed <= seeds; seed++) {
      List<Double> tokens = tokens(lending(new long[] {110, 90, 70, 40}, 400, seed), 4);
      assertThat(tokens.getFirst()).isEqualTo(110);
      for (int s = 1; s < lent.length; s++) {
        lent[s] += tokens.get(s) < 100 ? 1 : 0;
      }
    }
    assertThat(lent[1]).isZero();
    assertThat(lent[2]).isBetween(seeds / 5, seeds / 2);
    assertThat(lent[3]).isEqualTo(seeds - lent[2]);
  }

  private static Step<SdqProState> lending(long[] required, long rate, int seed) {
    return decide(
        new long[][] {required},
        10_000,
        Map.of("lines", "<app0, rate=" + rate + ">", "seed", Integer.toString(seed)));
  }

  private static List<Double> tokens(Step<?> step, int servers) {
    List<Double> tokens = new ArrayList<>();
    for (int s = 0; s < servers; s++) {
      tokens.add(step.allocation().on("s" + s).tokens(0));
    }
    return tokens;
  }

  /** γ = −log(violation) / (delay · rate), of which M-LWDF multiplies the queue's length with. */
  @Test
  void urgencyIsByRateDelayAndViolation() {
    double gamma = -Math.log(0.01) / 100;
    assertThat(gammas(SECOND, Map.of("lines", "<app0, rate=100>; <app1, rate=300>")))
        .containsExactly(new double[] {gamma, gamma / 3}, within(1e-9));
    assertThat(gammas(SECOND, Map.of("lines", "<app0, rate=100>", "delay", "2 s")))
        .as("who has no rate has what it asks for")
        .containsExactly(new double[] {gamma / 2, gamma / 2 / 4}, within(1e-9));
    assertThat(gammas(SECOND / 10, Map.of("lines", "<*, rate=100>", "violation", "0.0001")))
        .as("slots do not matter where a rate is given")
        .containsExactly(new double[] {gamma * 2, gamma * 2}, within(1e-9));
    assertThat(gammas(SECOND / 10, Map.of()))
        .containsExactly(new double[] {gamma / 10, gamma / 40}, within(1e-9));
  }

  /** Of two applications that ask a server for 100 and 400 tokens in a slot. */
  private static double[] gammas(long slotNanos, Map<String, String> settings) {
    Shares shares =
        decide(new long[][] {{100}, {400}}, 10_000, settings, slotNanos).allocation().on("s0");
    return new double[] {
      shares.weight(0) / MlwdfScheduler.GAMMA_ONE, shares.weight(1) / MlwdfScheduler.GAMMA_ONE
    };
  }

  @Test
  void twoChoicesAreEvenlySpread() {
    SplitMix random = new SplitMix(42);
    int[] counts = new int[7];
    for (int i = 0; i < 70_000; i++) {
      counts[random.below(7)]++;
    }
    for (int count : counts) {
      assertThat(count).isBetween(9_500, 10_500);
    }
  }

  /** Everybody gets the same part of what it requires, to the token or two that rounding makes. */
  @Test
  void whereMoreIsRequiredThanThereIsAllGetTheSamePart() {
    Shares shares = decide(new long[][] {{300}, {600}, {100}}, 100, "").allocation().on("s0");
    assertThat(shares.tokens(0)).isBetween(29.0, 31.0);
    assertThat(shares.tokens(1)).isBetween(58.0, 61.0);
    assertThat(shares.tokens(2)).isBetween(9.0, 12.0);
    assertThat(shares.tokens(0) + shares.tokens(1) + shares.tokens(2)).isEqualTo(100, within(1e-6));
    Shares one = decide(new long[][] {{300}, {600}, {100}}, 3, "").allocation().on("s0");
    assertThat(List.of(one.tokens(0), one.tokens(1), one.tokens(2)))
        .as("a token for each")
        .containsExactly(1.0, 1.0, 1.0);
    Shares all = decide(new long[][] {{30}, {60}, {10}}, 100, "").allocation().on("s0");
    assertThat(List.of(all.tokens(0), all.tokens(1), all.tokens(2)))
        .as("exactly what there is")
        .containsExactly(30.0, 60.0, 10.0);
  }

  @Test
  void whoAsksForNothingIsLeftOutUnlessALineSpeaksOfIt() {
    assertThat(decide(new long[][] {{5}, {0}}, 10, "").explanation().reasons()).hasSize(1);
    Step<SdqProState> given = decide(new long[][] {{5}, {0}}, 10, "<app1, rate=0>");
    assertThat(given.explanation().reasons()).hasSize(2);
    assertThat(given.allocation().on("s0").tokens(1)).isZero();
  }

  @Test
  void theSchedulerIsToldWhatIsBorrowed() {
    Step<SdqProState> step = decide(new long[][] {{150, 90, 60}}, 500, "<app0, rate=300>");
    assertThat(step.allocation().on("s0").borrowed(0)).isEqualTo(50);
    assertThat(step.allocation().on("s1").borrowed(0)).isZero();
  }

  /** So that the next slot does not throw the same dice again. */
  @Test
  void whatIsRememberedMovesOnWhereDiceWereThrown() {
    Step<SdqProState> none = decide(new long[][] {{10, 10, 10}}, 500, Map.of("seed", "7"));
    assertThat(none.next().random()).isEqualTo(7);
    Step<SdqProState> borrowed = lending(new long[] {150, 90, 10}, 300, 7);
    assertThat(borrowed.next().random()).isNotIn(7L, 0L);
  }

  @Test
  void aRestartThrowsNoDiceAgain() {
    SdqPro policy = new SdqPro(PolicyLines.parse("<app0, rate=300>"), 0.01, 1, 7);
    Cluster cluster = Cluster.of(new Target("s0", 500, TokenUnit.OPERATIONS));
    String text = StateText.write(policy.codec(), new SdqProState(42), cluster, SECOND);
    assertThat(StateText.read(policy.codec(), text).state().random()).isEqualTo(42);
  }

  /** The same numbers as Java's own SplitMix64. */
  @Test
  void diceAreThoseOfSplitMix64() {
    for (long seed = -3; seed <= 3; seed++) {
      SplitMix random = new SplitMix(seed);
      SplittableRandom oracle = new SplittableRandom(seed);
      for (int bound : new int[] {1, 2, 7, 1_000, Integer.MAX_VALUE}) {
        long expected = ((oracle.nextLong() >>> 32) * bound) >>> 32;
        assertThat(random.below(bound)).isEqualTo((int) expected);
      }
    }
  }

  @Test
  void operationsDoNotLimitBytesAndADelayHasALeast() {
    SdqProFactory factory = new SdqProFactory();
    Policy<?> policy =
        factory.create(
            new Settings(factory.info(), Map.of("lines", "<a, rate=5 ops/s>", "delay", "1 ms")));
    assertThatThrownBy(() -> first(policy, new Target("t", 100, TokenUnit.BYTES)))
        .hasMessageContaining("the rate of a counts operations and target t bytes");
    first(policy, new Target("t", 100, TokenUnit.OPERATIONS));
    Settings tooShort = new Settings(factory.info(), Map.of("delay", "999 us"));
    assertThatThrownBy(() -> factory.create(tooShort))
        .hasMessageContaining("expected a duration of at least 1 ms");
  }

  private static <S> Step<S> first(Policy<S> policy, Target target) {
    return policy.decide(
        policy.initialState(Cluster.of(target)),
        Observation.of(target, SECOND, SECOND, List.of(JobDemand.of("a", 1, 5))));
  }

  @Test
  void theWordsTellWhatWasDesiredBorrowedAndGot() {
    Step<SdqProState> met = decide(new long[][] {{150, 90, 60}}, 500, "<app0, rate=300>");
    assertThat(met.explanation().summary())
        .isEqualTo(
            "1 applications get 100.0 % of the tokens they require and may have; 50 are borrowed");
    assertThat(words(met))
        .containsExactly(
            "a policy line gives it the tokens it desires, 300 spread evenly over the servers; 50"
                + " of them moved by borrowing; 300 lie where its 300 are required");
    assertThat(met.explanation().reasons().getFirst().figures())
        .containsEntry("desired", 300.0)
        .containsEntry("demand", 300.0)
        .containsEntry("borrowed", 50.0)
        .containsEntry("usable", 300.0)
        .containsEntry("allocated", 300.0);

    Step<SdqProState> cut =
        decide(new long[][] {{150, 90, 60}, {30, 30, 30}}, 120, "<app0, borrow=FALSE>");
    assertThat(cut.explanation().summary())
        .endsWith("; 0 are borrowed; more is required than there is on s0");
    assertThat(words(cut))
        .containsExactly(
            "it desires what it asks for, 300 spread evenly over the servers; it may not borrow;"
                + " 242 lie where its 300 are required",
            "it desires what it asks for, 90 spread evenly over the servers; nothing is borrowed;"
                + " 87.7 lie where its 90 are required");
    assertThat(decide(new long[][] {{0}}, 10, "").explanation().summary())
        .isEqualTo("nobody requires tokens");
  }

  private static List<String> words(Step<?> step) {
    return step.explanation().reasons().stream().map(Explanation.Reason::words).toList();
  }

  private static double useful(long[][] required, long limit, String lines) {
    return totalUseful(decide(required, limit, lines));
  }

  /** To a thousandth of a token, which is more than all that rounding takes. */
  private static double totalUseful(Step<SdqProState> step) {
    double sum =
        step.explanation().reasons().stream()
            .mapToDouble(reason -> reason.figure("usable").doubleValue())
            .sum();
    return Math.rint(sum * 1_000) / 1_000;
  }

  private static Step<SdqProState> decide(long[][] required, long limit, String lines) {
    return decide(required, limit, Map.of("lines", lines));
  }

  private static Step<SdqProState> decide(
      long[][] required, long limit, Map<String, String> settings) {
    return decide(required, limit, settings, SECOND);
  }

  private static Step<SdqProState> decide(
      long[][] required, long limit, Map<String, String> settings, long slotNanos) {
    return decide(required, limit, settings, slotNanos, 0);
  }

  /**
   * One slot.
   *
   * @param silent how many servers more there are, of which nothing is seen
   */
  @SuppressWarnings("unchecked") // The factory makes no other.
  private static Step<SdqProState> decide(
      long[][] required, long limit, Map<String, String> settings, long slotNanos, int silent) {
    SdqProFactory factory = new SdqProFactory();
    Policy<SdqProState> policy =
        (Policy<SdqProState>) factory.create(new Settings(factory.info(), settings));
    List<Target> targets = new ArrayList<>();
    Map<String, List<JobDemand>> seen = new LinkedHashMap<>();
    for (int s = 0; s < required[0].length; s++) {
      targets.add(new Target("s" + s, limit, TokenUnit.OPERATIONS));
      List<JobDemand> demands = new ArrayList<>();
      for (int i = 0; i < required.length; i++) {
        demands.add(new JobDemand(JobId.of("app" + i), 1, required[i][s], 0));
      }
      seen.put("s" + s, demands);
    }
    for (int s = 0; s < silent; s++) {
      targets.add(s, new Target("silent" + s, limit, TokenUnit.OPERATIONS));
    }
    Cluster cluster = new Cluster(targets);
    SdqProState state = policy.initialState(cluster);
    return policy.decide(state, new Observation(SECOND, slotNanos, cluster, seen, List.of()));
  }

  private static List<String> rows(Step<?> step, int servers) {
    List<String> rows = new ArrayList<>();
    for (int s = 0; s < servers; s++) {
      Shares shares = step.allocation().on("s" + s);
      for (int i = 0; i < shares.size(); i++) {
        rows.add(
            s
                + " "
                + shares.job(i)
                + " "
                + shares.tokens(i)
                + " "
                + shares.borrowed(i)
                + " "
                + shares.weight(i));
      }
    }
    return rows;
  }
}
