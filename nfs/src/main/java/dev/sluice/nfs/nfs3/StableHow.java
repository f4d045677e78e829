package dev.sluice.nfs.nfs3;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;

/** How sure a write is before it is answered (stable_how). */
public enum StableHow {
  /** Lost if the server stops before a COMMIT. */
  UNSTABLE(0),
  /** The contents, and what is needed to find them, are on stable storage. */
  DATA_SYNC(1),
  /** All attributes are, too. */
  FILE_SYNC(2);

  private final int code;

  StableHow(int code) {
    this.code = code;
  }

  /** As it stands on the wire. */
  public int code() {
    return code;
  }

  /** Reads one; a number that the protocol does not know is an {@link XdrException}. */
  public static StableHow read(XdrReader in) {
    int code = in.readInt();
    return switch (code) {
      case 0 -> UNSTABLE;
      case 1 -> DATA_SYNC;
      case 2 -> FILE_SYNC;
      default -> throw new XdrException("expected a stable_how of 0 to 2, not " + code);
    };
  }
}
