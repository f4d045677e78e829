package dev.sluice.jobs.slurm;

import java.io.IOException;

/** What came from Slurm is not what Slurm says; the message tells what was expected. */
final class BadAnswerException extends IOException {
  private static final long serialVersionUID = 1L;

  BadAnswerException(String message) {
    super(message);
  }

  BadAnswerException(String message, Throwable cause) {
    super(message, cause);
  }
}
