package dev.sluice.core.policy.progress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.linear.BoundedSimplex;
import dev.sluice.core.linear.InteriorPoint;
import dev.sluice.core.linear.Oracle;
import dev.sluice.core.linear.PackingAnswer;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.model.Target;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.core.policy.Cluster;
import dev.sluice.core.policy.JobDemand;
import dev.sluice.core.policy.Observation;
import dev.sluice.core.policy.progress.Expansion.Objective;
import dev.sluice.testkit.SeededCases;
import java.util.List;
import java.util.Map;
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
          PackingSolver solver = random.nextBoolean() ? new BoundedSimplex() : new InteriorPoint();
          Expansion expansion = Expansion.of(on, fair, floors, objective, solver);
          double[] rates = expansion.rates();

          assertThat(expansion.isOptimal()).isTrue();
          assertThat(expansion.boundPart()).isZero();
          double optimum = optimum(on, fair, floors, objective);
          assertThat(Expansion.worth(on, fair, rates, objective))
              .isEqualTo(optimum, within(1e-6 * Math.max(1, optimum)));
          for (int i = 0; i < rates.length; i++) {
            assertThat(rates[i]).isGreaterThanOrEqualTo(floors[i]);
          }
          for (double gap : on.gaps(rates)) {
            assertThat(gap).isGreaterThanOrEqualTo(-1e-12);
          }
          double[] filled = MaxMinFill.fill(on, fair);
          if (Expansion.worth(on, fair, filled, objective) >= optimum) {
            assertThat(rates).as("nobody is throttled where it does not pay").isEqualTo(filled);
          }
        });
  }

  /** What is small beside the largest target is not small to those who have nothing else. */
  @Test
  void aGiantThatNobodyUsesDoesNotHideWhatIsLostElsewhere() {
    Cluster cluster =
        new Cluster(
            List.of(
                new Target("giant", 1_000_000_000_000L, TokenUnit.BYTES),
                new Target("t1", 1_000_000, TokenUnit.BYTES),
                new Target("t2", 1_000_000, TokenUnit.BYTES)));
    JobDemand a = JobDemand.of("a", 1, 1);
    JobDemand b = JobDemand.of("b", 1, 1);
    JobsOnTargets on =
        new JobsOnTargets(
            new Observation(
                1,
                1_000_000_000,
                cluster,
                Map.of("t1", List.of(a, b), "t2", List.of(b)),
                List.of()),
            ShareBasis.GIVEN);
    double[] fair = FairShares.synchronous(on);
    double[] rates =
        Expansion.of(on, fair, new double[2], Objective.GAIN, new BoundedSimplex()).rates();
    // What a loses of t1 b can use twice.
    assertThat(rates[0]).isEqualTo(0, within(1e-12));
    assertThat(rates[1]).isEqualTo(1e-6, within(1e-12));
  }

  /** Whoever cannot be asked for the optimum leaves what is filled, and a bound on what is lost. */
  @Test
  void withoutASolutionWhatIsLeftIsFilled() {
    PackingSolver helpless =
        new PackingSolver() {
          @Override
          public String name() {
            return "helpless";
          }

          @Override
          public PackingAnswer solve(PackingProgram program, long limitNanos) {
            return new PackingAnswer.Failed("out of ideas");
          }
        };
    SeededCases.forAll(
        500,
        random -> {
          JobsOnTargets on = MaxMinFillTest.random(random);
          double[] fair = FairShares.synchronous(on);
          double[] floors = new double[fair.length];
          Expansion expansion = Expansion.of(on, fair, floors, Objective.GAIN, helpless);
          double[] filled = MaxMinFill.fill(on, fair);
          assertThat(expansion.rates()).isEqualTo(filled);
          double reached = on.effective(filled);
          double optimum = optimum(on, fair, floors, Objective.GAIN);
          assertThat(reached * (1 + expansion.boundPart()))
              .isGreaterThanOrEqualTo(optimum * (1 - 1e-6));
          boolean isFull = on.usable() - reached <= 1e-9 * on.usable();
          assertThat(expansion.isOptimal()).isEqualTo(isFull);
          if (!isFull) {
            assertThat(expansion.how())
                .startsWith("max-min fill, because helpless did not solve the linear program (out");
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
