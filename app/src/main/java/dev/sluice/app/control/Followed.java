package dev.sluice.app.control;

/** What SIGHUP can tell a program whose documents, tokens and certificates are followed anyway. */
final class Followed {
  private Followed() {}

  /** Whether something in the configuration itself waits for a restart. */
  static String words(Object before, Object now) {
    return before.equals(now)
        ? "documents, tokens and certificates are followed as they change; nothing else is new"
        : "documents, tokens and certificates are followed as they change; the configuration has"
            + " changed, is good, and holds from the next start on";
  }
}
