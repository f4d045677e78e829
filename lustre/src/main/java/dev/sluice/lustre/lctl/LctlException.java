package dev.sluice.lustre.lctl;

import java.io.IOException;
import java.io.Serial;

/** Lctl ran and failed. The message is one line that says what it was asked and what it said. */
public final class LctlException extends IOException {
  @Serial private static final long serialVersionUID = 1;

  /** No such file: a target or service that is not there. */
  public static final int ENOENT = 2;

  /** No such device: the policy that a parameter belongs to is off. */
  public static final int ENODEV = 19;

  private final int exitCode;

  LctlException(String asked, Lctl.Outcome outcome) {
    super("lctl " + asked + ": " + outcome.problem());
    this.exitCode = outcome.exitCode();
  }

  public int exitCode() {
    return exitCode;
  }
}
