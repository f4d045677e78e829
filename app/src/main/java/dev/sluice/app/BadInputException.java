package dev.sluice.app;

import java.io.Serial;

/**
 * What the user gave is not as it should be; the message is one line that says what was expected.
 */
public final class BadInputException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public BadInputException(String message) {
    super(message);
  }

  public BadInputException(String message, Throwable cause) {
    super(message, cause);
  }
}
