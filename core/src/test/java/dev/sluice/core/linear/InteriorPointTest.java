package dev.sluice.core.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class InteriorPointTest extends PackingSolverContract {
  private static final long LONG_NANOS = 10_000_000_000L;

  @Override
  protected PackingSolver solver() {
    return new InteriorPoint();
  }

  /** Larger than the oracle can do; the simplex method has nothing in common with this one. */
  @Test
  void findsWhatTheSimplexMethodFinds() {
    SeededCases.forAll(
        300,
        random -> {
          int rows = random.nextInt(10, 80);
          PackingProgram program = jobsOnTargets(random, rows * random.nextInt(1, 9), rows);
          double optimum = Oracle.worth(program, new BoundedSimplex().solve(program, LONG_NANOS));
          assertThat(Oracle.worth(program, solver().solve(program, LONG_NANOS)))
              .isEqualTo(optimum, within(3e-8 * Math.max(1, optimum)));
        });
  }

  @Test
  void whatIsTooMuchForTheTimeIsRefused() {
    PackingProgram program = jobsOnTargets(new SplittableRandom(1), 600, 150);
    assertThat(solver().solve(program, 100_000))
        .isEqualTo(new PackingAnswer.Failed("600 variables in 150 rows are too many for the time"));
  }

  /** What is tiny beside 1 is not tiny beside itself. */
  @Test
  void unitsDoNotMatter() {
    SeededCases.forAll(
        200,
        random -> {
          PackingProgram program = jobsOnTargets(random, 60, 12);
          double[] capacities = new double[program.rows()];
          for (int j = 0; j < capacities.length; j++) {
            capacities[j] = program.capacity(j) * 1e-6;
          }
          PackingProgram.Builder small = new PackingProgram.Builder(capacities);
          for (int i = 0; i < program.columns(); i++) {
            small.column(program.weight(i), program.bound(i) * 1e-6, false);
            for (int e = program.begin(i); e < program.begin(i + 1); e++) {
              small.entry(program.row(e), program.coefficient(e));
            }
          }
          double optimum = Oracle.worth(program, solver().solve(program, LONG_NANOS));
          PackingProgram built = small.build();
          assertThat(1e6 * Oracle.worth(built, solver().solve(built, LONG_NANOS)))
              .isEqualTo(optimum, within(1e-7 * optimum));
        });
  }

  /** As GIFT has them: a job takes alike of a few rows, and counts for all that it takes. */
  static PackingProgram jobsOnTargets(RandomGenerator random, int jobs, int targets) {
    double[] capacities = new double[targets];
    for (int j = 0; j < targets; j++) {
      capacities[j] = random.nextInt(20) == 0 ? 0 : random.nextDouble(0.05, 0.5);
    }
    boolean net = random.nextBoolean();
    PackingProgram.Builder builder = new PackingProgram.Builder(capacities);
    for (int i = 0; i < jobs; i++) {
      int[] on =
          random
              .ints(0, targets)
              .distinct()
              .limit(random.nextInt(1, Math.min(17, targets)))
              .toArray();
      int processes = random.nextInt(5) == 0 ? random.nextInt(1, 5) : 1;
      if (net) {
        builder.column(2.0 * processes * on.length, random.nextDouble(0.001, 0.02), false);
        for (int j : on) {
          builder.entry(j, processes);
        }
      }
      builder.column((double) processes * on.length, 1, false);
      for (int j : on) {
        builder.entry(j, processes);
      }
    }
    return builder.build();
  }
}
