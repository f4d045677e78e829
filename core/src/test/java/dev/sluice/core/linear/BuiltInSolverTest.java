package dev.sluice.core.linear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BuiltInSolverTest extends PackingSolverContract {
  @Override
  protected PackingSolver solver() {
    return new BuiltInSolver();
  }

  @Test
  void whatIsSmallHasACornerAndTheRestIsSolvedAllTheSame() {
    PackingProgram small = program(64, 2_000);
    PackingProgram large = program(200, 1_000);
    assertThat(BuiltInSolver.isSmall(small)).isTrue();
    assertThat(BuiltInSolver.isSmall(large)).isFalse();
    assertThat(positive(small)).isLessThanOrEqualTo(small.rows());
    assertThat(positive(large)).isGreaterThan(2L * large.rows());
  }

  /** How many variables are not 0; in a corner these are no more than rows. */
  private long positive(PackingProgram program) {
    PackingAnswer answer = solver().solve(program, 10_000_000_000L);
    assertThat(answer).isInstanceOf(PackingAnswer.Optimal.class);
    PackingAnswer.Optimal optimal = (PackingAnswer.Optimal) answer;
    long positive = 0;
    for (int i = 0; i < optimal.columns(); i++) {
      positive += optimal.value(i) > 1e-9 ? 1 : 0;
    }
    return positive;
  }

  private static PackingProgram program(int rows, int columns) {
    double[] capacities = new SplittableRandom(1).doubles(rows, 0.1, 1).toArray();
    PackingProgram.Builder builder = new PackingProgram.Builder(capacities);
    for (int i = 0; i < columns; i++) {
      builder.column(3, 1, false);
      for (int k = 0; k < 3; k++) {
        builder.entry((i + k * k * (1 + i / rows)) % rows, 1);
      }
    }
    return builder.build();
  }
}
