package dev.sluice.history.api;

import dev.sluice.core.model.Quantities;
import java.util.concurrent.TimeUnit;

/** How far back somebody wants to look. */
public final class Durations {
  private static final long MILLIS_MAX = TimeUnit.DAYS.toMillis(366);

  private Durations() {}

  /** Reads a text such as {@code 10min}, {@code 24h} or {@code 30d}. */
  public static long millis(String name, String text) {
    long millis;
    try {
      millis = TimeUnit.NANOSECONDS.toMillis(Quantities.parseDurationNanos(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          name + " " + text + ": expected a duration such as 10min, 24h or 30d", e);
    }
    if (millis < 1 || millis > MILLIS_MAX) {
      throw new IllegalArgumentException(name + " " + text + ": expected 1 ms to 366d");
    }
    return millis;
  }
}
