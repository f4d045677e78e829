package dev.sluice.core.policy;

/** What was kept of a policy's state is sound, but of no use with the settings it has now. */
public final class UnfitStateException extends RuntimeException {
  private static final long serialVersionUID = 1;

  UnfitStateException(String message) {
    super(message);
  }
}
