package dev.sluice.control.wire;

/** What the other side said cannot be used; the message says why, and goes back to it. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What kind of refusal it is. */
  public enum Kind {
    /** It makes no sense, comes out of order, or was there before. */
    BAD_MESSAGE,
    /** The other side is not who it says it is. */
    NOT_ALLOWED,
    /** The other side speaks for more than its own nodes. */
    NOT_ITS_OWN,
    /** There is no room for it. */
    TOO_MANY,
    /** It may be right, but not here or not now; trying elsewhere or later is worth it. */
    NOT_NOW
  }

  private final Kind kind;

  public RefusedException(Kind kind, String reason) {
    super(reason);
    this.kind = kind;
  }

  public static RefusedException badMessage(String reason) {
    return new RefusedException(Kind.BAD_MESSAGE, reason);
  }

  public Kind kind() {
    return kind;
  }

  /** Why, in words. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
