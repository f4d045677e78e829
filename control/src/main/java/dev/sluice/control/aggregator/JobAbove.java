package dev.sluice.control.aggregator;

import dev.sluice.control.stage.RateKey;
import dev.sluice.control.stage.StageJob;
import java.util.LinkedHashMap;
import java.util.Map;

/** A job as the one above us knows it in this call. Not thread-safe. */
final class JobAbove {
  private final int number;
  private final Map<RateKey, Long> rates = new LinkedHashMap<>();
  private int orders;

  JobAbove(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** Orders say what it may do; {@code plusOne} is 0 where a limit is taken away. */
  void order(RateKey key, long plusOne) {
    if (plusOne == 0) {
      rates.remove(key);
    } else {
      rates.put(key, plusOne - 1);
    }
  }

  /**
   * Hands on to the nodes what it may do. What the first orders after it was introduced do not
   * mention may be on its way: only the second ones take away what was left from an earlier call.
   */
  void handOn(StageJob job, boolean mentioned, long turn) {
    orders++;
    rates.forEach((key, perSecond) -> job.allow(key, perSecond, turn));
    if (mentioned || orders > 1) {
      job.liftAllBut(RateKey.bits(rates.keySet()));
    }
  }
}
