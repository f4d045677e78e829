package dev.sluice.core.policy.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.Observation;
import dev.sluice.testkit.SeededCases;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MaxMinFillTest {
  private static final double ROUNDING = 1e-9;

  /** Every job has a full target on which nobody who was lifted stands higher. */
  @Test
  void nobodyCanGetMoreUnlessSomebodyWhoHasNoMoreGetsLess() {
    SeededCases.forAll(
        3_000,
        random -> {
          JobsOnTargets on = random(random);
          double[] floors = FairShares.synchronous(on);
          for (int i = 0; i < floors.length; i++) {
            floors[i] *= random.nextInt(3) == 0 ? 1 : random.nextDouble();
          }
          double[] rates = MaxMinFill.fill(on, floors);
          double[] gaps = on.gaps(rates);
          for (int j = 0; j < gaps.length; j++) {
            assertThat(gaps[j]).isGreaterThanOrEqualTo(-1e-12);
          }
          for (int i = 0; i < rates.length; i++) {
            assertThat(rates[i]).isGreaterThanOrEqualTo(floors[i]);
            assertThat(hasBottleneck(on, i, floors, rates, gaps)).as("job " + i).isTrue();
          }
        });
  }

  private static boolean hasBottleneck(
      JobsOnTargets on, int job, double[] floors, double[] rates, double[] gaps) {
    for (int e = on.begin(job); e < on.begin(job + 1); e++) {
      int target = on.entryTarget(e);
      boolean highest = gaps[target] < ROUNDING;
      for (int p = on.targetBegin(target); p < on.targetBegin(target + 1); p++) {
        int other = on.placeJob(p);
        highest &=
            rates[other] <= floors[other] * (1 + ROUNDING)
                || level(on, other, rates) <= level(on, job, rates) * (1 + ROUNDING);
      }
      if (highest) {
        return true;
      }
    }
    return false;
  }

  private static double level(JobsOnTargets on, int job, double[] rates) {
    double claims = 0;
    for (int e = on.begin(job); e < on.begin(job + 1); e++) {
      claims += on.entryClaim(e);
    }
    return rates[job] * on.processes(job) / claims;
  }

  /** With one process a target, max-min fairness itself gives everybody its fair share. */
  @Test
  void fillingFromNothingIsAtLeastFairWhereAllHaveOneProcess() {
    SeededCases.forAll(
        2_000,
        random -> {
          JobsOnTargets on = random(random);
          boolean single = true;
          for (int e = 0; e < on.entries(); e++) {
            single &= on.entryProcesses(e) == 1;
          }
          if (single) {
            double[] fair = FairShares.synchronous(on);
            double[] rates = MaxMinFill.fill(on, new double[on.jobs()]);
            for (int i = 0; i < rates.length; i++) {
              assertThat(rates[i]).isGreaterThanOrEqualTo(fair[i] * (1 - ROUNDING));
            }
          }
        });
  }

  static JobsOnTargets random(RandomGenerator random) {
    Cluster cluster = RandomJobs.cluster(random, 8);
    Observation seen = RandomJobs.observation(random, cluster, 16, 1);
    List<ShareBasis> claims = List.of(ShareBasis.values());
    return new JobsOnTargets(seen, claims.get(random.nextInt(claims.size())));
  }
}
