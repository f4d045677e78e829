package dev.sluice.load.client;

import java.io.IOException;
import java.io.Serial;

/** Something that the server refused, in the words of whichever version. */
public abstract sealed class NfsException extends IOException permits Nfs3Exception, Nfs4Exception {
  @Serial private static final long serialVersionUID = 1;

  NfsException(String message) {
    super(message);
  }

  /** Whether there is no such name. */
  public abstract boolean isNoEntry();
}
