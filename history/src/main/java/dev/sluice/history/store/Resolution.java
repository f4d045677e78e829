package dev.sluice.history.store;

import java.util.concurrent.TimeUnit;

/** How finely history is kept, and for how long. Finest first. */
public enum Resolution {
  SECOND("second", 1_000, TimeUnit.HOURS.toMillis(1), TimeUnit.MINUTES.toMillis(5), 12),
  TEN_SECONDS("ten-seconds", 10_000, TimeUnit.DAYS.toMillis(1), TimeUnit.HOURS.toMillis(1), 15),
  MINUTE("minute", 60_000, TimeUnit.DAYS.toMillis(30), TimeUnit.DAYS.toMillis(1), 55),
  HOUR("hour", 3_600_000, TimeUnit.DAYS.toMillis(366), TimeUnit.DAYS.toMillis(1), 13);

  private final String text;
  private final int spanMillis;
  private final long keptMillis;
  private final long segmentMillis;
  private final int percentOfSpace;

  Resolution(String text, int spanMillis, long keptMillis, long segmentMillis, int percentOfSpace) {
    this.text = text;
    this.spanMillis = spanMillis;
    this.keptMillis = keptMillis;
    this.segmentMillis = segmentMillis;
    this.percentOfSpace = percentOfSpace;
  }

  /** The name of its files. */
  public String text() {
    return text;
  }

  public int spanMillis() {
    return spanMillis;
  }

  /** For how long it is kept, where there is room. */
  public long keptMillis() {
    return keptMillis;
  }

  /** How much time one file holds. */
  long segmentMillis() {
    return segmentMillis;
  }

  int percentOfSpace() {
    return percentOfSpace;
  }

  /** What its samples are added up from; the finest is of what is measured. */
  Resolution madeOf() {
    return this == HOUR ? MINUTE : SECOND;
  }

  /** The coarsest one that has a sample for each step, or the finest that reaches so far back. */
  public static Resolution stepping(long stepMillis, long millisBack) {
    Resolution chosen = reaching(millisBack);
    for (Resolution resolution : values()) {
      if (resolution.spanMillis <= stepMillis && resolution.spanMillis > chosen.spanMillis) {
        chosen = resolution;
      }
    }
    return chosen;
  }

  /** The finest one that reaches so far back. */
  public static Resolution reaching(long millisBack) {
    for (Resolution resolution : values()) {
      if (millisBack <= resolution.keptMillis) {
        return resolution;
      }
    }
    return HOUR;
  }
}
