package dev.sluice.core.schedule;

import java.util.Locale;

/** The schedulers there are, by name. */
public enum SchedulerKind {
  FIFO,
  TBF,
  FAIR,
  IOSETS,
  MLWDF,
  SOJOURN,
  THEMIS;

  /** Whether it divides over a {@link ShareTree}; others pass it over. */
  public boolean dividesByBranch() {
    return this == FAIR || this == SOJOURN || this == THEMIS;
  }

  /** Whether it serves first what {@link Shares} reserve; others pass it over. */
  public boolean keepsReserves() {
    return this == FAIR || this == SOJOURN;
  }

  /** As people write it: {@code tbf}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
