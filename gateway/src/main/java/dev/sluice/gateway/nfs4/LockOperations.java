package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileLocks;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.nfs4.state.Client;
import dev.sluice.gateway.nfs4.state.Denied;
import dev.sluice.gateway.nfs4.state.LockRequest;
import dev.sluice.gateway.nfs4.state.Locked;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.util.function.Supplier;

/**
 * LOCK, LOCKT and LOCKU (RFC 8881, sections 18.10 to 18.12). Nobody waits here: clients ask again.
 */
final class LockOperations {
  private static final int READ_LOCK = 1;
  private static final int WRITE_LOCK = 2;

  /** The same for a client that waits and asks again. */
  private static final int READ_LOCK_WAITING = 3;

  private static final int WRITE_LOCK_WAITING = 4;

  private LockOperations() {}

  static Nfs4Status lock(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, FileException, StateException {
    boolean isExclusive = isExclusive(in.readInt());
    boolean isReclaim = in.readBoolean();
    long offset = in.readLong();
    long length = in.readLong();
    boolean isNewOwner = in.readBoolean();
    FileNode file;
    LockRequest request;
    if (isNewOwner) {
      in.readInt();
      StateId open = StateId.read(in);
      in.readInt();
      in.readLong();
      byte[] owner = in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
      file = DataOperations.regular(compound);
      request =
          LockRequest.first(
              compound.state(open),
              owner,
              compound.handle(),
              offset,
              length,
              isExclusive,
              isReclaim);
    } else {
      StateId locks = StateId.read(in);
      in.readInt();
      file = DataOperations.regular(compound);
      request =
          LockRequest.further(
              compound.state(locks), compound.handle(), offset, length, isExclusive, isReclaim);
    }
    Nfs4States states = compound.parts().states();
    long nowNanos = compound.parts().nowNanos();
    Client client = compound.client();
    Locked locked;
    try {
      locked = states.lock(client, request, locks(compound, file), nowNanos);
    } catch (LocksUnavailable e) {
      throw e.reason;
    }
    return switch (locked) {
      case Locked.Granted(StateId state) -> {
        compound.setState(state);
        state.write(out);
        yield Nfs4Status.OK;
      }
      case Denied denied -> {
        write(denied, out);
        yield Nfs4Status.DENIED;
      }
    };
  }

  static Nfs4Status test(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, FileException, StateException {
    boolean isExclusive = isExclusive(in.readInt());
    long offset = in.readLong();
    long length = in.readLong();
    in.readLong();
    byte[] owner = in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
    FileNode file = DataOperations.regular(compound);
    Denied denied;
    try {
      denied =
          compound
              .parts()
              .states()
              .testLock(
                  compound.client(),
                  owner,
                  compound.handle(),
                  offset,
                  length,
                  isExclusive,
                  locks(compound, file),
                  compound.parts().nowNanos());
    } catch (LocksUnavailable e) {
      throw e.reason;
    }
    if (denied == null) {
      return Nfs4Status.OK;
    }
    write(denied, out);
    return Nfs4Status.DENIED;
  }

  static void unlock(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, StateException {
    isExclusive(in.readInt());
    in.readInt();
    StateId locks = compound.state(StateId.read(in));
    long offset = in.readLong();
    long length = in.readLong();
    StateId state =
        compound
            .parts()
            .states()
            .unlock(compound.client(), locks, compound.handle(), offset, length);
    compound.setState(state);
    state.write(out);
  }

  /** The file system's own locks of a file, opened when they are wanted. */
  private static Supplier<FileLocks> locks(Compound compound, FileNode file) throws Refusal {
    FileTree tree = compound.tree();
    return () -> {
      try {
        return tree.openLocks(file);
      } catch (FileException e) {
        throw new LocksUnavailable(e);
      }
    };
  }

  /** A file's no, on its way through what does not know files. */
  private static final class LocksUnavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final FileException reason;

    LocksUnavailable(FileException reason) {
      super(reason);
      this.reason = reason;
    }
  }

  private static boolean isExclusive(int type) {
    return switch (type) {
      case READ_LOCK, READ_LOCK_WAITING -> false;
      case WRITE_LOCK, WRITE_LOCK_WAITING -> true;
      default -> throw new XdrException("expected an nfs_lock_type4, not " + type);
    };
  }

  private static void write(Denied denied, XdrWriter out) {
    out.writeLong(denied.offset())
        .writeLong(denied.length())
        .writeInt(denied.isExclusive() ? WRITE_LOCK : READ_LOCK)
        .writeLong(denied.clientId())
        .writeOpaque(denied.owner());
  }
}
