package dev.sluice.core.schedule;

import java.util.Locale;

/** The schedulers there are, by name. */
public enum SchedulerKind {
  FIFO,
  TBF,
  FAIR,
  IOSETS,
  MLWDF,
  SOJOURN;

  /** As people write it: {@code tbf}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
