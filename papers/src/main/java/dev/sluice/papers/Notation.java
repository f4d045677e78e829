package dev.sluice.papers;

import java.util.Locale;

/** How a figure is written: in which unit, and with how many digits. */
public enum Notation {
  /** A change: {@code +2.5 %}. */
  CHANGE(100, "%+,.1f", 1, " %"),
  /** A difference of two parts: {@code +2.5 points}. */
  POINTS(100, "%+,.1f", 1, " points"),
  /** A part of a whole: {@code 2.5 %}. */
  PART(100, "%,.1f", 1, " %"),
  /** A part that is next to nothing: {@code 0.0079 %}. */
  SMALL_PART(100, "%,.4f", 4, " %"),
  /** A ratio: {@code 1.136}. */
  RATIO(1, "%,.3f", 3, ""),
  /** A number of anything: {@code 1,234}. */
  COUNT(1, "%,.0f", 0, ""),
  SECONDS(1, "%,.1f", 1, " s"),
  MINUTES(1, "%,.1f", 1, " min"),
  MICROSECONDS(1, "%,.0f", 0, " µs"),
  NODE_HOURS(1, "%,.1f", 1, " node-hours"),
  REQUESTS(1, "%,.2f", 2, " requests"),
  MEGABYTES_PER_SECOND(1e-6, "%,.1f", 1, " MB/s"),
  KILO_OPERATIONS_PER_SECOND(1e-3, "%,.1f", 1, " kops/s");

  private final double factor;
  private final String format;
  private final int digits;
  private final String unit;

  Notation(double factor, String format, int digits, String unit) {
    this.factor = factor;
    this.format = format;
    this.digits = digits;
    this.unit = unit;
  }

  /** What is written of a quantity, in the unit in which it is written. */
  double written(double raw) {
    return rounded(raw * factor);
  }

  /** As many digits as are written; nothing is written of the sign of zero. */
  double rounded(double value) {
    if (!Double.isFinite(value)) {
      return value;
    }
    double scale = Math.pow(10, digits);
    return Math.round(value * scale) / scale + 0.0;
  }

  /** A value in the unit in which it is written, with that unit. */
  String text(double value) {
    return Double.isFinite(value) ? number(value) + unit : number(value);
  }

  /** The same without the unit. */
  String number(double value) {
    if (Double.isNaN(value)) {
      return "none";
    }
    if (Double.isInfinite(value)) {
      return this == SECONDS ? "never" : "infinite";
    }
    return String.format(Locale.ROOT, format, value);
  }
}
