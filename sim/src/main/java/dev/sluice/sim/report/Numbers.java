package dev.sluice.sim.report;

import dev.sluice.core.model.Quantities;
import dev.sluice.sim.result.LatencySummary;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Numbers as files and tables have them: the same digits on every machine and in every country. */
final class Numbers {
  /** What a table shows where there is nothing to show. */
  static final String NOTHING = "–";

  private static final int DECIMALS_MAX = 6;
  private static final int NANOS_DECIMALS = 9;

  private Numbers() {}

  /** At most six decimals, without zeros at the end. */
  static String plain(double value) {
    if (!Double.isFinite(value)) {
      return "";
    }
    BigDecimal rounded =
        new BigDecimal(value).setScale(DECIMALS_MAX, RoundingMode.HALF_EVEN).stripTrailingZeros();
    return rounded.signum() == 0 ? "0" : rounded.toPlainString();
  }

  static String plain(OptionalDouble value) {
    return value.isPresent() ? plain(value.getAsDouble()) : "";
  }

  /** Nanoseconds as seconds, exactly. */
  static String seconds(long nanos) {
    return nanos == 0
        ? "0"
        : BigDecimal.valueOf(nanos, NANOS_DECIMALS).stripTrailingZeros().toPlainString();
  }

  static String seconds(OptionalLong nanos) {
    return nanos.isPresent() ? seconds(nanos.getAsLong()) : "";
  }

  /** For a table: two decimals. */
  static String ratio(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.2f", value.getAsDouble()) : NOTHING;
  }

  /** For a table: three decimals, because fairness is told by the third. */
  static String index(OptionalDouble value) {
    return value.isPresent() ? String.format(Locale.ROOT, "%.3f", value.getAsDouble()) : NOTHING;
  }

  static String percent(OptionalDouble part) {
    return part.isPresent()
        ? String.format(Locale.ROOT, "%.1f %%", 100 * part.getAsDouble())
        : NOTHING;
  }

  /** For a table: a change with its sign; one that rounds to none has no sign. */
  static String change(OptionalDouble part) {
    if (part.isEmpty()) {
      return NOTHING;
    }
    double tenths = Math.rint(1_000 * part.getAsDouble());
    return tenths == 0 ? "0.0 %" : String.format(Locale.ROOT, "%+.1f %%", tenths / 10);
  }

  static String duration(OptionalLong nanos) {
    return nanos.isPresent() ? duration(nanos.getAsLong()) : NOTHING;
  }

  static String duration(long nanos) {
    return nanos == 0 ? "0 s" : Quantities.formatDuration(nanos);
  }

  /** A latency among others; nothing where no request was measured. */
  static String latency(LatencySummary measured, long nanos) {
    return measured.count() == 0 ? NOTHING : duration(nanos);
  }

  /** For a file: as above. */
  static String latencySeconds(LatencySummary measured, long nanos) {
    return measured.count() == 0 ? "" : seconds(nanos);
  }

  /** For a file: for how long the oldest request still waited; nothing where none did. */
  static String oldestWaitSeconds(LatencySummary measured) {
    return measured.waiting() == 0 ? "" : seconds(measured.oldestWaitNanos());
  }

  /** For a table: how many requests still waited, and the oldest of them for how long. */
  static String stillWaiting(long waiting, long oldestWaitNanos) {
    return waiting == 0 ? NOTHING : count(waiting) + ", up to " + duration(oldestWaitNanos);
  }

  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
