package dev.sluice.gateway.nfs3;

import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.xdr.XdrReader;

/** Tells what a call asks for from as little of its arguments as can be. */
public final class CallInspector {
  private static final int STATUS_BYTES = 4;
  private static final int HANDLE_BYTES = 4 + Nfs3Procedure.HANDLE_BYTES_MAX;
  private static final int ATTRIBUTES_BYTES = Nfs3Sizes.POST_OP_ATTRIBUTES_BYTES;
  private static final int WEAK_CONSISTENCY_BYTES = 4 + 3 * Long.BYTES + ATTRIBUTES_BYTES;

  /** No procedure needs more to say that it failed: RENAME has two directories to tell about. */
  private static final int FAILURE_BYTES_MAX = STATUS_BYTES + 2 * WEAK_CONSISTENCY_BYTES;

  private static final Work NOTHING = new Work(null, null, 0, 0, false);
  private static final Work NOT_OURS = new Work(null, null, 0, FAILURE_BYTES_MAX, false);

  private final HandleCodec handles;
  private final Exports exports;
  private final TransferSize transfers;

  public CallInspector(HandleCodec handles, Exports exports, TransferSize transfers) {
    this.handles = handles;
    this.exports = exports;
    this.transfers = transfers;
  }

  /** Reads from the first argument on; leaves the reader anywhere. */
  Work inspect(RpcCall call, Nfs3Procedure procedure, XdrReader in) {
    Operation operation = procedure.operation();
    if (operation == null) {
      return NOTHING;
    }
    int start = in.position();
    FileHandle handle = handles.read(in);
    if (handle == null) {
      return NOT_OURS;
    }
    if (!isServed(call, handle)) {
      return refused(handle);
    }
    return switch (procedure) {
      case READ -> {
        in.skip(Long.BYTES);
        int bytes = transfers.of(in.readInt());
        int replyBytes = Nfs3Sizes.READ_RESULT_HEADER_BYTES + XdrReader.padded(bytes);
        yield new Work(handle, operation, bytes, replyBytes, false);
      }
      case WRITE -> {
        in.skip(Long.BYTES);
        int count = in.readInt();
        Work work =
            new Work(handle, operation, transfers.of(count), replyBytesMax(procedure), false);
        // Behind them: how they are to be kept, and their number again.
        int contentsAt = in.position() - start + 2 * Integer.BYTES;
        yield transfers.isWhole(count) ? work.withContentsAt(contentsAt) : work;
      }
      case SETATTR -> {
        Operation sort = Arguments.setsSize(in) ? Operation.TRUNCATE : operation;
        yield new Work(handle, sort, 0, replyBytesMax(procedure), procedure.isReplayedFromMemory());
      }
      case READDIR -> {
        in.skip(2 * Long.BYTES);
        yield new Work(handle, operation, 0, listingBytes(in.readInt()), false);
      }
      case READDIRPLUS -> {
        in.skip(2 * Long.BYTES + Integer.BYTES);
        yield new Work(handle, operation, 0, listingBytes(in.readInt()), false);
      }
      default ->
          new Work(
              handle, operation, 0, replyBytesMax(procedure), procedure.isReplayedFromMemory());
    };
  }

  /**
   * What a call of another program asks for that begins with a handle, too.
   *
   * @param operation what it is taken for
   */
  public Work inspect(
      RpcCall call, Operation operation, int replyBytesMax, boolean replayed, XdrReader in) {
    FileHandle handle = handles.read(in);
    if (handle == null) {
      return NOT_OURS;
    }
    return isServed(call, handle)
        ? new Work(handle, operation, 0, replyBytesMax, replayed)
        : refused(handle);
  }

  private boolean isServed(RpcCall call, FileHandle handle) {
    Export export = exports.byId(handle.exportId());
    return export != null && export.admits(call);
  }

  /** What will only be refused waits in nobody's queue and is on nobody's account. */
  private static Work refused(FileHandle handle) {
    return new Work(handle, null, 0, FAILURE_BYTES_MAX, false);
  }

  /** The room for a listing of which the client takes so many bytes, or for refusing to make it. */
  private static int listingBytes(int count) {
    int fixed = Listing.HEAD_BYTES + Listing.END_BYTES;
    int listing = Math.max(fixed, DirectoryProcedures.listingBytes(count));
    return STATUS_BYTES + listing + Listing.DETAILS_BYTES_MAX;
  }

  /** The room for the results of a procedure, went it well or not. */
  private static int replyBytesMax(Nfs3Procedure procedure) {
    return STATUS_BYTES
        + switch (procedure) {
          case NULL, READ, READDIR, READDIRPLUS -> 0;
          case GETATTR -> Nfs3Sizes.ATTRIBUTES_BYTES;
          case SETATTR, REMOVE, RMDIR -> WEAK_CONSISTENCY_BYTES;
          case LOOKUP -> HANDLE_BYTES + 2 * ATTRIBUTES_BYTES;
          case ACCESS -> ATTRIBUTES_BYTES + 4;
          case READLINK -> ATTRIBUTES_BYTES + 4 + XdrReader.padded(Nfs3Sizes.LINK_BYTES_MAX);
          case WRITE -> WEAK_CONSISTENCY_BYTES + 4 + 4 + 8;
          case COMMIT -> WEAK_CONSISTENCY_BYTES + 8;
          case CREATE, MKDIR, SYMLINK, MKNOD ->
              4 + HANDLE_BYTES + ATTRIBUTES_BYTES + WEAK_CONSISTENCY_BYTES;
          case RENAME -> 2 * WEAK_CONSISTENCY_BYTES;
          case LINK -> ATTRIBUTES_BYTES + WEAK_CONSISTENCY_BYTES;
          case FSSTAT -> ATTRIBUTES_BYTES + 6 * 8 + 4;
          case FSINFO -> ATTRIBUTES_BYTES + 7 * 4 + 8 + 8 + 4;
          case PATHCONF -> ATTRIBUTES_BYTES + 6 * 4;
        };
  }
}
