package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Status;
import java.io.Serial;

/** An operation of a COMPOUND that the server refused. */
public final class Nfs4Exception extends NfsException {
  @Serial private static final long serialVersionUID = 1;

  private final Nfs4Operation operation;
  private final Nfs4Status status;

  Nfs4Exception(Nfs4Operation operation, Nfs4Status status) {
    super(operation + " was refused with NFS4ERR_" + status);
    this.operation = operation;
    this.status = status;
  }

  public Nfs4Operation operation() {
    return operation;
  }

  public Nfs4Status status() {
    return status;
  }

  @Override
  public boolean isNoEntry() {
    return status == Nfs4Status.NOENT;
  }
}
