package dev.sluice.app.lustre;

import dev.sluice.app.BadInputException;
import dev.sluice.core.model.Quantities;

/** The time that the option {@code --interval} says. */
final class IntervalOption {
  private static final long NANOS_MIN = 10_000_000L;
  private static final long NANOS_MAX = 3_600_000_000_000L;

  private IntervalOption() {}

  static long nanos(String interval) {
    long nanos;
    try {
      nanos = Quantities.parseDurationNanos(interval);
    } catch (IllegalArgumentException e) {
      throw new BadInputException("--interval \"" + interval + "\": " + e.getMessage(), e);
    }
    if (nanos < NANOS_MIN || nanos > NANOS_MAX) {
      throw new BadInputException(
          "--interval \"" + interval + "\": expected a duration from 10 ms to 1 h");
    }
    return nanos;
  }
}
