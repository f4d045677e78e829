package dev.sluice.access;

/**
 * Somebody who asks.
 *
 * @param who a name for logs and audit lines
 */
public record Caller(String who, Role role) {
  /** Somebody of whom nothing is known. */
  public static final Caller ANYBODY = new Caller("anybody", Role.READ);

  /** Whether it is known who this is: by a token, or because it is somebody on this machine. */
  public boolean isKnown() {
    return !equals(ANYBODY);
  }
}
