package dev.sluice.core.policy.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class FairSharesTest {
  @Test
  void everyTargetIsSharedWhollyAndInProportionToClaims() {
    SeededCases.forAll(
        2_000,
        random -> {
          JobsOnTargets on = MaxMinFillTest.random(random);
          double[] shares = FairShares.onEachTarget(on);
          for (int j = 0; j < on.targets(); j++) {
            double used = 0;
            double perClaim = 0;
            for (int p = on.targetBegin(j); p < on.targetBegin(j + 1); p++) {
              int entry = on.placeEntry(p);
              double share = shares[entry] * on.entryProcesses(entry);
              used += share;
              perClaim = perClaim == 0 ? share / on.entryClaim(entry) : perClaim;
              assertThat(share / on.entryClaim(entry)).isEqualTo(perClaim, within(1e-12));
            }
            assertThat(used).isEqualTo(on.isUsed(j) ? on.capacity(j) : 0, within(1e-12));
          }
        });
  }

  @Test
  void aJobMovesAtTheShareOfItsMostContendedTarget() {
    SeededCases.forAll(
        2_000,
        random -> {
          JobsOnTargets on = MaxMinFillTest.random(random);
          double[] shares = FairShares.onEachTarget(on);
          double[] rates = FairShares.synchronous(on);
          for (int i = 0; i < rates.length; i++) {
            boolean reached = false;
            for (int e = on.begin(i); e < on.begin(i + 1); e++) {
              assertThat(rates[i]).isLessThanOrEqualTo(shares[e]);
              reached |= rates[i] == shares[e];
            }
            assertThat(reached).isTrue();
          }
        });
  }

  @Test
  void whoSharesWithTheThrottledLosesNothingAndFits() {
    SeededCases.forAll(
        3_000,
        random -> {
          JobsOnTargets on = MaxMinFillTest.random(random);
          double[] fair = FairShares.synchronous(on);
          boolean[] settled = new boolean[fair.length];
          double[] given = fair.clone();
          for (int i = 0; i < given.length; i++) {
            settled[i] = random.nextBoolean();
            given[i] *= settled[i] ? random.nextDouble() : 1;
          }
          double[] rates = FairShares.synchronousBeside(on, settled, given);
          for (int i = 0; i < rates.length; i++) {
            if (settled[i]) {
              assertThat(rates[i]).isEqualTo(given[i]);
            } else {
              assertThat(rates[i]).isGreaterThanOrEqualTo(fair[i] * (1 - 1e-12));
            }
          }
          for (double gap : on.gaps(rates)) {
            assertThat(gap).isGreaterThanOrEqualTo(-1e-9);
          }
        });
  }
}
