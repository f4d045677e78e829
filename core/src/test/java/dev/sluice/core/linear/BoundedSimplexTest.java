package dev.sluice.core.linear;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BoundedSimplexTest extends PackingSolverContract {
  @Override
  protected PackingSolver solver() {
    return new BoundedSimplex();
  }

  @Test
  void whatIsTooMuchForTheTimeIsRefusedAtOnce() {
    PackingProgram program = random(new SplittableRandom(1));
    assertThat(solver().solve(program, 10))
        .isEqualTo(
            new PackingAnswer.Failed(
                program.columns()
                    + " variables in "
                    + program.rows()
                    + " rows are too many for the time"));
  }
}
