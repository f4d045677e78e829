package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.nfs4.Nfs4Status;

/** An operation's no. Frequent and expected, so it has no stack trace. */
final class Refusal extends Exception {
  private static final long serialVersionUID = 1L;

  private final Nfs4Status status;

  Refusal(Nfs4Status status, String message) {
    super(message, null, false, false);
    this.status = status;
  }

  Nfs4Status status() {
    return status;
  }

  /** What a file system's no is in version 4. */
  static Nfs4Status statusOf(FileException refusal) {
    return switch (refusal.status()) {
      case OK -> Nfs4Status.OK;
      case PERM -> Nfs4Status.PERM;
      case NOENT -> Nfs4Status.NOENT;
      case IO -> Nfs4Status.IO;
      case NXIO, NODEV -> Nfs4Status.NXIO;
      case ACCES -> Nfs4Status.ACCESS;
      case EXIST -> Nfs4Status.EXIST;
      case XDEV -> Nfs4Status.XDEV;
      case NOTDIR -> Nfs4Status.NOTDIR;
      case ISDIR -> Nfs4Status.ISDIR;
      case INVAL -> Nfs4Status.INVAL;
      case FBIG -> Nfs4Status.FBIG;
      case NOSPC -> Nfs4Status.NOSPC;
      case ROFS -> Nfs4Status.ROFS;
      case MLINK -> Nfs4Status.MLINK;
      case NAMETOOLONG -> Nfs4Status.NAMETOOLONG;
      case NOTEMPTY -> Nfs4Status.NOTEMPTY;
      case DQUOT -> Nfs4Status.DQUOT;
      case STALE -> Nfs4Status.STALE;
      case BADHANDLE -> Nfs4Status.BADHANDLE;
      case BAD_COOKIE -> Nfs4Status.BAD_COOKIE;
      case NOTSUPP -> Nfs4Status.NOTSUPP;
      case TOOSMALL -> Nfs4Status.TOOSMALL;
      case BADTYPE -> Nfs4Status.BADTYPE;
      case JUKEBOX -> Nfs4Status.DELAY;
      case REMOTE, NOT_SYNC, SERVERFAULT -> Nfs4Status.SERVERFAULT;
    };
  }
}
