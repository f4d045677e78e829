package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;

/**
 * Calls about names that a server began which then died, and that come again: nobody knows whether
 * they were done. They are served as if not; one that finds just what it would have left behind was
 * done, because it was begun only where it could take effect.
 */
final class RepeatedCalls {
  private final HandleCodec handles;

  RepeatedCalls(HandleCodec handles) {
    this.handles = handles;
  }

  /** Whether a name that is to be made is not there, or one that is to be taken away is. */
  boolean mayTakeEffect(Nfs3Procedure procedure, OpenCall call, XdrReader in) {
    try {
      FileNode first = call.open();
      Arguments.skipHandle(in);
      return switch (procedure) {
        case CREATE, MKDIR, SYMLINK, MKNOD -> !isThere(call, first, Arguments.readName(in));
        case REMOVE, RMDIR, RENAME -> isThere(call, first, Arguments.readName(in));
        case LINK -> {
          FileNode directory = call.openSecond(handles.read(in));
          yield !isThere(call, directory, Arguments.readName(in));
        }
        default -> true;
      };
    } catch (FileException refused) {
      return false;
    }
  }

  private static boolean isThere(OpenCall call, FileNode directory, byte[] name)
      throws FileException {
    try {
      call.tree().lookup(directory, FileName.check(name), call.caller());
      return true;
    } catch (FileException e) {
      if (e.status() == Nfs3Status.NOENT) {
        return false;
      }
      throw e;
    }
  }

  /** Whether a procedure is refused so when it was done before. */
  static boolean isDoneBefore(Nfs3Procedure procedure, Nfs3Status status) {
    return switch (procedure) {
      case CREATE, MKDIR, SYMLINK, MKNOD, LINK -> status == Nfs3Status.EXIST;
      case REMOVE, RMDIR, RENAME -> status == Nfs3Status.NOENT;
      default -> false;
    };
  }

  /** Answers as if it had been done now. */
  void answer(
      Nfs3Procedure procedure, Nfs3Status status, OpenCall call, XdrReader in, XdrWriter out) {
    FileNode first = call.first();
    if (first == null) {
      Results.writeFailure(procedure, status, call, out);
      return;
    }
    int start = out.position();
    Arguments.skipHandle(in);
    switch (procedure) {
      case CREATE, MKDIR, SYMLINK, MKNOD -> {
        try {
          Child made = call.tree().lookup(first, Arguments.readName(in), call.caller());
          Results.writeMade(call, made, handles, out);
        } catch (FileException e) {
          out.position(start);
          Results.writeFailure(procedure, status, call, out);
        }
      }
      case LINK -> {
        Results.writeOk(out);
        Results.writePostOp(call, first, out);
        Results.writeWeakConsistency(call, call.second(), false, out);
      }
      case RENAME -> {
        Results.writeOk(out);
        Results.writeWeakConsistency(call, first, false, out);
        Results.writeWeakConsistency(call, call.second(), false, out);
      }
      default -> {
        Results.writeOk(out);
        Results.writeWeakConsistency(call, first, false, out);
      }
    }
  }
}
