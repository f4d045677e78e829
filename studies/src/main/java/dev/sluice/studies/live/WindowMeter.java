package dev.sluice.studies.live;

import java.util.ArrayList;
import java.util.List;

/** Finds the highest rate over any window of a counter that is read now and then. */
final class WindowMeter {
  /**
   * A reading.
   *
   * @param beforeNanos when the reader began, and {@code afterNanos} when it had the count: the
   *     machine may have let it wait in between
   */
  private record Reading(long beforeNanos, long count, long afterNanos) {}

  private final List<Reading> readings = new ArrayList<>();

  void add(long beforeNanos, long count, long afterNanos) {
    readings.add(new Reading(beforeNanos, count, afterNanos));
  }

  /**
   * The highest rate a second over any window that begins and ends with a reading and is the
   * shortest of at least this length; 0 where nothing was read for so long.
   */
  double mostPerSecond(long windowNanos) {
    double most = 0;
    int end = 0;
    for (Reading begin : readings) {
      while (end < readings.size()
          && readings.get(end).afterNanos() - begin.beforeNanos() < windowNanos) {
        end++;
      }
      if (end == readings.size()) {
        break;
      }
      Reading last = readings.get(end);
      double seconds = (last.afterNanos() - begin.beforeNanos()) / 1e9;
      most = Math.max(most, (last.count() - begin.count()) / seconds);
    }
    return most;
  }
}
