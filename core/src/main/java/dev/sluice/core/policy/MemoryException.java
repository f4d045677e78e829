package dev.sluice.core.policy;

import org.jspecify.annotations.Nullable;

/** What a policy remembers cannot be had or kept; the message says where it is and why not. */
public class MemoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MemoryException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
