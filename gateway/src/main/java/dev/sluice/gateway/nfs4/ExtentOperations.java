package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileExtents;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * What version 4.2 has for contents that are not sent: SEEK, ALLOCATE, DEALLOCATE, COPY, CLONE and
 * IO_ADVISE (RFC 7862, sections 15.11, 15.1, 15.4, 15.2, 15.13 and 15.5). Copies are within a file
 * system and done when they are answered; of a long one only the beginning, as the count says.
 */
final class ExtentOperations {
  private static final int DATA = 0;
  private static final int HOLE = 1;
  private static final int UNSTABLE = 0;

  private ExtentOperations() {}

  static void seek(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, FileException, StateException {
    StateId state = StateId.read(in);
    long offset = in.readLong();
    int what = in.readInt();
    FileNode file = regular(compound);
    checkAccess(compound, compound.state(state), compound.handle(), false);
    if (what != DATA && what != HOLE) {
      throw new Refusal(Nfs4Status.UNION_NOTSUPP, "neither data nor a hole is looked for");
    }
    FileTree tree = compound.tree();
    FileExtents extents = tree.extents();
    long size = tree.attributes(file).size();
    if (offset < 0 || offset >= size) {
      throw new Refusal(Nfs4Status.NXIO, "beyond the end");
    }
    Caller caller = compound.caller();
    long found =
        what == DATA
            ? extents.nextData(file, offset, caller)
            : extents.nextHole(file, offset, caller);
    boolean isEnd = found == FileExtents.NOWHERE || found >= size;
    out.writeBoolean(isEnd).writeLong(isEnd ? size : found);
  }

  /** ALLOCATE and DEALLOCATE, which are done as a whole: whoever is told DELAY comes again. */
  static void reserve(Compound compound, boolean isReserved, LongWork work, XdrReader in)
      throws Refusal, FileException, StateException {
    StateId state = StateId.read(in);
    long offset = in.readLong();
    long length = in.readLong();
    compound.nodeForChange();
    FileNode file = regular(compound);
    checkAccess(compound, compound.state(state), compound.handle(), true);
    if (offset < 0 || length <= 0) {
      throw new Refusal(Nfs4Status.INVAL, "no range that a file can have");
    }
    if (length > Long.MAX_VALUE - offset) {
      throw new Refusal(Nfs4Status.FBIG, "no file is so long");
    }
    FileTree tree = compound.tree();
    FileExtents extents = tree.extents();
    Caller caller = compound.caller();
    RangeProgress progress = compound.parts().progress();
    RangeProgress.Range range =
        new RangeProgress.Range(
            compound.client().id(), compound.handle(), isReserved, offset, length);
    if (!isReserved) {
      progress.forgetReserved(compound.handle());
    }
    long end = offset + length;
    long at = progress.resume(range, tree.attributes(file).size());
    while (at < end) {
      if (!work.beginPiece(compound.parts().nowNanos())) {
        progress.keep(range, at);
        throw new Refusal(Nfs4Status.DELAY, "the rest is done when it is asked for again");
      }
      long piece = Math.min(LongWork.PIECE_BYTES, end - at);
      if (isReserved) {
        extents.allocate(file, at, piece, caller);
      } else {
        extents.deallocate(file, at, piece, caller);
      }
      at += piece;
    }
  }

  /** The two files of a COPY or a CLONE, with what is to be moved from one to the other. */
  private record Pair(FileNode from, long fromOffset, FileNode to, long toOffset)
      implements AutoCloseable {
    @Override
    public void close() {
      from.close();
    }
  }

  static void copy(Compound compound, LongWork work, XdrReader in, XdrWriter out)
      throws Refusal, FileException, StateException {
    StateId source = StateId.read(in);
    StateId destination = StateId.read(in);
    long fromOffset = in.readLong();
    long toOffset = in.readLong();
    long count = in.readLong();
    in.readBoolean();
    in.readBoolean();
    if (in.readInt() != 0) {
      throw new Refusal(Nfs4Status.NOTSUPP, "copies from other servers are not made");
    }
    try (Pair pair = open(compound, source, fromOffset, destination, toOffset, count)) {
      int bytes = work.copyable(count);
      FileTree tree = compound.tree();
      // Asked before, as with a write.
      long verifier = tree.writeVerifier();
      int copied =
          tree.extents()
              .copy(pair.from, pair.fromOffset, pair.to, pair.toOffset, bytes, compound.caller());
      work.copied(copied);
      out.writeInt(0).writeLong(copied).writeInt(UNSTABLE).writeLong(verifier);
      out.writeBoolean(true).writeBoolean(true);
    }
  }

  /** CLONE: all at once or not at all; what it costs the file system depends on its extents. */
  static void share(Compound compound, LongWork work, XdrReader in)
      throws Refusal, FileException, StateException {
    StateId source = StateId.read(in);
    StateId destination = StateId.read(in);
    long fromOffset = in.readLong();
    long toOffset = in.readLong();
    long count = in.readLong();
    try (Pair pair = open(compound, source, fromOffset, destination, toOffset, count)) {
      if (!work.beginPiece(compound.parts().nowNanos())) {
        throw new Refusal(Nfs4Status.DELAY, "there is no time left for it in this COMPOUND");
      }
      compound
          .tree()
          .extents()
          .share(pair.from, pair.fromOffset, pair.to, pair.toOffset, count, compound.caller());
    }
  }

  private static Pair open(
      Compound compound,
      StateId source,
      long fromOffset,
      StateId destination,
      long toOffset,
      long count)
      throws Refusal, FileException, StateException {
    FileHandle fromHandle = compound.savedHandle();
    compound.nodeForChange();
    FileNode to = regular(compound);
    FileNode from = compound.openSaved();
    boolean isWell = false;
    try {
      requireRegular(compound.tree().typeOf(from));
      checkAccess(compound, compound.savedState(source), fromHandle, false);
      checkAccess(compound, compound.state(destination), compound.handle(), true);
      if (fromOffset < 0 || toOffset < 0) {
        throw new Refusal(Nfs4Status.INVAL, "no place that a file can have");
      }
      // A count of 2^63 or more, or 0, goes to the end.
      if (count > Long.MAX_VALUE - toOffset) {
        throw new Refusal(Nfs4Status.FBIG, "no file is so long");
      }
      boolean isNear = count <= 0 || Math.abs(fromOffset - toOffset) < count;
      if (isNear && fromHandle.equals(compound.handle())) {
        throw new Refusal(Nfs4Status.INVAL, "onto itself");
      }
      isWell = true;
      return new Pair(from, fromOffset, to, toOffset);
    } finally {
      if (!isWell) {
        from.close();
      }
    }
  }

  /** IO_ADVISE: none of the hints makes a difference here, and the answer says so. */
  static void advise(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    StateId given = StateId.read(in);
    in.skip(2 * Long.BYTES);
    AttributeSet.read(in);
    regular(compound);
    StateId state = compound.state(given);
    if (!state.isSpecial()) {
      Nfs4Status status = compound.parts().states().test(compound.client(), state);
      if (status != Nfs4Status.OK) {
        throw new Refusal(status, "not a state of this client");
      }
    }
    AttributeSet.NONE.write(out);
  }

  private static void checkAccess(
      Compound compound, StateId state, FileHandle file, boolean isWrite)
      throws Refusal, StateException {
    compound
        .parts()
        .states()
        .checkAccess(compound.client(), state, file, isWrite, compound.parts().nowNanos());
  }

  /** The current file, which must have contents. */
  private static FileNode regular(Compound compound) throws Refusal, FileException {
    if (compound.pseudoPath() != null) {
      throw new Refusal(Nfs4Status.WRONG_TYPE, "a directory");
    }
    FileNode file = compound.node();
    requireRegular(compound.tree().typeOf(file));
    return file;
  }

  private static void requireRegular(FileType type) throws Refusal {
    if (type != FileType.REGULAR) {
      throw new Refusal(Nfs4Status.WRONG_TYPE, "a " + type);
    }
  }
}
