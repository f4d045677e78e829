package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree.Stability;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.rpc.GivenContents;
import dev.sluice.gateway.rpc.ReplyContents;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.StableHow;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** READLINK, READ, WRITE and COMMIT (RFC 1813, sections 3.3.5 to 3.3.7 and 3.3.21). */
final class DataProcedures {
  private DataProcedures() {}

  static void readlink(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    FileNode link = call.open();
    byte[] content = Arguments.checkLink(call.tree().readLink(link, call.caller()));
    Results.writeOk(out);
    Results.writePostOp(call, link, out);
    out.writeOpaque(content);
  }

  /** READ: what comes before the contents is filled in when it is known how many these are. */
  static int read(
      OpenCall call, TransferSize transfers, XdrReader in, XdrWriter out, ReplyContents contents)
      throws FileException {
    Arguments.skipHandle(in);
    long offset = in.readLong();
    int count = transfers.of(in.readInt());
    FileNode file = call.open();

    int start = out.position();
    int contentsAt = start + Nfs3Sizes.READ_RESULT_HEADER_BYTES;
    out.position(contentsAt);
    int read = 0;
    if (offset >= 0) { // They are unsigned on the wire; no file reaches beyond the lower half.
      read =
          contents.read(call.tree(), file, offset, count, call.caller(), out.buffer(), contentsAt);
    }
    int end = out.position();
    Attributes attributes = call.tree().attributes(file);

    out.position(start);
    Results.writeOk(out);
    Results.writePostOp(attributes, out);
    out.writeInt(read).writeBoolean(isEnd(offset, count, read, attributes.size())).writeInt(read);
    out.position(end);
    out.writePadding(read);
    return read;
  }

  static int write(
      OpenCall call, TransferSize transfers, XdrReader in, GivenContents given, XdrWriter out)
      throws FileException {
    Arguments.skipHandle(in);
    long offset = in.readLong();
    int count = in.readInt();
    StableHow stable = StableHow.read(in);
    GivenContents.Run contents = given.next(in);
    if (count != contents.bytes()) {
      throw new XdrException(
          "expected "
              + Integer.toUnsignedString(count)
              + " bytes to write, there are "
              + contents.bytes());
    }
    FileNode file = call.openForChange();
    int written = transfers.of(count);
    // Offsets are unsigned on the wire; no file system here has the upper half.
    if (offset < 0 || offset > Long.MAX_VALUE - written) {
      throw new FileException(
          Nfs3Status.FBIG, "at byte " + Long.toUnsignedString(offset) + " no file has contents");
    }
    // Asked before the write: should it change meanwhile, the client must see the old one here and
    // the new one with its COMMIT, and send the contents again.
    long verifier = call.tree().writeVerifier();
    contents.write(call.tree(), file, offset, written, stability(stable), call.caller());
    Results.writeOk(out);
    Results.writeWeakConsistency(call, file, true, out);
    out.writeInt(written).writeInt(stable.code()).writeLong(verifier);
    return written;
  }

  /** COMMIT: of the whole file, which the protocol allows whatever range is asked for. */
  static void commit(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    in.skip(Long.BYTES + Integer.BYTES);
    FileNode file = call.open();
    call.tree().commit(file, call.caller());
    Results.writeOk(out);
    Results.writeWeakConsistency(call, file, true, out);
    // Asked after the commit, for the reason that WRITE asks before.
    out.writeLong(call.tree().writeVerifier());
  }

  /**
   * Whether a read came to the end of its file. The size that the same reply tells decides, except
   * that a read that wanted something and got nothing was at the end whatever the size is by now:
   * clients take it for an error otherwise.
   */
  private static boolean isEnd(long offset, int wanted, int read, long size) {
    return (wanted > 0 && read == 0) || offset < 0 || size - offset <= read;
  }

  private static Stability stability(StableHow stable) {
    return switch (stable) {
      case UNSTABLE -> Stability.UNSTABLE;
      case DATA_SYNC -> Stability.DATA_SYNC;
      case FILE_SYNC -> Stability.FILE_SYNC;
    };
  }
}
