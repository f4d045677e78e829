package dev.sluice.history.frame;

/** A record that no writer of ours has written. */
public final class MalformedRecordException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedRecordException(String message) {
    super(message);
  }
}
