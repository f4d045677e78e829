package dev.sluice.core.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * What every solver must do: find what another solver finds, within the limits, the same each time.
 */
public abstract class PackingSolverContract {
  private static final long LONG_NANOS = 10_000_000_000L;

  protected abstract PackingSolver solver();

  @Test
  void findsWhatAnotherSolverFinds() {
    SeededCases.forAll(
        2_000,
        random -> {
          PackingProgram program = random(random);
          PackingAnswer answer = solver().solve(program, LONG_NANOS);
          double optimum = Oracle.optimum(program);
          assertThat(Oracle.worth(program, answer))
              .isEqualTo(optimum, within(1e-6 * (1 + optimum)));
          assertThat(CheckedAnswer.of(program, answer)).isInstanceOf(PackingAnswer.Optimal.class);
        });
  }

  @Test
  void equalProgramsGetEqualAnswersWhateverCameBetween() {
    SeededCases.forAll(
        200,
        random -> {
          PackingProgram program = random(random);
          List<Double> once = values(solver().solve(program, LONG_NANOS));
          solver().solve(random(random), LONG_NANOS);
          assertThat(values(solver().solve(program, LONG_NANOS))).isEqualTo(once);
        });
  }

  @Test
  void aProgramWithoutVariablesIsSolved() {
    PackingProgram none = new PackingProgram.Builder(new double[] {1}).build();
    assertThat(values(solver().solve(none, LONG_NANOS))).isEmpty();
  }

  private static List<Double> values(PackingAnswer answer) {
    if (!(answer instanceof PackingAnswer.Optimal optimal)) {
      throw new AssertionError("not solved: " + answer);
    }
    List<Double> values = new ArrayList<>();
    for (int i = 0; i < optimal.columns(); i++) {
      values.add(optimal.value(i));
    }
    return values;
  }

  /** Some rows without capacity, some variables that may only be 0, ties everywhere. */
  static PackingProgram random(RandomGenerator random) {
    int rows = random.nextInt(1, 9);
    double[] capacities = new double[rows];
    for (int j = 0; j < rows; j++) {
      capacities[j] = random.nextInt(6) == 0 ? 0 : random.nextInt(4) == 0 ? 1 : random.nextDouble();
    }
    double[] left = capacities.clone();
    PackingProgram.Builder builder = new PackingProgram.Builder(capacities);
    boolean even = random.nextBoolean();
    int columns = random.nextInt(0, 25);
    for (int i = 0; i < columns; i++) {
      List<Integer> on = new ArrayList<>();
      for (int j = 0; j < rows; j++) {
        on.add(j);
      }
      Collections.shuffle(on, new Random(random.nextLong()));
      on = on.subList(0, random.nextInt(1, rows + 1));
      double bound =
          random.nextInt(10) == 0 ? 0 : random.nextDouble() * (random.nextBoolean() ? 1 : 0.1);
      int coefficient = even ? 1 : random.nextInt(1, 4);
      boolean fits = random.nextBoolean();
      for (int j : on) {
        fits &= coefficient * bound <= left[j];
      }
      double weight = even ? on.size() : random.nextInt(0, 5);
      builder.column(weight, bound, fits);
      for (int j : on) {
        builder.entry(j, coefficient);
        left[j] -= fits ? coefficient * bound : 0;
      }
    }
    return builder.build();
  }
}
