package dev.sluice.core.linear;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class CheckedAnswerTest {
  private static final PackingProgram TWO_IN_ONE = twoInOne();

  private static PackingProgram twoInOne() {
    PackingProgram.Builder builder = new PackingProgram.Builder(new double[] {1});
    builder.column(1, 0.75, false);
    builder.entry(0, 1);
    builder.column(1, 1, false);
    builder.entry(0, 1);
    return builder.build();
  }

  @Test
  void whatIsRoundedIsRepaired() {
    PackingAnswer.Optimal repaired =
        (PackingAnswer.Optimal)
            CheckedAnswer.of(
                TWO_IN_ONE, new PackingAnswer.Optimal(new double[] {0.75 + 1e-8, 0.25 + 1e-8}));
    assertThat(repaired.value(0)).isLessThanOrEqualTo(0.75);
    assertThat(repaired.value(0) + repaired.value(1)).isLessThanOrEqualTo(1);
    assertThat(repaired.value(1)).isGreaterThan(0.25 - 1e-7);
  }

  @Test
  void whatIsWrongIsRefusedWithItsPlace() {
    refused(new double[] {0.5, 0.6}, "its answer is not allowed: row 0 has 1.10000000 of 1.0000");
    refused(new double[] {0.8, 0}, "its answer is not allowed: variable 0 has 0.800000000 of 0.75");
    refused(new double[] {-0.1, 0}, "its answer is not allowed: variable 0 has -0.10");
    refused(new double[] {Double.NaN, 0}, "its answer is not allowed: variable 0 has NaN");
    refused(new double[] {0}, "it answered 1 values for 2 variables");
  }

  private static void refused(double[] values, String reason) {
    PackingAnswer answer = CheckedAnswer.of(TWO_IN_ONE, new PackingAnswer.Optimal(values));
    assertThat(answer).isInstanceOf(PackingAnswer.Failed.class);
    assertThat(((PackingAnswer.Failed) answer).reason()).startsWith(reason);
  }

  /** Errors of any sign, up to what a solver may make: afterwards every limit holds. */
  @Test
  void whateverIsAcceptedIsAllowed() {
    SeededCases.forAll(
        2_000,
        random -> {
          PackingProgram program = PackingSolverContract.random(random);
          if (!(new BoundedSimplex().solve(program, 1_000_000_000L)
              instanceof PackingAnswer.Optimal solved)) {
            throw new AssertionError("not solved");
          }
          double[] values = new double[program.columns()];
          for (int i = 0; i < values.length; i++) {
            values[i] = solved.value(i) + random.nextDouble(-1, 1) * 1e-8;
          }
          PackingAnswer.Optimal checked =
              (PackingAnswer.Optimal) CheckedAnswer.of(program, new PackingAnswer.Optimal(values));
          double[] used = new double[program.rows()];
          for (int i = 0; i < values.length; i++) {
            assertThat(checked.value(i)).isBetween(0.0, program.bound(i));
            for (int e = program.begin(i); e < program.begin(i + 1); e++) {
              used[program.row(e)] += program.coefficient(e) * checked.value(i);
            }
          }
          for (int j = 0; j < used.length; j++) {
            assertThat(used[j]).isLessThanOrEqualTo(program.capacity(j) * (1 + 1e-14));
          }
        });
  }
}
