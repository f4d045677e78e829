package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree.Space;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.nfs.nfs3.FileSystemProperties;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** FSSTAT, FSINFO and PATHCONF (RFC 1813, sections 3.3.18 to 3.3.20). */
final class FileSystemProcedures {
  private static final int PROPERTIES =
      FileSystemProperties.LINK
          | FileSystemProperties.SYMBOLIC_LINK
          | FileSystemProperties.HOMOGENEOUS
          | FileSystemProperties.CAN_SET_TIME;

  private FileSystemProcedures() {}

  static void fsstat(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    FileNode file = call.open();
    Space space = call.tree().space(file);
    Results.writeOk(out);
    Results.writePostOp(call, file, out);
    out.writeLong(space.totalBytes())
        .writeLong(space.freeBytes())
        .writeLong(space.availableBytes())
        .writeLong(space.totalFiles())
        .writeLong(space.freeFiles())
        .writeLong(space.freeFiles());
    // For how many seconds this will not change: nobody knows.
    out.writeInt(0);
  }

  static void fsinfo(OpenCall call, TransferSize transfers, XdrReader in, XdrWriter out)
      throws FileException {
    Arguments.skipHandle(in);
    FileNode file = call.open();
    Results.writeOk(out);
    Results.writePostOp(call, file, out);
    for (int i = 0; i < 2; i++) { // For READ, and the same for WRITE.
      out.writeInt(transfers.bytesMax())
          .writeInt(transfers.preferredBytes())
          .writeInt(TransferSize.MULTIPLE_BYTES);
    }
    out.writeInt(Nfs3Sizes.LISTING_BYTES_MAX).writeLong(Long.MAX_VALUE);
    // Times are told apart by a nanosecond.
    out.writeInt(0).writeInt(1);
    out.writeInt(PROPERTIES);
  }

  static void pathconf(OpenCall call, XdrReader in, XdrWriter out) throws FileException {
    Arguments.skipHandle(in);
    FileNode file = call.open();
    Space space = call.tree().space(file);
    Results.writeOk(out);
    Results.writePostOp(call, file, out);
    out.writeInt(space.linksMax())
        .writeInt(Math.min(space.nameBytesMax(), Nfs3Sizes.NAME_BYTES_MAX));
    boolean longNamesAreRefused = true;
    boolean onlyRootGivesFilesAway = true;
    boolean caseInsensitive = false;
    boolean casePreserving = true;
    out.writeBoolean(longNamesAreRefused)
        .writeBoolean(onlyRootGivesFilesAway)
        .writeBoolean(caseInsensitive)
        .writeBoolean(casePreserving);
  }
}
