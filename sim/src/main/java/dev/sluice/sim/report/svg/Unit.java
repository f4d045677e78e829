package dev.sluice.sim.report.svg;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** What an axis counts; large and small numbers are shown in multiples that people read. */
public enum Unit {
  BYTES_PER_SECOND,
  OPERATIONS_PER_SECOND,
  SECONDS,
  TOKENS,
  REQUESTS,
  /** Values are parts, 0 to 1. */
  PERCENT,
  /** A number without a unit. */
  NUMBER;

  private static final int DIGITS = 3;

  private List<Scale> scales() {
    return switch (this) {
      case BYTES_PER_SECOND -> thousands("B/s", "kB/s", "MB/s", "GB/s", "TB/s");
      case OPERATIONS_PER_SECOND -> thousands("ops/s", "kops/s", "Mops/s");
      case SECONDS ->
          List.of(
              new Scale(1e-6, "µs"),
              new Scale(1e-3, "ms"),
              new Scale(1, "s"),
              new Scale(60, "min"),
              new Scale(3_600, "h"),
              new Scale(86_400, "d"));
      case TOKENS -> thousands("tokens", "thousand tokens", "million tokens");
      case REQUESTS -> thousands("requests", "thousand requests", "million requests");
      case PERCENT -> List.of(new Scale(0.01, "%"));
      case NUMBER -> List.of(new Scale(1, ""));
    };
  }

  private static List<Scale> thousands(String... names) {
    List<Scale> scales = new ArrayList<>();
    double size = 1;
    for (String name : names) {
      scales.add(new Scale(size, name));
      size *= 1_000;
    }
    return scales;
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
    Scale best = scales().getFirst();
    for (Scale scale : scales()) {
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
          : scales().getFirst().name().isEmpty() ? "0" : "0 " + scales().getFirst().name();
    }
    return scaleFor(Math.abs(value)).text(value);
  }
}
