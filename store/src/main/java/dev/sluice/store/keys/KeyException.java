package dev.sluice.store.keys;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** Keys cannot be made, read or written; the message says which, and why. */
public final class KeyException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  KeyException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
