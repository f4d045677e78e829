package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.FileTree.EntrySink;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * Writes a directory's entries into results (dirlist3, dirlistplus3) as far as they fit into what
 * the client has room for.
 */
final class Listing implements EntrySink {
  /** What comes before the entries, after the status: attributes and cookie verifier. */
  static final int HEAD_BYTES = Nfs3Sizes.POST_OP_ATTRIBUTES_BYTES + Long.BYTES;

  /** What comes after them: that there are no more, and whether the directory ends here. */
  static final int END_BYTES = 2 * Integer.BYTES;

  /**
   * The most that is said of an entry besides its name. Whether that much was needed is known only
   * when it is written, so the results need this much room beyond what the client has.
   */
  static final int DETAILS_BYTES_MAX =
      Nfs3Sizes.POST_OP_ATTRIBUTES_BYTES + 2 * Integer.BYTES + Nfs3Procedure.HANDLE_BYTES_MAX;

  private final XdrWriter out;
  private final int positionMax;
  private final int nameBytesMax;
  private final Details details;
  private int nameBytes;
  private int entries;

  /**
   * Writes where {@code out} stands.
   *
   * @param positionMax where the listing must have ended
   * @param nameBytesMax how much of it may be names, cookies and file numbers; a wish, which does
   *     not keep the first entry out
   */
  Listing(XdrWriter out, int positionMax, int nameBytesMax, Details details) {
    this.out = out;
    this.positionMax = positionMax - END_BYTES;
    this.nameBytesMax = nameBytesMax;
    this.details = details;
  }

  /** Writes what is said of an entry besides its name, number and cookie. */
  @FunctionalInterface
  interface Details {
    void write(byte[] name, XdrWriter out);
  }

  @Override
  public boolean entry(long fileNumber, byte[] name, long cookie) {
    if (name.length > Nfs3Sizes.NAME_BYTES_MAX) {
      return true; // Nobody could look it up, and a client may be confused by it.
    }
    int bytes = 2 * Long.BYTES + Integer.BYTES + XdrReader.padded(name.length);
    int start = out.position();
    boolean tooMuchOfNames = entries > 0 && nameBytes + bytes > nameBytesMax;
    if (tooMuchOfNames || start + Integer.BYTES + bytes > positionMax) {
      return false;
    }
    out.writeBoolean(true).writeLong(fileNumber).writeOpaque(name).writeLong(cookie);
    details.write(name, out);
    if (out.position() > positionMax) {
      out.position(start);
      return false;
    }
    nameBytes += bytes;
    entries++;
    return true;
  }

  /** How many entries were written. */
  int entries() {
    return entries;
  }

  /**
   * Writes what comes after the entries; false when the client has too little room even for this,
   * or for the first entry.
   */
  boolean end(boolean isEndOfDirectory) {
    if (out.position() > positionMax || (entries == 0 && !isEndOfDirectory)) {
      return false;
    }
    out.writeBoolean(false).writeBoolean(isEndOfDirectory);
    return true;
  }
}
