package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.FileTree.Stability;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.gateway.rpc.GivenContents;
import dev.sluice.gateway.rpc.ReplyContents;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/** READ, WRITE, COMMIT and READLINK (RFC 8881, sections 18.22, 18.32, 18.3 and 18.24). */
final class DataOperations {
  /** What stands before the contents in the results of a READ. */
  static final int READ_HEAD_BYTES = 2 * Integer.BYTES;

  private DataOperations() {}

  /** READ; how many bytes. */
  static int read(Compound compound, XdrReader in, XdrWriter out, ReplyContents contents)
      throws Refusal, FileException, StateException {
    StateId state = StateId.read(in);
    long offset = in.readLong();
    int count = compound.parts().transfers().of(in.readInt());
    FileNode file = regular(compound);
    // What is in a pipe takes no room there, and is as much under way.
    if (out.remaining() - contents.pipedBytes() < READ_HEAD_BYTES + XdrReader.padded(count)) {
      throw new Refusal(Nfs4Status.REP_TOO_BIG, "no room for " + count + " bytes");
    }
    checkAccess(compound, state, false);
    FileTree tree = compound.tree();
    int start = out.position();
    int contentsAt = start + READ_HEAD_BYTES;
    out.position(contentsAt);
    int read = 0;
    if (offset >= 0 && count > 0) {
      read = contents.read(tree, file, offset, count, compound.caller(), out.buffer(), contentsAt);
    }
    int end = out.position();
    boolean isEnd = read < count || offset < 0 || isAtEnd(tree.attributes(file), offset, read);
    out.position(start);
    out.writeBoolean(isEnd).writeInt(read);
    out.position(end);
    out.writePadding(read);
    return read;
  }

  private static boolean isAtEnd(Attributes attributes, long offset, int read) {
    return attributes.size() - offset <= read;
  }

  /** WRITE; how many bytes. */
  static int write(Compound compound, XdrReader in, GivenContents given, XdrWriter out)
      throws Refusal, FileException, StateException {
    StateId state = StateId.read(in);
    long offset = in.readLong();
    int stable = in.readInt();
    Stability stability = stability(stable);
    GivenContents.Run contents = given.next(in);
    int written = compound.parts().transfers().of(contents.bytes());
    compound.nodeForChange();
    FileNode file = regular(compound);
    checkAccess(compound, state, true);
    if (offset < 0 || offset > Long.MAX_VALUE - written) {
      throw new Refusal(Nfs4Status.FBIG, "no file has contents there");
    }
    FileTree tree = compound.tree();
    // Asked before the write, as in version 3.
    long verifier = tree.writeVerifier();
    contents.write(tree, file, offset, written, stability, compound.caller());
    out.writeInt(written).writeInt(stable).writeLong(verifier);
    return written;
  }

  static void commit(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    in.skip(Long.BYTES + Integer.BYTES);
    FileNode file = regular(compound);
    compound.tree().commit(file, compound.caller());
    out.writeLong(compound.tree().writeVerifier());
  }

  static void readlink(Compound compound, XdrWriter out) throws Refusal, FileException {
    if (compound.pseudoPath() != null) {
      throw new Refusal(Nfs4Status.WRONG_TYPE, "not a link");
    }
    FileNode link = compound.node();
    if (compound.tree().typeOf(link) != FileType.SYMBOLIC_LINK) {
      throw new Refusal(Nfs4Status.WRONG_TYPE, "not a link");
    }
    byte[] content = compound.tree().readLink(link, compound.caller());
    if (content.length > Nfs3Sizes.LINK_BYTES_MAX) {
      throw new Refusal(Nfs4Status.IO, "a link that is too long");
    }
    out.writeOpaque(content);
  }

  private static void checkAccess(Compound compound, StateId state, boolean isWrite)
      throws Refusal, StateException {
    compound
        .parts()
        .states()
        .checkAccess(
            compound.client(),
            compound.state(state),
            compound.handle(),
            isWrite,
            compound.parts().nowNanos());
  }

  /** The current file, which must have contents. */
  static FileNode regular(Compound compound) throws Refusal, FileException {
    if (compound.pseudoPath() != null) {
      throw new Refusal(Nfs4Status.ISDIR, "a directory");
    }
    FileNode file = compound.node();
    FileType type = compound.tree().typeOf(file);
    return switch (type) {
      case REGULAR -> file;
      case DIRECTORY -> throw new Refusal(Nfs4Status.ISDIR, "a directory");
      case SYMBOLIC_LINK -> throw new Refusal(Nfs4Status.SYMLINK, "a symbolic link");
      default -> throw new Refusal(Nfs4Status.WRONG_TYPE, "a " + type);
    };
  }

  private static Stability stability(int code) {
    return switch (code) {
      case 0 -> Stability.UNSTABLE;
      case 1 -> Stability.DATA_SYNC;
      case 2 -> Stability.FILE_SYNC;
      default -> throw new XdrException("expected a stable_how4 of 0 to 2, not " + code);
    };
  }
}
