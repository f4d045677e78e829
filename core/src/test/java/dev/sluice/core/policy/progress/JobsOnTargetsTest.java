package dev.sluice.core.policy.progress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class JobsOnTargetsTest {
  /** Two views of the same: by job and by target. */
  @Test
  void jobsAreInAscendingOrderOnEveryTarget() {
    SeededCases.forAll(
        500,
        random -> {
          JobsOnTargets on = MaxMinFillTest.random(random);
          for (int i = 1; i < on.jobs(); i++) {
            assertThat(on.job(i - 1)).isLessThan(on.job(i));
          }
          for (int target = 0; target < on.targets(); target++) {
            for (int p = on.targetBegin(target); p < on.targetBegin(target + 1); p++) {
              int entry = on.placeEntry(p);
              int job = on.placeJob(p);
              assertThat(on.entryTarget(entry)).isEqualTo(target);
              assertThat(entry).isBetween(on.begin(job), on.begin(job + 1) - 1);
              assertThat(p == on.targetBegin(target) || on.placeJob(p - 1) < job).isTrue();
            }
          }
        });
  }
}
