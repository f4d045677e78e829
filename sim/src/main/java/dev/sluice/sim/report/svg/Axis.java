package dev.sluice.sim.report.svg;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * A range of numbers with marks at multiples of 1, 2 or 5 times a power of ten.
 *
 * @param step from one mark to the next
 */
record Axis(double low, double high, BigDecimal step) {
  private static final int[] STEPS = {1, 2, 5, 10};

  /** An axis that begins and ends at a mark. */
  static Axis around(double low, double high, int marks) {
    Axis exact = exactly(low, high, marks);
    double step = exact.step().doubleValue();
    return new Axis(
        Math.floor(exact.low() / step + 1e-9) * step,
        Math.ceil(exact.high() / step - 1e-9) * step,
        exact.step());
  }

  /** An axis that begins and ends where the values do. */
  static Axis exactly(double low, double high, int marks) {
    if (!(high >= low) || Double.isInfinite(high) || Double.isInfinite(low)) {
      throw new IllegalArgumentException("no axis goes from " + low + " to " + high);
    }
    double top = high > low ? high : low + 1;
    double rough = (top - low) / marks;
    int power = (int) Math.floor(StrictMath.log10(rough));
    double unit = StrictMath.pow(10, power);
    for (int factor : STEPS) {
      if (factor * unit >= rough * (1 - 1e-9)) {
        return new Axis(low, top, BigDecimal.valueOf(factor).scaleByPowerOfTen(power));
      }
    }
    throw new IllegalStateException("no step for " + rough);
  }

  List<Double> marks() {
    List<Double> marks = new ArrayList<>();
    double width = step.doubleValue();
    long first = (long) Math.ceil(low / width - 1e-9);
    long last = (long) Math.floor(high / width + 1e-9);
    for (long i = first; i <= last; i++) {
      marks.add(i * width);
    }
    return marks;
  }

  /** A mark's text, with as many decimals as the step needs. */
  String text(double mark) {
    int decimals = Math.max(0, step.stripTrailingZeros().scale());
    BigDecimal rounded = BigDecimal.valueOf(mark).setScale(decimals, RoundingMode.HALF_EVEN);
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  /** Where a value lies, 0 at the low end and 1 at the high one. */
  double part(double value) {
    return (value - low) / (high - low);
  }
}
