package dev.sluice.web.live;

/** A program that cannot tell its status; the message says why, in its own words. */
public final class NoStatusException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  NoStatusException(String message) {
    super(message);
  }
}
