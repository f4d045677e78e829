package dev.sluice.gateway.admin;

/**
 * Something that makes a gateway sick.
 *
 * @param about the target, or whatever it is about; empty where there is only one
 * @param words for whoever is called because of it
 */
public record HealthFinding(Kind kind, String about, String words) {
  /** What may be wrong. */
  public enum Kind {
    /** A request has been in service for too long: the storage does not answer. */
    STUCK_TARGET("stuck-target"),
    /** Requests wait although nothing holds them back. */
    QUEUE_NOT_DRAINED("queue-not-drained"),
    /** Threads that serve requests are gone. */
    WORKERS_DIED("workers-died"),
    /** Nothing is decided, or what was decided is too old to hold. */
    CONTROL_LAPSED("control-lapsed"),
    /** Requests on their way hold nearly all that they may, for long. */
    MEMORY_EXHAUSTED("memory-exhausted"),
    /** What happens is not kept. */
    HISTORY_NOT_WRITTEN("history-not-written"),
    /** Nobody has looked lately, so that all else may be old. */
    NOT_WATCHED("not-watched");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** As programs read it. */
    public String text() {
      return text;
    }
  }
}
