package dev.sluice.store.documents;

import dev.sluice.core.model.LimitKey;
import dev.sluice.core.model.Quantities;
import dev.sluice.core.model.Quantities.Counted;

/**
 * Rates as people write them, without rounding anything away: a comparison must not hide a digit.
 */
public final class ExactRate {
  private ExactRate() {}

  /** A rate with its unit. */
  public static String text(long perSecond, Counted counted) {
    String rounded = Quantities.formatRate((double) perSecond, counted);
    return Quantities.parseRate(rounded).perSecond() == perSecond
        ? rounded
        : perSecond + (counted == Counted.BYTES ? " B/s" : " ops/s");
  }

  /** {@code metadata 5 kops/s}. */
  static String text(LimitKey key, long perSecond) {
    return key.scope() + " " + text(perSecond, key.counted());
  }
}
