package dev.sluice.web.server;

/** A request that cannot be met; the message says why, and goes to whoever asked. */
public final class RefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  /**
   * A refusal.
   *
   * @param status the status code of HTTP, from 400 on
   */
  public RefusedException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** The status code of HTTP. */
  public int status() {
    return status;
  }
}
