package dev.sluice.app;

import java.io.Serial;

/** Something outside failed, such as a disk; the message is one line that says what and where. */
public final class FailedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public FailedException(String message) {
    super(message);
  }

  public FailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
