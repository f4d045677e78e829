package dev.sluice.control.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Quantities.Counted;
import dev.sluice.core.policy.padll.JobUse;
import dev.sluice.core.policy.padll.PadllAlgorithm;
import dev.sluice.core.policy.padll.Resource;
import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class HeldBackTest {
  private static final PadllAlgorithm PSFA = PadllAlgorithm.named("psfa");
  private static final int CASES = 5_000;

  private static final class World {
    final Resource resource;
    final List<JobUse> jobs;
    final boolean[] heldBack;

    World(Resource resource, List<JobUse> jobs, boolean[] heldBack) {
      this.resource = resource;
      this.jobs = jobs;
      this.heldBack = heldBack;
    }

    List<JobUse> wouldUse() {
      return HeldBack.wouldUse(PSFA, resource, jobs, heldBack);
    }

    double slack() {
      return resource.maximumPerSecond() / 1_000.0 + 1;
    }
  }

  /** Jobs whose demands are equal and add up to the whole. */
  private static World world(RandomGenerator random) {
    int count = 1 + random.nextInt(12);
    long maximum = 1_000 + random.nextLong(1L << random.nextInt(1, 40));
    double demand = Math.floor((double) maximum / count);
    List<JobUse> jobs = new ArrayList<>();
    boolean[] heldBack = new boolean[count];
    for (int i = 0; i < count; i++) {
      heldBack[i] = random.nextBoolean();
      jobs.add(new JobUse(JobId.of("job" + i), demand, random.nextLong(maximum), 1));
    }
    return new World(
        new Resource("metadata", maximum, Counted.OPERATIONS), List.copyOf(jobs), heldBack);
  }

  @Test
  void whatWasUsedByThoseHeldBackMakesNoDifference() {
    SeededCases.forAll(
        CASES,
        random -> {
          World world = world(random);
          List<JobUse> others = new ArrayList<>(world.jobs);
          for (int i = 0; i < others.size(); i++) {
            if (world.heldBack[i]) {
              JobUse job = others.get(i);
              others.set(
                  i, new JobUse(job.job(), job.demandPerSecond(), random.nextLong(1L << 50), 1));
            }
          }
          World otherwise = new World(world.resource, others, world.heldBack);
          assertThat(otherwise.wouldUse()).isEqualTo(world.wouldUse());
        });
  }

  @Test
  void whoWasHeldBackGetsWhatItIsSaidToUseAndNobodyElseIsChanged() {
    SeededCases.forAll(
        CASES,
        random -> {
          World world = world(random);
          List<JobUse> uses = world.wouldUse();
          double[] rates = PSFA.rates(world.resource, uses);
          for (int i = 0; i < rates.length; i++) {
            JobUse use = uses.get(i);
            if (world.heldBack[i]) {
              double gets = Math.max(use.demandPerSecond(), rates[i]);
              assertThat(Math.abs(gets - use.usagePerSecond())).isLessThan(world.slack());
            } else {
              assertThat(use).isEqualTo(world.jobs.get(i));
            }
          }
        });
  }

  @Test
  void whoUsedNoMoreThanThoseHeldBackGetKeepsIt() {
    SeededCases.forAll(
        CASES,
        random -> {
          World world = world(random);
          double[] rates = PSFA.rates(world.resource, world.wouldUse());
          double least = Double.MAX_VALUE;
          for (int i = 0; i < rates.length; i++) {
            least = world.heldBack[i] ? Math.min(least, rates[i]) : least;
          }
          for (int i = 0; i < rates.length && least < Double.MAX_VALUE; i++) {
            double used = world.jobs.get(i).usagePerSecond();
            if (!world.heldBack[i] && used <= least) {
              assertThat(rates[i]).isGreaterThan(used - world.slack());
            }
          }
        });
  }

  /** A job that grew over several cycles, and one that was held back for the first time. */
  @Test
  void aJobHasItsPartInTheCycleInWhichItIsHeldBack() {
    Resource resource = new Resource("metadata", 100_000, Counted.OPERATIONS);
    List<JobUse> jobs =
        List.of(
            new JobUse(JobId.of("idle"), 25_000, 0, 1),
            new JobUse(JobId.of("little"), 25_000, 4_000, 1),
            new JobUse(JobId.of("long"), 25_000, 60_000, 1),
            new JobUse(JobId.of("new"), 25_000, 1_000, 1));
    boolean[] heldBack = {false, false, true, true};
    double[] rates = PSFA.rates(resource, HeldBack.wouldUse(PSFA, resource, jobs, heldBack));
    assertThat(rates[2]).isEqualTo(rates[3]).isGreaterThan(40_000);
  }

  @Test
  void whoseDemandIsNothingMayStillHaveWhatIsLeft() {
    Resource resource = new Resource("metadata", 100_000, Counted.OPERATIONS);
    List<JobUse> jobs =
        List.of(new JobUse(JobId.of("a"), 0, 0, 1), new JobUse(JobId.of("b"), 50_000, 10_000, 1));
    double[] rates =
        PSFA.rates(resource, HeldBack.wouldUse(PSFA, resource, jobs, new boolean[] {true, false}));
    assertThat(rates[0]).isGreaterThan(70_000);
  }
}
