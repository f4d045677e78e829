package dev.sluice.core.linear;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class CholeskyTest {
  /** Sizes around those of a panel, so that every way through it is taken. */
  @Test
  void solvesWhatItFactored() {
    SeededCases.forAll(
        300,
        random -> {
          int size = random.nextInt(1, 110);
          double[][] matrix = new double[size][size];
          for (int k = 0; k < 2 * size; k++) {
            double[] part = random.doubles(size, -1, 1).toArray();
            for (int i = 0; i < size; i++) {
              for (int j = 0; j < size; j++) {
                matrix[i][j] += part[i] * part[j] + (i == j ? 0.1 : 0);
              }
            }
          }
          Cholesky cholesky = new Cholesky(size);
          for (int i = 0; i < size; i++) {
            System.arraycopy(matrix[i], i, cholesky.rows()[i], i, size - i);
          }
          cholesky.factor();
          double[] right = random.doubles(size, -1, 1).toArray();
          double[] x = new double[size];
          cholesky.solve(right, x);
          for (int i = 0; i < size; i++) {
            double sum = 0;
            for (int j = 0; j < size; j++) {
              sum += matrix[i][j] * x[j];
            }
            assertThat(sum).isEqualTo(right[i], within(1e-9));
          }
        });
  }
}
