package dev.sluice.gateway.files;

import dev.sluice.nfs.nfs3.Nfs3Status;

/**
 * A file system's no. Frequent and expected (a name that is not there), so it has no stack trace.
 */
public final class FileException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Nfs3Status status;

  public FileException(Nfs3Status status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  /** How the client is told. */
  public Nfs3Status status() {
    return status;
  }
}
