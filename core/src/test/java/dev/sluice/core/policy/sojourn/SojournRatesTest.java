package dev.sluice.core.policy.sojourn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.Explanation;
import dev.sluice.core.policy.sojourn.SojournRates.Claim;
import dev.sluice.testkit.EnduranceScale;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SojournRatesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final int CASES = 3_000;
  private static final double UNLIMITED = Double.POSITIVE_INFINITY;

  private static SojournRates rates(Map<String, String> settings) {
    return new SojournRates("metadata", Counted.OPERATIONS, SojournSetting.of(settings));
  }

  private static Claim job(String id, double used, boolean heldBack) {
    return new Claim(JobId.of(id), 1, used, heldBack, UNLIMITED);
  }

  private static List<Claim> world(RandomGenerator random, double maximum) {
    List<Claim> jobs = new ArrayList<>();
    int count = 1 + random.nextInt(12);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(6) == 0) {
        continue;
      }
      jobs.add(
          new Claim(
              JobId.of("job" + i),
              1 + i % 3,
              random.nextInt(3) == 0 ? 0 : random.nextDouble() * maximum / (1 + random.nextInt(9)),
              random.nextBoolean(),
              random.nextInt(4) == 0 ? random.nextDouble() * maximum : UNLIMITED));
    }
    return jobs;
  }

  /** The level at which max-min fairness by weight fills, found by halving. */
  private static double[] fair(List<Claim> jobs, double maximum) {
    double weights = jobs.stream().mapToDouble(Claim::weight).sum();
    double low = 0;
    double high = maximum;
    double[] rates = new double[jobs.size()];
    for (int round = 0; round < 200; round++) {
      double level = (low + high) / 2;
      double sum = 0;
      for (int i = 0; i < rates.length; i++) {
        Claim job = jobs.get(i);
        double start = maximum * job.weight() / weights / 16;
        double wants = job.heldBack() ? maximum : Math.max(start, 1.25 * job.usedPerSecond());
        rates[i] =
            Math.min(
                level * job.weight(), Math.min(wants, Math.min(maximum, job.limitPerSecond())));
        sum += rates[i];
      }
      if (sum > maximum) {
        high = level;
      } else {
        low = level;
      }
    }
    return rates;
  }

  @Test
  void nobodyHasLessThanItsPartAndAllTogetherNoMoreThanThereIs() {
    SeededCases.forAll(
        CASES,
        random -> {
          double maximum = 10 + random.nextDouble() * (1L << random.nextInt(1, 40));
          double keep = random.nextBoolean() ? 0.5 : 0.01 + 0.99 * random.nextDouble();
          SojournRates rates =
              rates(Map.of("keep", Double.toString(keep), "phases", "job1=100, job2=70000"));
          for (int cycle = 0; cycle < 12; cycle++) {
            List<Claim> jobs = world(random, maximum);
            double[] may = rates.divide(maximum, jobs, SECOND / (1 + random.nextInt(20)));
            double[] fair = fair(jobs, maximum);
            double sum = 0;
            double limits = 0;
            for (int i = 0; i < may.length; i++) {
              sum += may[i];
              limits += Math.min(maximum, jobs.get(i).limitPerSecond());
              assertThat(may[i]).isLessThanOrEqualTo(jobs.get(i).limitPerSecond());
              assertThat(may[i]).isGreaterThanOrEqualTo(keep * fair[i] - 1e-9 * maximum);
            }
            assertThat(sum).isCloseTo(Math.min(maximum, limits), within(1e-9 * maximum));
          }
        });
  }

  @Test
  void whereNobodyHasTimeToSpareNobodyThatIsHeldBackHasLessThanItsFairRate() {
    SeededCases.forAll(
        CASES,
        random -> {
          double maximum = 10 + random.nextDouble() * 1e6;
          SojournRates rates = rates(Map.of("slack", "0"));
          for (int cycle = 0; cycle < 12; cycle++) {
            List<Claim> jobs = world(random, maximum);
            double[] may = rates.divide(maximum, jobs, SECOND);
            double[] fair = fair(jobs, maximum);
            for (int i = 0; i < may.length; i++) {
              assertThat(may[i]).isGreaterThanOrEqualTo(fair[i] - 1e-9 * maximum);
            }
          }
        });
  }

  @Test
  void nothingDependsOnTheOrderInWhichJobsAreListed() {
    SeededCases.forAll(
        CASES,
        random -> {
          SojournRates one = rates(Map.of("phases", "job*=5000"));
          SojournRates other = rates(Map.of("phases", "job*=5000"));
          for (int cycle = 0; cycle < 8; cycle++) {
            List<Claim> jobs = world(random, 1_000);
            List<Integer> order = new ArrayList<>(IntStream.range(0, jobs.size()).boxed().toList());
            Collections.shuffle(order, new Random(random.nextLong()));
            double[] here = one.divide(1_000, jobs, SECOND);
            double[] there = other.divide(1_000, order.stream().map(jobs::get).toList(), SECOND);
            for (int k = 0; k < there.length; k++) {
              assertThat(there[k]).isCloseTo(here[order.get(k)], within(1e-6));
            }
          }
        });
  }

  /** A program that does I/O in phases, and computes in between. */
  private static final class Program {
    final String id;
    final double[] sizes;
    final int pauses;
    double queued;
    int waits;
    int phase;
    double may;
    double used;
    boolean heldBack;
    int began;
    final List<Integer> took = new ArrayList<>();

    Program(String id, int pauses, double... sizes) {
      this.id = id;
      this.pauses = pauses;
      this.sizes = sizes;
    }

    void cycle(int now) {
      used = 0;
      heldBack = false;
      if (queued == 0 && waits-- <= 0 && phase < sizes.length) {
        queued = sizes[phase++];
        began = now;
      }
      if (queued > 0) {
        used = Math.min(queued, may);
        heldBack = queued > may;
        queued -= used;
        if (queued < 1e-6) {
          queued = 0;
          waits = pauses;
          took.add(now - began + 1);
        }
      }
    }

    Claim claim() {
      return job(id, used, heldBack);
    }

    double mean() {
      return took.stream().mapToInt(Integer::intValue).average().orElseThrow();
    }
  }

  private static void play(SojournRates rates, double maximum, int cycles, Program... programs) {
    for (int cycle = 0; cycle < cycles; cycle++) {
      List<Claim> claims = new ArrayList<>();
      for (Program program : programs) {
        program.cycle(cycle);
        claims.add(program.claim());
      }
      double[] may = rates.divide(maximum, claims, SECOND);
      for (int i = 0; i < programs.length; i++) {
        programs[i].may = may[i];
      }
    }
  }

  private static final Map<String, String> FAIR = Map.of("slack", "0");
  private static final Map<String, String> OURS = Map.of();

  /** The two jobs of docs/policies/sojourn.md: 100 a second, 3,000 and 1,000. */
  @Test
  void theShorterOfTwoIsDoneEarlierAndTheLongerNoLater() {
    String sizes = "a=3000, b=1000";
    Program fairA = new Program("a", 0, 3_000);
    Program fairB = new Program("b", 0, 1_000);
    play(rates(Map.of("slack", "0", "phases", sizes)), 100, 60, fairA, fairB);
    Program a = new Program("a", 0, 3_000);
    Program b = new Program("b", 0, 1_000);
    play(rates(Map.of("phases", sizes)), 100, 60, a, b);
    assertThat(fairB.took).containsExactly(20 + 1);
    assertThat(b.took.getFirst()).isBetween(14, 15);
    // What who has nothing to do may begin with is a sixteenth of its half.
    assertThat(fairA.took.getFirst()).isBetween(41, 43);
    assertThat(a.took.getFirst()).isBetween(41, 43);
  }

  @Test
  void sizesAreLearntFromTheFirstPhaseOn() {
    double[] large = new double[6];
    double[] small = new double[6];
    Arrays.fill(large, 3_000);
    Arrays.fill(small, 1_000);
    Program fairSmall = new Program("b", 30, small);
    play(rates(FAIR), 100, 600, new Program("a", 10, large), fairSmall);
    Program b = new Program("b", 30, small);
    play(rates(OURS), 100, 600, new Program("a", 10, large), b);
    assertThat(b.took.getFirst()).isEqualTo(fairSmall.took.getFirst());
    assertThat(b.mean()).isLessThan(0.85 * fairSmall.mean());
  }

  private static Program[] programs(RandomGenerator random) {
    Program[] others = new Program[1 + random.nextInt(8)];
    for (int i = 0; i < others.length; i++) {
      double[] sizes = new double[LONG];
      Arrays.fill(sizes, 50 + random.nextInt(500));
      others[i] = new Program("other" + i, 1 + random.nextInt(4), sizes);
    }
    return others;
  }

  /** How a job behaves that would use all that it could get. */
  private interface Habit {
    Claim claim(int cycle, double may);
  }

  /** Some programs beside somebody with a habit. */
  private record World(List<Program> others, double used) {
    static World played(long seed, Habit habit) {
      Program[] others = programs(new SplittableRandom(seed));
      SojournRates rates = rates(OURS);
      double may = 0;
      double used = 0;
      for (int cycle = 0; cycle < LONG; cycle++) {
        List<Claim> claims = new ArrayList<>();
        for (Program program : others) {
          program.cycle(cycle);
          claims.add(program.claim());
        }
        Claim claim = habit.claim(cycle, may);
        used += claim.heldBack() ? may : claim.usedPerSecond();
        claims.add(claim);
        double[] rate = rates.divide(MAXIMUM, claims, SECOND);
        for (int i = 0; i < others.length; i++) {
          others[i].may = rate[i];
        }
        may = rate[others.length];
      }
      return new World(List.of(others), used);
    }

    /** How long phases took, beside what they take with an even part and two cycles more. */
    double slowest() {
      double slowest = 0;
      for (Program other : others) {
        double even = other.sizes[0] * (others.size() + 1) / MAXIMUM;
        slowest = Math.max(slowest, other.mean() / (even + 2));
      }
      return slowest;
    }
  }

  private static final double MAXIMUM = 100;
  private static final int LONG = 1_500;

  /** Bursts with pauses; at random; waiting without usage; large phases and then small ones. */
  private static Habit lie(RandomGenerator random) {
    int burst = 1 + random.nextInt(6);
    int pause = 1 + random.nextInt(3);
    int turns = 20 + random.nextInt(200);
    Habit bursts =
        (cycle, may) -> cycle % (burst + pause) < burst ? job("x", may, true) : job("x", 0, false);
    return switch (random.nextInt(4)) {
      case 0 -> bursts;
      case 1 ->
          (cycle, may) ->
              random.nextInt(4) == 0
                  ? job("x", 0, false)
                  : job("x", may * random.nextDouble(), random.nextBoolean());
      case 2 ->
          (cycle, may) ->
              cycle % (turns + pause) < turns
                  ? job("x", cycle < 3 * turns ? may : 0, true)
                  : job("x", 0, false);
      default ->
          (cycle, may) ->
              cycle / turns % 2 == 0
                  ? job("x", cycle % turns == 0 ? 0 : may, cycle % turns != 0)
                  : bursts.claim(cycle, may);
    };
  }

  @Test
  void whoMakesPausesOrSaysWhatIsNotSoGainsNothing() {
    SeededCases.forAll(
        EnduranceScale.of(150, 5_000),
        random -> {
          long seed = random.nextLong();
          World honest = World.played(seed, (_, may) -> job("x", may, true));
          World liar = World.played(seed, lie(random));
          // It is ahead by a phase at most, which is little of all that it has.
          assertThat(liar.used).isLessThan(1.05 * honest.used);
          assertThat(liar.slowest()).isLessThan(1);
          assertThat(honest.slowest()).isLessThan(1);
        });
  }

  @Test
  void everyPhaseOfKnownSizeIsDoneAboutWhenFairSharingWouldBe() {
    double[] sums = new double[2];
    SeededCases.forAll(
        1_000,
        random -> {
          int count = 2 + random.nextInt(9);
          StringBuilder sizes = new StringBuilder();
          double[] size = new double[count];
          for (int i = 0; i < count; i++) {
            size[i] = 100 + random.nextInt(5_000);
            sizes
                .append(i == 0 ? "" : ",")
                .append("p")
                .append(i)
                .append("=")
                .append((long) size[i]);
          }
          Program[] fair = new Program[count];
          Program[] ours = new Program[count];
          for (int i = 0; i < count; i++) {
            int begin = random.nextInt(100);
            fair[i] = new Program("p" + i, 0, size[i]);
            ours[i] = new Program("p" + i, 0, size[i]);
            fair[i].waits = begin;
            ours[i].waits = begin;
          }
          play(rates(Map.of("slack", "0")), 100, 1000, fair);
          play(rates(Map.of("phases", sizes.toString())), 100, 1000, ours);
          for (int i = 0; i < count; i++) {
            double f = fair[i].took.getFirst();
            double o = ours[i].took.getFirst();
            sums[0] += f;
            sums[1] += o;
            // What jobs may begin with that are done is a sixteenth; and two cycles.
            assertThat(o).isLessThanOrEqualTo(f * 16 / 15 + 2);
          }
        });
    assertThat(sums[1]).isLessThan(0.8 * sums[0]);
  }

  /** A node could say that its job waits and does nothing, so that it never comes to an end. */
  @Test
  void whoWaitsAndSaysThatItUsesNothingHasNoMoreThanItsPartAfterAPhase() {
    SojournRates rates = rates(Map.of("phases", "x=500, other*=100000"));
    double had = 0;
    double[] may = new double[5];
    for (int cycle = 0; cycle < 600; cycle++) {
      List<Claim> claims = new ArrayList<>();
      claims.add(job("x", 0, true));
      for (int i = 1; i < 5; i++) {
        claims.add(job("other" + i, may[i], true));
      }
      may = rates.divide(100, claims, SECOND);
      had += may[0];
    }
    assertThat(had).isLessThan(600 * 20 + 500 + 100);
  }

  @Test
  void whoIsGoneIsForgottenWhenThereAreMany() {
    SojournRates rates = rates(OURS);
    for (int cycle = 0; cycle < 3; cycle++) {
      int base = cycle * 10_000;
      List<Claim> jobs =
          IntStream.range(base, base + 10_000).mapToObj(i -> job("j" + i, 1, true)).toList();
      rates.divide(1e6, jobs, SECOND);
      assertThat(rates.remembered())
          .isEqualTo(cycle == 0 ? 10_000 : 10_000 + SojournRates.GONE_MAX);
    }
  }

  @Test
  void whoIsBackIsKnownAndWhatItWasAheadIsPaidByThen() {
    SojournRates rates = rates(OURS);
    rates.divide(100, List.of(job("a", 0, false), job("b", 0, false)), SECOND);
    for (int cycle = 0; cycle < 20; cycle++) {
      rates.divide(100, List.of(job("a", 40, true), job("b", 50, true)), SECOND);
    }
    rates.divide(100, List.of(job("b", 50, true)), SECOND);
    rates.divide(100, List.of(job("a", 40, true), job("b", 50, true)), SECOND);
    Explanation.Reason reason = rates.explanation().reasons().getFirst();
    assertThat(reason.figure("phase").doubleValue()).isEqualTo(800);
    assertThat(reason.figure("rest").doubleValue()).isEqualTo(760);
    assertThat(reason.words())
        .startsWith("its fair rate is 50 ops/s; 760 operations of its phase are left");
  }

  @Test
  void settingsThatAreWrongAreRefused() {
    assertThatThrownBy(() -> SojournSetting.of(Map.of("slack", "2")))
        .hasMessage("slack=2: expected a number from 0 to 1");
    assertThatThrownBy(() -> SojournSetting.of(Map.of("kep", "0.5")))
        .hasMessageContaining(
            "policy sojourn-all has no parameter \"kep\"; it has slack, keep, phases")
        .hasMessageEndingWith("did you mean keep?");
    assertThatThrownBy(() -> SojournSetting.of(Map.of("phases", "a=7 parsecs")))
        .hasMessageContaining("phases: a=7 parsecs: expected");
  }

  @Test
  void saysWhyInWords() {
    SojournRates rates = rates(Map.of("phases", "a=3000, b=1000"));
    assertThat(rates.explanation().summary())
        .isEqualTo("no job is there: nobody is limited on metadata");
    List<Claim> jobs = List.of(job("a", 0, true), job("b", 0, true), job("c", 0, false));
    rates.divide(100, jobs, SECOND);
    assertThat(rates.explanation().summary())
        .isEqualTo(
            "3 jobs share 100 ops/s of metadata; 2 with time to spare leave some to who has least");
    assertThat(rates.explanation().reasons())
        .extracting(Explanation.Reason::words)
        .satisfiesExactly(
            a -> assertThat(a).contains("it has time to spare, and leaves 2"),
            b -> assertThat(b).contains("1000 operations of its phase are left, and by fair"),
            c -> assertThat(c).startsWith("it does next to nothing, and may begin with"));
  }
}
