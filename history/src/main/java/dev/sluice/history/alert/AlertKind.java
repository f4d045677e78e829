package dev.sluice.history.alert;

import java.util.Locale;

/** What an alert is about. */
public enum AlertKind {
  /** A target serves all that it can, for too long. */
  TARGET_SATURATED,
  /** A job's requests wait too long. */
  JOB_WAITING,
  /** The controller was not heard of for too long. */
  CONTROLLER_LOST,
  /** Nobody is limited, because no decision came for too long. */
  LIMITS_LAPSED;

  /** As people and programs read it: {@code target-saturated}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
