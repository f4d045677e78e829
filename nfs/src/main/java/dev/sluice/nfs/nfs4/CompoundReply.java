package dev.sluice.nfs.nfs4;

import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;

/** The answer to a COMPOUND, read from the first operation's results on. */
public final class CompoundReply {
  private final XdrReader in;
  private final Nfs4Status status;
  private final int operations;

  public CompoundReply(XdrReader in) {
    this.in = in;
    this.status = Nfs4Status.read(in);
    in.skipOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
    this.operations = in.readInt();
  }

  /** How the last operation that was done ended. */
  public Nfs4Status status() {
    return status;
  }

  /** How many were done. */
  public int operations() {
    return operations;
  }

  /**
   * Goes on to the next operation, of whose results all have been read or skipped; says how it
   * ended.
   */
  public Nfs4Status next(Nfs4Operation operation) {
    int code = in.readInt();
    if (code != operation.code()) {
      throw new XdrException("expected results of " + operation + ", not of operation " + code);
    }
    return Nfs4Status.read(in);
  }

  /** Where the results stand. */
  public XdrReader in() {
    return in;
  }

  /** Reads the state that an OPEN gave, and passes over all the rest of its results. */
  public static StateId readOpened(XdrReader in) {
    StateId state = StateId.read(in);
    in.skip(Integer.BYTES + 2 * Long.BYTES + Integer.BYTES); // the directory's change, flags
    AttributeSet.read(in);
    switch (in.readInt()) {
      case 0 -> {}
      case 3 -> { // why there is no delegation
        int reason = in.readInt();
        if (reason == 1 || reason == 2) {
          in.readInt();
        }
      }
      default -> throw new XdrException("a delegation that nobody asked for");
    }
    return state;
  }
}
