package dev.sluice.core.policy;

import org.jspecify.annotations.Nullable;

/** What was kept of a policy's state cannot be read; the message says where and why. */
public final class UnreadableStateException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnreadableStateException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
