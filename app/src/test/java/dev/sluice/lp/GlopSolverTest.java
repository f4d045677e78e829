package dev.sluice.lp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.core.linear.PackingAnswer;
import dev.sluice.core.linear.PackingProgram;
import dev.sluice.core.linear.PackingSolver;
import dev.sluice.core.linear.PackingSolverContract;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GlopSolverTest extends PackingSolverContract {
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
}
