package dev.sluice.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sluice.core.model.Operation;
import dev.sluice.core.model.TokenUnit;
import dev.sluice.testkit.SeededCases;
import org.junit.jupiter.api.Test;

class CostModelTest {
  private static final TokenUnit UNIT = new TokenUnit(16 << 10, 1);
  private static final long BYTES = 256 << 10;

  /** A storage on which a written byte takes so many times as long, seen under two mixes. */
  private static double speed(CostModel model, double[] costs, double writePart, double dearness) {
    double seconds = 0;
    double sum = 0;
    for (int i = 0; i < 100; i++) {
      Operation operation = i < 100 * writePart ? Operation.WRITE : Operation.READ;
      model.addTo(costs, operation, 1, BYTES);
      sum += model.cost(operation, 1, BYTES);
      seconds += (operation == Operation.WRITE ? dearness : 1) * BYTES / 1e8;
    }
    return sum / seconds;
  }

  @Test
  void underMixesThatAlternateTheStorageComesToBeEquallyFast() {
    SeededCases.forAll(
        200,
        random -> {
          double dearness = Math.exp(random.nextDouble(-1.2, 1.2));
          CostModel model = new CostModel(UNIT);
          double few = random.nextDouble(0, 0.2);
          double many = random.nextDouble(0.8, 1);
          double[] speeds = new double[2];
          for (int i = 0; i < 200; i++) {
            double[] costs = new double[CostModel.PARTS];
            speeds[i % 2] = speed(model, costs, i % 2 == 0 ? few : many, dearness);
            model.learn(costs, speeds[i % 2]);
          }
          assertThat(speeds[0] / speeds[1]).isCloseTo(1, within(0.1));
        });
  }

  @Test
  void anotherSpeedWithTheSameMixChangesNoPrice() {
    CostModel model = new CostModel(UNIT);
    for (int i = 0; i < 100; i++) {
      double[] costs = new double[CostModel.PARTS];
      double speed = speed(model, costs, 0.5, 1) * (i < 50 ? 1 : 0.5);
      assertThat(model.learn(costs, speed)).isEqualTo(1);
    }
    for (CostModel.Part part : CostModel.Part.values()) {
      assertThat(model.dearness(part)).isEqualTo(1);
    }
  }

  @Test
  void aCopyIsReadAndWritten() {
    CostModel model = new CostModel(UNIT);
    assertThat(model.cost(Operation.COPY, 1, BYTES)).isEqualTo((double) UNIT.price(1, BYTES));
    double[] costs = new double[CostModel.PARTS];
    model.addTo(costs, Operation.COPY, 1, BYTES);
    assertThat(costs[CostModel.Part.BYTES_READ.at])
        .isEqualTo(costs[CostModel.Part.BYTES_WRITTEN.at]);
  }
}
