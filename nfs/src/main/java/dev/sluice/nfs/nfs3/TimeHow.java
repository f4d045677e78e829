package dev.sluice.nfs.nfs3;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;

/** What SETATTR is to do about a time (time_how). */
public enum TimeHow {
  DONT_CHANGE(0),
  SET_TO_SERVER_TIME(1),
  SET_TO_CLIENT_TIME(2);

  private final int code;

  TimeHow(int code) {
    this.code = code;
  }

  /** As it stands on the wire. */
  public int code() {
    return code;
  }

  /** Reads one; a number that the protocol does not know is an {@link XdrException}. */
  public static TimeHow read(XdrReader in) {
    int code = in.readInt();
    return switch (code) {
      case 0 -> DONT_CHANGE;
      case 1 -> SET_TO_SERVER_TIME;
      case 2 -> SET_TO_CLIENT_TIME;
      default -> throw new XdrException("expected a time_how of 0 to 2, not " + code);
    };
  }
}
