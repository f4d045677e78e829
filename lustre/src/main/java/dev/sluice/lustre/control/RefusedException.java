package dev.sluice.lustre.control;

import java.io.Serial;

/** The server is not one that may be looked after as it is; the message says why, in one line. */
public final class RefusedException extends Exception {
  @Serial private static final long serialVersionUID = 1;

  RefusedException(String message) {
    super(message);
  }
}
