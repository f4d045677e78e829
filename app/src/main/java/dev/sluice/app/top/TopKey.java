package dev.sluice.app.top;

/** A key that somebody pressed. */
sealed interface TopKey {
  /** A key that stands for no character. */
  enum Special implements TopKey {
    UP,
    DOWN,
    ENTER,
    ESCAPE,
    BACKSPACE,
    /** Ctrl-C, or the end of the terminal. */
    END
  }

  /** A key that stands for a character. */
  record Letter(int codePoint) implements TopKey {}

  /** Whether it leads out of what was opened. */
  default boolean isLeaving() {
    return this == Special.ESCAPE
        || this == Special.ENTER
        || (this instanceof Letter(int letter) && (letter == 'q' || letter == 'e'));
  }
}
