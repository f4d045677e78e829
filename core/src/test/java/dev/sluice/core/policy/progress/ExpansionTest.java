package dev.sluice.core.policy.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.linear.BoundedSimplex;
import dev.sluice.core.linear.Oracle;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.policy.progress.Expansion.Objective;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class ExpansionTest {
  /** The oracle is given rates and floors in another form: all of them are variables from 0 on. */
  @Test
  void noAllowedRatesAreWorthMore() {
    SeededCases.forAll(
        3_000,
        random -> {
          JobsOnTargets on = MaxMinFillTest.random(random);
          double[] fair = FairShares.synchronous(on);
          double[] floors = fair.clone();
          for (int i = 0; i < floors.length; i++) {
            floors[i] *= random.nextBoolean() ? 1 : random.nextDouble();
          }
          Objective objective = random.nextBoolean() ? Objective.GAIN : Objective.NET;
          Expansion expansion = Expansion.of(on, fair, floors, objective, new BoundedSimplex());
          double[] rates = expansion.rates();

          assertThat(expansion.isOptimal()).isTrue();
          double optimum = optimum(on, fair, floors, objective);
          assertThat(Expansion.worth(on, fair, rates, objective))
              .isEqualTo(optimum, within(1e-6 * Math.max(1, optimum)));
          for (int i = 0; i < rates.length; i++) {
            assertThat(rates[i]).isGreaterThanOrEqualTo(floors[i]);
          }
          for (double gap : on.gaps(rates)) {
            assertThat(gap).isGreaterThanOrEqualTo(-1e-12);
          }
        });
  }

  private static double optimum(
      JobsOnTargets on, double[] fair, double[] floors, Objective objective) {
    double[] gaps = on.gaps(floors);
    for (int j = 0; j < gaps.length; j++) {
      gaps[j] = Math.max(0, gaps[j]);
    }
    PackingProgram.Builder builder = new PackingProgram.Builder(gaps);
    double already = 0;
    for (int i = 0; i < fair.length; i++) {
      double lost = objective == Objective.NET ? on.processes(i) * (fair[i] - floors[i]) : 0;
      already += on.processes(i) * floors[i] - lost;
      for (int part = 0; part < 2; part++) {
        double counts = part == 0 && objective == Objective.NET ? 2 : 1;
        builder.column(counts * on.processes(i), part == 0 ? fair[i] - floors[i] : 1, false);
        for (int e = on.begin(i); e < on.begin(i + 1); e++) {
          builder.entry(on.entryTarget(e), on.entryProcesses(e));
        }
      }
    }
    return already + Oracle.optimum(builder.build());
  }
}
