package dev.sluice.gateway.nfs4.state;

import dev.sluice.nfs.nfs4.Nfs4Status;

/** Says why something is refused: what the client is told, and a sentence for whoever looks. */
public final class StateException extends Exception {
  private static final long serialVersionUID = 1L;

  private final Nfs4Status status;

  public StateException(Nfs4Status status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  public Nfs4Status status() {
    return status;
  }
}
