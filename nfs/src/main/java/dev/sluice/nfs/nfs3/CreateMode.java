package dev.sluice.nfs.nfs3;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;

/** What CREATE is to do about a file that is there (createmode3). */
public enum CreateMode {
  /** Take it. */
  UNCHECKED(0),
  /** Refuse. */
  GUARDED(1),
  /** Refuse, unless it was made with the same verifier. */
  EXCLUSIVE(2);

  private final int code;

  CreateMode(int code) {
    this.code = code;
  }

  /** As it stands on the wire. */
  public int code() {
    return code;
  }

  /** Reads one; a number that the protocol does not know is an {@link XdrException}. */
  public static CreateMode read(XdrReader in) {
    int code = in.readInt();
    return switch (code) {
      case 0 -> UNCHECKED;
      case 1 -> GUARDED;
      case 2 -> EXCLUSIVE;
      default -> throw new XdrException("expected a createmode3 of 0 to 2, not " + code);
    };
  }
}
