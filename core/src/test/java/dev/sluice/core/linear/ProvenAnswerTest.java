package dev.sluice.core.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class ProvenAnswerTest {
  /** Prices of any kind, also absurd ones: nothing is worth more than they say. */
  @Test
  void noSolutionIsWorthMoreThanPricesSay() {
    SeededCases.forAll(
        3_000,
        random -> {
          PackingProgram program = PackingSolverContract.random(random);
          double[] prices =
              random.doubles(program.rows(), 0, random.nextBoolean() ? 0.1 : 5).toArray();
          assertThat(ProvenAnswer.bound(program, row -> prices[row]))
              .isGreaterThanOrEqualTo(Oracle.optimum(program) * (1 - 1e-9) - 1e-9);
        });
  }

  @Test
  void whatIsNotTheBestIsRefused() {
    PackingProgram.Builder builder = new PackingProgram.Builder(new double[] {1});
    builder.column(1, 1, false);
    builder.entry(0, 1);
    PackingProgram program = builder.build();
    assertThat(ProvenAnswer.of(program, new double[] {1}, _ -> 1))
        .isInstanceOf(PackingAnswer.Optimal.class);
    assertThat(ProvenAnswer.of(program, new double[] {0.999}, _ -> 1))
        .isEqualTo(new PackingAnswer.Failed("rounding errors: it reached 0.999 of at most 1.0"));
  }
}
