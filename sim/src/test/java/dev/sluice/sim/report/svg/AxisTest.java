package dev.sluice.sim.report.svg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.testkit.SeededCases;
import java.util.List;
import org.junit.jupiter.api.Test;

class AxisTest {
  /** Marks are few and different, cover the values, and step by 1, 2 or 5 of a power of ten. */
  @Test
  void marksAreGood() {
    SeededCases.forAll(
        5_000,
        random -> {
          double size = Math.pow(10, random.nextDouble(-6, 15));
          double low = random.nextBoolean() ? 0 : -random.nextDouble(size);
          double high = random.nextDouble(size);
          Axis axis = Axis.around(low, high, 5);
          assertThat(axis.low()).isLessThanOrEqualTo(low + size * 1e-6);
          assertThat(axis.high()).isGreaterThanOrEqualTo(high - size * 1e-6);
          assertThat(axis.marks()).hasSizeBetween(2, 8);
          List<String> texts = axis.marks().stream().map(axis::text).toList();
          assertThat(texts).doesNotHaveDuplicates();
          assertThat(axis.step().unscaledValue().intValueExact()).isIn(1, 2, 5, 10);
        });
  }

  @Test
  void textsHaveAsManyDecimalsAsTheStep() {
    Axis axis = Axis.around(0, 2.3, 5);
    assertThat(axis.marks().stream().map(axis::text))
        .containsExactly("0", "0.5", "1.0", "1.5", "2.0", "2.5");
  }

  @Test
  void nothingToShowIsStillAnAxis() {
    assertThat(Axis.around(0, 0, 5).high()).isEqualTo(1);
    assertThatThrownBy(() -> Axis.around(0, Double.NaN, 5))
        .hasMessage("no axis goes from 0.0 to NaN");
  }
}
