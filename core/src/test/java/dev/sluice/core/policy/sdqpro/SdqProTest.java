package dev.sluice.core.policy.sdqpro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.Policy;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.Step;
import dev.sluice.core.schedule.Shares;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SdqProTest {
  private static final long SECOND = 1_000_000_000L;

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
    assertThat(shares.tokens(0) + shares.tokens(2)).isCloseTo(99, offset(1e-6));
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
              .isEqualTo(Math.min(rate, asked));
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

  @SuppressWarnings("unchecked") // The factory makes no other.
  private static Step<SdqProState> decide(
      long[][] required, long limit, Map<String, String> settings) {
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
    SdqProState state = policy.initialState(new Cluster(targets));
    return policy.decide(state, new Observation(SECOND, SECOND, seen, List.of()));
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
