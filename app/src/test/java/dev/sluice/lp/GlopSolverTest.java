package dev.sluice.lp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.linear.BuiltInSolver;
import dev.sluice.core.linear.Oracle;
import dev.sluice.core.linear.PackingAnswer;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.linear.PackingSolverContract;
import dev.sluice.testkit.EnduranceScale;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GlopSolverTest extends PackingSolverContract {
  private static final long LONG_NANOS = 100_000_000_000L;

  private static final GlopSolver GLOP = new GlopSolver();

  @Override
  protected PackingSolver solver() {
    return GLOP;
  }

  @Test
  void whatIsTooMuchForTheTimeIsRefusedAtOnce() {
    double[] capacities = new double[1_000];
    Arrays.fill(capacities, 1);
    PackingProgram.Builder builder = new PackingProgram.Builder(capacities);
    for (int i = 0; i < 1_000; i++) {
      builder.column(1, 1, false);
      for (int j = 0; j < 10; j++) {
        builder.entry((i * 7 + j) % 1_000, 1);
      }
    }
    assertThat(GLOP.solve(builder.build(), 100_000_000))
        .isEqualTo(
            new PackingAnswer.Failed("1000 variables in 1000 rows are too many for the time"));
  }

  /** Two solvers that have nothing in common, on programs of the size that decisions can have. */
  @Test
  void largeProgramsAreSolvedAsByTheBuiltInSolver() {
    for (int seed = 0; seed < 12; seed++) {
      agree(jobsOnTargets(new SplittableRandom(seed), 1_000, 200, seed % 2 == 0));
    }
    agree(jobsOnTargets(new SplittableRandom(1), 4_000, 500, true));
    for (int seed = 0; seed < EnduranceScale.of(0, 20); seed++) {
      agree(jobsOnTargets(new SplittableRandom(seed), 10_000, 1_000, true));
    }
  }

  private static void agree(PackingProgram program) {
    double glop = Oracle.worth(program, GLOP.solve(program, LONG_NANOS));
    double ours = Oracle.worth(program, new BuiltInSolver().solve(program, LONG_NANOS));
    assertThat(ours).isEqualTo(glop, within(1e-7 * glop));
  }

  /**
   * What is left of targets by jobs that have nine tenths of a fair share of their most crowded
   * one, or all of it and with gaps closed on a few targets.
   */
  private static PackingProgram jobsOnTargets(
      SplittableRandom random, int jobs, int targets, boolean closed) {
    int[][] on = new int[jobs][];
    int[] crowd = new int[targets];
    for (int i = 0; i < jobs; i++) {
      on[i] = random.ints(0, targets).distinct().limit(random.nextInt(1, 17)).toArray();
      for (int j : on[i]) {
        crowd[j]++;
      }
    }
    double[] capacities = new double[targets];
    Arrays.fill(capacities, 1);
    for (int[] targetsOfJob : on) {
      int most = Arrays.stream(targetsOfJob).map(j -> crowd[j]).max().orElseThrow();
      for (int j : targetsOfJob) {
        capacities[j] -= (closed ? 1.0 : 0.9) / most;
      }
    }
    for (int j = 0; j < targets; j++) {
      capacities[j] = closed && j % 40 == 0 ? 0 : Math.max(0, capacities[j]);
    }
    PackingProgram.Builder builder = new PackingProgram.Builder(capacities);
    for (int[] targetsOfJob : on) {
      builder.column(targetsOfJob.length, 1, false);
      for (int j : targetsOfJob) {
        builder.entry(j, 1);
      }
    }
    return builder.build();
  }
}
