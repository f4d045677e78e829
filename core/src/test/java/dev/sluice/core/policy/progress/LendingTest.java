package dev.sluice.core.policy.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.linear.PackingSolvers;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.LocalRule;
import dev.sluice.core.policy.LocalStep;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.PolicyFactory;
import dev.sluice.core.policy.PolicyInfo;
import dev.sluice.core.policy.Settings;
import dev.sluice.core.policy.gift.GiftFactory;
import dev.sluice.core.policy.registry.PolicyRegistry;
import dev.sluice.core.schedule.Shares;
import dev.sluice.core.schedule.Turns;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LendingTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long TENTH = SECOND / 10;
  private static final double ROUNDING = 1e-6;
  private static final Lending LENDING = new Lending(TENTH, ShareBasis.GIVEN);

  /** 1000 tokens a second; a, b and c were given 500, 300 and 200. */
  private static final Target TARGET = new Target("t", 1_000, TokenUnit.OPERATIONS);

  private static final Shares DECIDED = shares(Map.of("a", 500.0, "b", 300.0, "c", 200.0), 1_000);

  private static Shares shares(Map<String, Double> perSecond, long capacity) {
    Map<String, Double> ordered = new TreeMap<>(perSecond);
    JobId[] jobs = ordered.keySet().stream().map(JobId::of).toArray(JobId[]::new);
    double[] tokens = ordered.values().stream().mapToDouble(rate -> 10 * rate).toArray();
    long[] weights = new long[jobs.length];
    Arrays.fill(weights, 1);
    return Shares.dividing(10.0 * capacity, jobs, tokens, weights, 10 * SECOND);
  }

  private static LocalStep look(JobDemand... jobs) {
    return LENDING.adjust(DECIDED, Observation.of(TARGET, SECOND, TENTH, List.of(jobs)));
  }

  private static double limit(Shares shares, String job) {
    int index = shares.indexOf(JobId.of(job));
    return index < 0 ? Double.NaN : shares.tokensPerSecond(index);
  }

  @Test
  void whatOneLeavesGoesToWhoWantsMoreAndTheLenderKeepsItsLimit() {
    // Of 500 a wants nothing; b and c want more than there is.
    Shares now = look(JobDemand.of("b", 1, 1_000), JobDemand.of("c", 1, 1_000)).shares();
    assertThat(limit(now, "a")).isEqualTo(500, within(ROUNDING));
    assertThat(limit(now, "b")).isEqualTo(500, within(ROUNDING));
    assertThat(limit(now, "c"))
        .as("alike, as they have alike claims")
        .isEqualTo(500, within(ROUNDING));
  }

  @Test
  void whoWantsLittleMoreHasThatAndRoomToGrow() {
    // a uses its 500, b wants 350 a second of its 300, c nothing of its 200.
    Shares now = look(JobDemand.of("a", 1, 50), JobDemand.of("b", 1, 35)).shares();
    assertThat(limit(now, "a")).isEqualTo(500, within(ROUNDING));
    assertThat(limit(now, "b")).as("all that is left").isEqualTo(500, within(ROUNDING));
    assertThat(limit(now, "c")).isEqualTo(200, within(ROUNDING));
  }

  @Test
  void whileEverybodyUsesItsPartNothingChanges() {
    LocalStep step =
        look(JobDemand.of("a", 1, 50), JobDemand.of("b", 1, 30), JobDemand.of("c", 1, 20));
    assertThat(step.shares()).isSameAs(DECIDED);
    assertThat(step.explanation().reasons()).isEmpty();
    assertThat(step.explanation().summary()).isEqualTo("nobody wants more than it was given");
    Observation nobody = Observation.of(TARGET, SECOND, TENTH, List.of(JobDemand.of("new", 1, 9)));
    assertThat(LENDING.adjust(Shares.NONE, nobody).shares())
        .as("where nobody is limited, there is nothing to lend")
        .isSameAs(Shares.NONE);
  }

  @Test
  void aNewcomerHasAFiftiethOfATargetThatIsUsedUpAndTheOthersKeepTheRest() {
    LocalStep step =
        look(
            JobDemand.of("a", 1, 1_000),
            JobDemand.of("b", 1, 1_000),
            JobDemand.of("c", 1, 1_000),
            JobDemand.of("new", 4, 1_000));
    Shares now = step.shares();
    assertThat(limit(now, "new")).isEqualTo(20, within(ROUNDING));
    assertThat(limit(now, "a")).isEqualTo(490, within(ROUNDING));
    assertThat(limit(now, "b")).isEqualTo(294, within(ROUNDING));
    assertThat(now.weight(now.indexOf(JobId.of("new")))).as("its nodes").isEqualTo(4);
    assertThat(step.explanation().summary())
        .isEqualTo(
            "0 jobs leave 0 ops/s, 0 jobs have more than they were given, and 1 that came since is"
                + " served; all others have a little less for it");
    assertThat(words(step, "new"))
        .isEqualTo("it may have 20 ops/s for now: it came after the decision");
    assertThat(words(step, "a"))
        .isEqualTo("it may have 490 ops/s for now: somebody came after the decision");
  }

  @Test
  void aNewcomerIsServedFromWhatIsLeftFirstAndMayGrow() {
    LocalStep step = look(JobDemand.of("a", 1, 1_000), JobDemand.of("new", 1, 1));
    Shares now = step.shares();
    // It wants 10 a second; what else b and c leave is a's.
    assertThat(limit(now, "a")).isEqualTo(990, within(ROUNDING));
    assertThat(limit(now, "new"))
        .as("it may grow to what is fair")
        .isEqualTo(990, within(ROUNDING));
    assertThat(step.explanation().summary())
        .isEqualTo(
            "2 jobs leave 500 ops/s, 1 job has more than it was given, and 1 that came since is"
                + " served");
    assertThat(words(step, "a"))
        .isEqualTo("it may have 990 ops/s for now: others leave some of theirs");
    Explanation.Reason reason = step.explanation().reasons().getFirst();
    assertThat(reason.figure("wanted").doubleValue()).isEqualTo(10_000);
    assertThat(reason.figure("allocated").doubleValue()).isEqualTo(990, within(ROUNDING));
  }

  @Test
  void aNewcomerTakesNoMoreFromOthersThanItWants() {
    // Everybody uses exactly its part, and the newcomer wants a hundredth.
    LocalStep step =
        look(
            JobDemand.of("a", 1, 50),
            JobDemand.of("b", 1, 30),
            JobDemand.of("c", 1, 20),
            JobDemand.of("new", 1, 1));
    Shares now = step.shares();
    assertThat(limit(now, "a")).isEqualTo(495, within(ROUNDING));
    assertThat(limit(now, "b")).isEqualTo(297, within(ROUNDING));
    assertThat(limit(now, "c")).isEqualTo(198, within(ROUNDING));
    assertThat(limit(now, "new")).as("room to grow").isEqualTo(20, within(ROUNDING));
  }

  @Test
  void whereTheFiftiethIsFreeNobodyHasLessForANewcomer() {
    // 980 a second are used, which is all but a fiftieth.
    LocalStep step =
        LENDING.adjust(
            DECIDED,
            Observation.of(
                TARGET,
                SECOND,
                SECOND,
                List.of(
                    JobDemand.of("a", 1, 493),
                    JobDemand.of("b", 1, 293),
                    JobDemand.of("c", 1, 194),
                    JobDemand.of("new", 1, 1_000))));
    assertThat(step.explanation().summary())
        .isEqualTo(
            "3 jobs leave 20 ops/s, 0 jobs have more than they were given, and 1 that came since is"
                + " served");
    for (int i = 0; i < DECIDED.size(); i++) {
      int index = step.shares().indexOf(DECIDED.job(i));
      assertThat(step.shares().limitParts(index)).isEqualTo(DECIDED.limitParts(i));
    }
  }

  @Test
  void newcomersShareTheFiftiethByTheirClaims() {
    Shares now =
        look(
                JobDemand.of("a", 1, 1_000),
                JobDemand.of("b", 1, 1_000),
                JobDemand.of("c", 1, 1_000),
                JobDemand.of("new", 1, 1_000),
                JobDemand.of("newer", 1, 1_000).withWeight(3))
            .shares();
    assertThat(limit(now, "new")).isEqualTo(5, within(ROUNDING));
    assertThat(limit(now, "newer")).isEqualTo(15, within(ROUNDING));
  }

  @Test
  void whatIsLeftWhenAllHaveWhatTheyWantIsSharedByClaims() {
    // Of 500 that a leaves, b and c want 10 each; of the other 480 b's claim is three quarters.
    LocalStep step = look(JobDemand.of("b", 1, 31).withWeight(3), JobDemand.of("c", 1, 21));
    assertThat(limit(step.shares(), "b")).isEqualTo(310 + 360, within(ROUNDING));
    assertThat(limit(step.shares(), "c")).isEqualTo(210 + 120, within(ROUNDING));
  }

  @Test
  void whoUsesAllItsPartLeavesNothing() {
    LocalStep step =
        look(JobDemand.of("a", 1, 50), JobDemand.of("b", 1, 35), JobDemand.of("c", 1, 5));
    assertThat(step.explanation().summary())
        .isEqualTo(
            "1 job leaves 150 ops/s, 1 job has more than it was given, and 0 that came since are"
                + " served");
  }

  @Test
  void whereAllOthersAreIdleANewcomerMayHaveAllOfTheTarget() {
    LocalStep step = look(JobDemand.of("new", 1, 1_000));
    assertThat(limit(step.shares(), "new")).isEqualTo(1_000, within(ROUNDING));
    assertThat(step.explanation().summary())
        .isEqualTo(
            "3 jobs leave 1 kops/s, 0 jobs have more than they were given, and 1 that came since is"
                + " served");
    assertThat(step.explanation().reasons())
        .extracting(Explanation.Reason::words)
        .containsExactly("it may have 1 kops/s for now: it came after the decision");
  }

  private static String words(LocalStep step, String job) {
    return step.explanation().reasons().stream()
        .filter(reason -> reason.job().equals(JobId.of(job)))
        .findFirst()
        .orElseThrow()
        .words();
  }

  @Test
  void whatElseWasDecidedStays() {
    Shares decided =
        DECIDED
            .withReserves(new long[] {5, 4, 3})
            .withBorrowed(new long[] {1, 2, 3})
            .withTurns(new Turns(Turns.Order.ARRIVAL, Turns.DEFAULT.maxWait()));
    Observation seen =
        Observation.of(
            TARGET, SECOND, TENTH, List.of(JobDemand.of("aa", 1, 9), JobDemand.of("b", 1, 99)));
    Shares now = LENDING.adjust(decided, seen).shares();
    assertThat(now.turns()).isEqualTo(decided.turns());
    assertThat(now.periodNanos()).isEqualTo(decided.periodNanos());
    int b = now.indexOf(JobId.of("b"));
    assertThat(now.reservedParts(b)).isEqualTo(4);
    assertThat(now.borrowedParts(b)).isEqualTo(2);
    int a = now.indexOf(JobId.of("a"));
    assertThat(now.reservedParts(a)).isEqualTo(5);
    assertThat(now.borrowedParts(a)).isEqualTo(1);
    assertThat(now.reservedParts(now.indexOf(JobId.of("aa")))).isZero();
  }

  /** The theorem above {@link Lending#adjust}. */
  @Test
  void nobodyLosesItsPartAndNothingIsIdleThatSomebodyCouldUse() {
    int[] met = new int[3];
    SeededCases.forAll(10_000, random -> check(random, met));
    assertThat(met[0]).as("targets that are used up").isPositive();
    assertThat(met[1]).as("newcomers for whom others have less").isPositive();
    assertThat(met[2]).as("targets on which something is left").isPositive();
  }

  private static void check(RandomGenerator random, int[] met) {
    long capacity = random.nextBoolean() ? random.nextLong(1, 200) : random.nextLong(1, 1L << 40);
    Target target = new Target("t", capacity, TokenUnit.OPERATIONS);
    ShareBasis basis = List.of(ShareBasis.values()).get(random.nextInt(3));
    Map<String, Double> given = new TreeMap<>();
    double left = capacity;
    for (int i = random.nextInt(1, 8); i > 0; i--) {
      double part = random.nextInt(4) == 0 ? left : left * random.nextDouble();
      given.put("job" + random.nextInt(10), part);
      left -= part;
      left = Math.max(0, left);
    }
    double sum = given.values().stream().mapToDouble(rate -> rate).sum();
    // Where all is given away and everybody wants more, newcomers take from the others.
    boolean isFull = random.nextInt(4) == 0;
    given.replaceAll((_, rate) -> isFull || sum > capacity ? rate * capacity / sum : rate);
    Shares decided = shares(given, capacity);
    long span = random.nextLong(1_000_000, 3 * SECOND);
    List<JobDemand> jobs = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      if (isFull || random.nextInt(3) > 0) {
        double scale = capacity * (span / 1e9) * (random.nextInt(3) == 0 && !isFull ? 0.05 : 1);
        double part = isFull ? 1 + random.nextDouble() : random.nextDouble() * 1.5;
        long wanted = random.nextInt(4) == 0 && !isFull ? 0 : (long) (scale * part) + 1;
        jobs.add(
            JobDemand.of("job" + i, random.nextLong(1, 100), wanted)
                .withWeight(random.nextLong(1, 10))
                .withProcesses(random.nextLong(1, 5)));
      }
    }
    Observation seen = Observation.of(target, SECOND, span, jobs);
    Lending lending = new Lending(TENTH, basis);
    Shares now = lending.adjust(decided, seen).shares();
    assertThat(now.differences(lending.adjust(decided, seen).shares())).as("purely").isZero();

    boolean newcomers =
        jobs.stream().anyMatch(job -> job.wantedTokens() > 0 && decided.indexOf(job.job()) < 0);
    // One part of a token in each job's period is lost to rounding.
    double rounding = 1e-9 * capacity + 20.0 / decided.partsPerToken() / 10;
    for (int i = 0; i < decided.size(); i++) {
      double kept = now.tokensPerSecond(now.indexOf(decided.job(i)));
      double atLeast = decided.tokensPerSecond(i) * (newcomers ? 0.98 : 1);
      assertThat(kept).as("nobody loses its part").isGreaterThanOrEqualTo(atLeast - rounding);
      met[1] += kept < decided.tokensPerSecond(i) - rounding ? 1 : 0;
    }
    double wantedInAll = 0;
    double passing = 0;
    for (JobDemand job : jobs) {
      double wanted = job.wantedTokens() / (span / 1e9);
      int index = now.indexOf(job.job());
      assertThat(index < 0)
          .as("who was given nothing and wants nothing is not limited")
          .isEqualTo(wanted == 0 && decided.indexOf(job.job()) < 0);
      wantedInAll += wanted;
      passing += index < 0 ? 0 : Math.min(wanted, now.tokensPerSecond(index));
    }
    assertThat(passing).as("all fits").isLessThanOrEqualTo(capacity * (1 + 1e-9) + rounding);
    assertThat(passing)
        .as("nothing is idle that somebody could use")
        .isGreaterThanOrEqualTo(Math.min((double) capacity, wantedInAll) * (1 - 1e-9) - rounding);
    met[wantedInAll >= capacity ? 0 : 2]++;
    checkFairness(decided, now, jobs, basis, capacity, span, rounding);
  }

  /** Who wants more than it gets has no less for its claim than anybody who was not given more. */
  private static void checkFairness(
      Shares decided,
      Shares now,
      List<JobDemand> jobs,
      ShareBasis basis,
      long capacity,
      long span,
      double rounding) {
    double lowest = Double.POSITIVE_INFINITY;
    for (JobDemand job : jobs) {
      int index = now.indexOf(job.job());
      double wanted = job.wantedTokens() / (span / 1e9);
      if (index >= 0 && wanted > now.tokensPerSecond(index) + rounding) {
        lowest = Math.min(lowest, (now.tokensPerSecond(index) + rounding) / basis.of(job));
      }
    }
    for (JobDemand job : jobs) {
      int index = now.indexOf(job.job());
      int place = decided.indexOf(job.job());
      if (index >= 0) {
        double limit = now.tokensPerSecond(index) - rounding;
        boolean hasBorrowed =
            place < 0 ? limit > 0.02 * capacity : limit > decided.tokensPerSecond(place);
        double wanted = job.wantedTokens() / (span / 1e9);
        if (hasBorrowed && wanted >= limit) {
          assertThat(limit / basis.of(job)).isLessThanOrEqualTo(lowest * (1 + 1e-9));
        }
      }
    }
  }

  private static @Nullable LocalRule local(PolicyFactory factory, Map<String, String> settings) {
    return factory.create(new Settings(factory.info(), settings)).local();
  }

  @Test
  void giftAndItsRivalsLendUnlessTheyAreToldNotTo() {
    GiftFactory gift = new GiftFactory(PackingSolvers.BUILT_IN);
    assertThat(local(gift, Map.of())).isEqualTo(new Lending(TENTH, ShareBasis.GIVEN));
    assertThat(local(gift, Map.of("lending", "1 s", "weights", "nodes")))
        .isEqualTo(new Lending(SECOND, ShareBasis.NODES));
    for (PolicyFactory factory : PolicyRegistry.all()) {
      // Those that decide over all targets, and so seldom.
      boolean slow = factory.info().periodNanos() >= 2 * SECOND;
      assertThat(local(factory, Map.of()) != null).as(factory.info().name()).isEqualTo(slow);
      assertThat(has(factory.info())).isEqualTo(slow);
      if (slow) {
        assertThat(local(factory, Map.of("lending", "0 s"))).as("as in the paper").isNull();
      }
    }
    assertThat(local(gift, Map.of("lending", "1 ms")))
        .isEqualTo(new Lending(1_000_000, ShareBasis.GIVEN));
    assertThat(local(gift, Map.of("lending", "1 h")))
        .isEqualTo(new Lending(3_600 * SECOND, ShareBasis.GIVEN));
    assertThatThrownBy(() -> local(gift, Map.of("lending", "999 us")))
        .hasMessage("lending=999 us: expected 0 s, or a duration from 1 ms to 1 h");
    assertThatThrownBy(() -> local(gift, Map.of("lending", "2 h"))).hasMessageContaining("2 h");
  }

  private static boolean has(PolicyInfo info) {
    return info.parameters().contains(Lending.PARAMETER);
  }
}
