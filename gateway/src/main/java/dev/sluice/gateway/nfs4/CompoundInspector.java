package dev.sluice.gateway.nfs4;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.core.model.Operation;
import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Operation;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.BufferUnderflowException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Tells what a COMPOUND asks for, from its beginning: the first of its operations that moves
 * contents, or else the first that costs something, names the file and so the target and the job,
 * and all that move contents together say how much. What cannot be seen from here has no room in
 * the reply, or is charged when it was done.
 */
final class CompoundInspector {
  /** Results of operations that are not known yet find room in this. */
  private static final int RESULT_BYTES = Nfs4Sizes.ATTRIBUTES_BYTES_MAX + 64;

  /** There is room for such a tag in every refusal; Linux sends an empty one. */
  private static final int TAG_BYTES_MAX = 64;

  private static final int HEAD_BYTES = 3 * Integer.BYTES + 8;

  /** A large call must do with replies as small as this. */
  private static final int REPLY_TO_LARGE_BYTES_MAX = 7 << 10;

  private final Nfs4Parts parts;
  private final TransferSize transfers;
  private final ClientAddress client;
  private final RpcCall call;
  private final XdrReader in;

  private @Nullable FileHandle current;
  private @Nullable FileHandle saved;

  private @Nullable FileHandle charged;
  private @Nullable Operation operation;
  private boolean isOnlyQuestion;
  private long bytes;
  private boolean isWrite;
  private long room;
  private int start;
  private int contentsAt = Work.NO_CONTENTS;

  CompoundInspector(Nfs4Parts parts, RpcCall call, XdrReader in) {
    this.parts = parts;
    this.transfers = parts.transfers();
    this.client = call.client();
    this.call = call;
    this.in = in;
  }

  /** Reads from the first argument on; leaves the reader anywhere. */
  Work inspect() {
    start = in.position();
    byte[] tag = in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
    int minorVersion = in.readInt();
    int operations = Math.clamp(in.readInt(), 0, Nfs4Sizes.OPERATIONS_MAX);
    room = HEAD_BYTES + XdrReader.padded(tag.length) + (long) operations * RESULT_BYTES;
    Opening opening = null;
    try {
      for (int i = 0; i < operations; i++) {
        Nfs4Operation next = Nfs4Operation.of(in.readInt(), minorVersion);
        if (next == null) {
          break;
        }
        if (i == 0 && next == Nfs4Operation.SEQUENCE) {
          opening = Opening.read(Opening.tag(tag), in);
        } else if (i == 0 || !pass(next)) {
          break;
        }
        if (i == 1 && opening != null) {
          opening = opening.withSecond(next);
        }
      }
    } catch (XdrException | BufferUnderflowException _) {
      // Where it ends, or what is wrong with it, is found out when it is served.
    }
    long replyMax =
        isWrite
            ? REPLY_TO_LARGE_BYTES_MAX
            : transfers.bytesMax() + SessionOperations.OVERHEAD_BYTES;
    // What moves more was told, or will be, that it moves too much at once.
    long movedMax = Math.max(transfers.bytesMax(), LongWork.movedBytes(LongWork.COPY_BYTES_MAX));
    FileHandle handle = charged;
    boolean isAdmitted = handle != null && isAdmitted(handle);
    Work work =
        new Work(
            isAdmitted ? handle : null,
            isAdmitted ? operation : null,
            isAdmitted ? (int) Math.min(bytes, movedMax) : 0,
            (int) Math.min(room, replyMax),
            false,
            tag.length > TAG_BYTES_MAX ? null : opening);
    return work.withContentsAt(contentsAt);
  }

  /** What will only be refused waits in nobody's queue and is on nobody's account. */
  private boolean isAdmitted(FileHandle handle) {
    Export export = parts.exports().byId(handle.exportId());
    return export != null && export.admits(call);
  }

  /** Passes over an operation; false where what follows cannot be seen. */
  private boolean pass(Nfs4Operation next) {
    switch (next) {
      case PUTFH -> current = parts.handles().read(in);
      case PUTROOTFH, PUTPUBFH -> current = handle(parts.pseudo().root(client), null);
      case SAVEFH -> saved = current;
      case RESTOREFH -> current = saved;
      case GETFH -> {}
      case LOOKUP -> lookup(in.readOpaque(in.remaining()));
      case LOOKUPP -> charge(Operation.LOOKUP);
      case GETATTR -> {
        ask(Operation.GETATTR);
        AttributeSet.read(in);
      }
      case ACCESS -> {
        ask(Operation.ACCESS);
        in.skip(Integer.BYTES);
      }
      case READ -> {
        charge(Operation.READ);
        in.skip(StateId.BYTES + Long.BYTES);
        int count = transfers.of(in.readInt());
        bytes += count;
        room += DataOperations.READ_HEAD_BYTES + XdrReader.padded(count);
      }
      case WRITE -> {
        charge(Operation.WRITE);
        isWrite = true;
        in.skip(StateId.BYTES + Long.BYTES + Integer.BYTES);
        int length = in.readInt();
        if (contentsAt == Work.NO_CONTENTS && transfers.isWhole(length)) {
          contentsAt = in.position() - start;
        }
        bytes += transfers.of(length);
        in.skip(XdrReader.padded(Math.max(0, Math.min(length, in.remaining()))));
      }
      case COMMIT -> {
        charge(Operation.COMMIT);
        in.skip(Long.BYTES + Integer.BYTES);
      }
      case READDIR -> {
        charge(Operation.READDIR);
        in.skip(2 * Long.BYTES + Integer.BYTES);
        room += DirectoryOperations.replyBytesMax(in.readInt());
        AttributeSet.read(in);
      }
      case READLINK -> {
        charge(Operation.READLINK);
        room += CompoundRun.RESULT_BYTES_MAX;
      }
      case SETATTR -> {
        in.skip(StateId.BYTES);
        boolean setsSize = AttributeSet.read(in).has(Nfs4Attribute.SIZE);
        charge(setsSize ? Operation.TRUNCATE : Operation.SETATTR);
        in.skipOpaque(in.remaining());
      }
      case REMOVE -> {
        charge(Operation.UNLINK);
        in.skipOpaque(in.remaining());
      }
      case RENAME -> {
        charge(Operation.RENAME);
        in.skipOpaque(in.remaining());
        in.skipOpaque(in.remaining());
      }
      case LINK -> {
        charge(Operation.LINK);
        in.skipOpaque(in.remaining());
      }
      case CREATE -> {
        charge(creation(in.readInt()));
        return false;
      }
      case OPEN -> {
        in.skip(3 * Integer.BYTES + Long.BYTES);
        in.skipOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
        charge(in.readInt() == 0 ? Operation.OPEN : Operation.CREATE);
        return false;
      }
      case LOCK, LOCKT -> {
        charge(Operation.OPEN);
        return false;
      }
      // These wait for nobody, but what comes behind them does.
      case CLOSE -> in.skip(Integer.BYTES + StateId.BYTES);
      case LOCKU -> in.skip(2 * Integer.BYTES + StateId.BYTES + 2 * Long.BYTES);
      case OPEN_DOWNGRADE -> in.skip(StateId.BYTES + 3 * Integer.BYTES);
      case FREE_STATEID -> in.skip(StateId.BYTES);
      case TEST_STATEID -> in.skip(StateId.BYTES * (in.readInt() & 0xffff));
      case SECINFO_NO_NAME, RECLAIM_COMPLETE -> in.skip(Integer.BYTES);
      case SECINFO -> lookup(in.readOpaque(in.remaining()));
      case SEEK -> {
        charge(Operation.GETATTR);
        in.skip(StateId.BYTES + Long.BYTES + Integer.BYTES);
      }
      case ALLOCATE, DEALLOCATE -> {
        charge(Operation.ALLOCATE);
        in.skip(StateId.BYTES + 2 * Long.BYTES);
      }
      case COPY -> {
        charge(Operation.COPY);
        in.skip(2 * StateId.BYTES + 2 * Long.BYTES);
        bytes += LongWork.movedBytes(in.readLong());
        in.skip(2 * Integer.BYTES);
        return in.readInt() == 0;
      }
      case CLONE -> {
        charge(Operation.COPY);
        in.skip(2 * StateId.BYTES + 3 * Long.BYTES);
      }
      case IO_ADVISE -> {
        in.skip(StateId.BYTES + 2 * Long.BYTES);
        AttributeSet.read(in);
      }
      case GETXATTR -> {
        charge(Operation.GETXATTR);
        room += ExtendedAttributeOperations.valueReplyBytesMax();
        in.skipOpaque(in.remaining());
      }
      case SETXATTR -> {
        charge(Operation.SETXATTR);
        isWrite = true;
        in.skip(Integer.BYTES);
        in.skipOpaque(in.remaining());
        in.skipOpaque(in.remaining());
      }
      case LISTXATTRS -> {
        charge(Operation.LISTXATTR);
        in.skip(Long.BYTES);
        room += ExtendedAttributeOperations.listBytes(in.readInt());
      }
      case REMOVEXATTR -> {
        charge(Operation.REMOVEXATTR);
        in.skipOpaque(in.remaining());
      }
      case VERIFY, NVERIFY -> {
        ask(Operation.GETATTR);
        AttributeSet.read(in);
        in.skipOpaque(in.remaining());
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  private void lookup(byte[] name) {
    FileHandle at = current;
    if (at == null) {
      return;
    }
    if (!PseudoTree.isHandle(at)) {
      charge(Operation.LOOKUP);
      return;
    }
    String path = parts.pseudo().path(at);
    if (path == null || name.length == 0) {
      return;
    }
    if (name[0] == '@') {
      current = handle(parts.pseudo().root(client), claim(name));
      return;
    }
    PseudoTree.Step step =
        parts.pseudo().child(path, new String(name, StandardCharsets.UTF_8), client);
    current = step == null ? null : handle(step, at.claimedJob());
  }

  /** The job that a name claims; null where the name will be refused. */
  private static @Nullable JobId claim(byte[] name) {
    try {
      return JobId.of(new String(name, 1, name.length - 1, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException _) {
      return null;
    }
  }

  private static FileHandle handle(PseudoTree.Step step, @Nullable JobId claim) {
    FileHandle handle =
        switch (step) {
          case PseudoTree.Step.Into(Export export) -> export.tree().root();
          case PseudoTree.Step.On(String path) -> PseudoTree.handle(path);
        };
    return handle.claimedBy(claim);
  }

  /** A question is only charged for where nothing else is asked for. */
  private void ask(Operation question) {
    if (operation == null) {
      charge(question);
      isOnlyQuestion = operation != null;
    }
  }

  private void charge(Operation costly) {
    FileHandle at = current;
    if (at != null
        && !PseudoTree.isHandle(at)
        && (operation == null || isOnlyQuestion || isFirstOfContents(costly))) {
      charged = at;
      operation = costly;
      isOnlyQuestion = false;
    }
  }

  /** Where contents are moved, their file counts and not one that is only asked for before. */
  private boolean isFirstOfContents(Operation costly) {
    return movesContents(costly) && !movesContents(operation);
  }

  private static boolean movesContents(@Nullable Operation operation) {
    return operation == Operation.READ
        || operation == Operation.WRITE
        || operation == Operation.COPY;
  }

  private static Operation creation(int type) {
    if (type == FileType.DIRECTORY.code()) {
      return Operation.MKDIR;
    }
    return type == FileType.SYMBOLIC_LINK.code() ? Operation.SYMLINK : Operation.MKNOD;
  }
}
