package dev.sluice.history.model;

/**
 * Something that happened at an instant.
 *
 * @param atMillis since 1970
 * @param who brought it about; empty where nobody did
 * @param subject the job or target that it is about; empty where it is about none
 * @param words what happened, for people
 */
public record Event(long atMillis, Kind kind, String who, String subject, String words) {
  /** Longer texts are cut: a bound on what a stranger can make us keep. */
  private static final int TEXT_LENGTH_MAX = 2_000;

  /** What sort of thing it is. The codes are in files and never change. */
  public enum Kind {
    /** Sampling began, which it does with its program. */
    STARTED(1, "started"),
    /** Somebody changed the policy, a weight, a limit, the rules or what is enforced. */
    CHANGE(2, "change"),
    /** Something does not work as it should, or does so again. */
    TROUBLE(3, "trouble"),
    /** Why a job had to wait. */
    HELD_BACK(4, "held back"),
    /** An alert fired or was resolved. */
    ALERT(5, "alert");

    private final int code;
    private final String text;

    Kind(int code, String text) {
      this.code = code;
      this.text = text;
    }

    public int code() {
      return code;
    }

    /** For people. */
    public String text() {
      return text;
    }
  }

  public Event {
    who = cut(who);
    subject = cut(subject);
    words = cut(words);
  }

  private static String cut(String text) {
    return text.length() <= TEXT_LENGTH_MAX ? text : text.substring(0, TEXT_LENGTH_MAX);
  }
}
