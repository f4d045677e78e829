package dev.sluice.sim.report.svg;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** What an axis counts; large and small numbers are shown in multiples that people read. */
public enum Unit {
  BYTES_PER_SECOND(
      new Scale(1, "B/s"),
      new Scale(1e3, "kB/s"),
      new Scale(1e6, "MB/s"),
      new Scale(1e9, "GB/s"),
      new Scale(1e12, "TB/s")),
  OPERATIONS_PER_SECOND(new Scale(1, "ops/s"), new Scale(1e3, "kops/s"), new Scale(1e6, "Mops/s")),
  SECONDS(
      new Scale(1e-6, "µs"),
      new Scale(1e-3, "ms"),
      new Scale(1, "s"),
      new Scale(60, "min"),
      new Scale(3_600, "h"),
      new Scale(86_400, "d")),
  TOKENS(
      new Scale(1, "tokens"), new Scale(1e3, "thousand tokens"), new Scale(1e6, "million tokens")),
  REQUESTS(
      new Scale(1, "requests"),
      new Scale(1e3, "thousand requests"),
      new Scale(1e6, "million requests")),
  /** Values are parts, 0 to 1. */
  PERCENT(new Scale(0.01, "%")),
  /** A number without a unit. */
  NUMBER(new Scale(1, ""));

  private static final int DIGITS = 3;

  private final List<Scale> scales;

  Unit(Scale... scales) {
    this.scales = List.of(scales);
  }

  /** A multiple of the unit. */
  record Scale(double size, String name) {
    double of(double value) {
      return value / size;
    }

    /** The value with three digits and the unit. */
    String text(double value) {
      double scaled = of(value);
      String number =
          BigDecimal.valueOf(scaled)
              .setScale(decimals(Math.abs(scaled)), RoundingMode.HALF_EVEN)
              .toPlainString();
      return name.isEmpty() ? number : number + " " + name;
    }

    private static int decimals(double size) {
      int decimals = DIGITS - 1;
      for (double limit = 9.995; size >= limit && decimals > 0; limit *= 10) {
        decimals--;
      }
      return decimals;
    }
  }

  /** The multiple in which values up to {@code largest} read best. */
  Scale scaleFor(double largest) {
    Scale best = scales.getFirst();
    for (Scale scale : scales) {
      // Two of a smaller unit read better than a fraction of the larger one.
      if (largest >= scale.size() * (this == SECONDS && scale.size() >= 60 ? 5 : 1)) {
        best = scale;
      }
    }
    return best;
  }

  /** The value in the multiple that suits it, with three digits and the unit. */
  public String text(double value) {
    if (value == 0) {
      return this == SECONDS
          ? "0 s"
          : scales.getFirst().name().isEmpty() ? "0" : "0 " + scales.getFirst().name();
    }
    return scaleFor(Math.abs(value)).text(value);
  }
}
