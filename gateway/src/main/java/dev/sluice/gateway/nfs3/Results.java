package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.xdr.XdrWriter;
import org.jspecify.annotations.Nullable;

/** Writes what several procedures have among their results. */
public final class Results {
  private Results() {}

  public static void writeOk(XdrWriter out) {
    out.writeInt(Nfs3Status.OK.code());
  }

  /** A fattr3. */
  static void writeAttributes(Attributes attributes, XdrWriter out) {
    out.writeInt(attributes.type().code())
        .writeInt(attributes.mode())
        .writeInt(attributes.links())
        .writeInt(attributes.uid())
        .writeInt(attributes.gid())
        .writeLong(attributes.size())
        .writeLong(attributes.usedBytes())
        .writeInt(attributes.deviceMajor())
        .writeInt(attributes.deviceMinor())
        .writeLong(attributes.fileSystem())
        .writeLong(attributes.fileNumber());
    writeTime(attributes.accessed(), out);
    writeTime(attributes.modified(), out);
    writeTime(attributes.changed(), out);
  }

  /** A post_op_attr. */
  static void writePostOp(Attributes attributes, XdrWriter out) {
    out.writeBoolean(true);
    writeAttributes(attributes, out);
  }

  /** A post_op_attr of a file that may not be open, or not there any more. */
  public static void writePostOp(OpenCall call, @Nullable FileNode node, XdrWriter out) {
    if (node != null) {
      try {
        writePostOp(call.tree().attributes(node), out);
        return;
      } catch (FileException _) {
        // The procedure itself went as its status says; that its attributes cannot be told is
        // what an absent post_op_attr is for.
      }
    }
    out.writeBoolean(false);
  }

  /**
   * A wcc_data of a file that may not be open, or not there any more. What a directory was before
   * is told where it is certain enough that nothing but this change was in between; for what that
   * means see {@link FileTree.Told} and whoever makes it. It is left out for files: their contents
   * change beside all that is begun here, and asking twice would cost every WRITE. Clients do not
   * need it either: what they wrote is in their caches, and Linux takes its own idea of a file for
   * what it was before.
   *
   * @param isDone whether the procedure did what it was asked
   */
  static void writeWeakConsistency(
      OpenCall call, @Nullable FileNode node, boolean isDone, XdrWriter out) {
    FileTree.Change change = call.change();
    if (node == null || change == null) {
      out.writeBoolean(false);
      writePostOp(call, node, out);
      return;
    }
    try {
      FileTree.Told told = change.tell(node, isDone);
      Attributes before = told.before();
      out.writeBoolean(before != null);
      if (before != null) {
        out.writeLong(before.size());
        writeTime(before.modified(), out);
        writeTime(before.changed(), out);
      }
      writePostOp(told.after(), out);
    } catch (FileException _) {
      out.writeBoolean(false).writeBoolean(false);
    }
  }

  /** The results of a procedure that made something (CREATE, MKDIR, SYMLINK, MKNOD). */
  static void writeMade(OpenCall call, FileTree.Child made, HandleCodec handles, XdrWriter out) {
    writeOk(out);
    out.writeBoolean(true);
    handles.write(made.handle(), out);
    writePostOp(made.attributes(), out);
    writeWeakConsistency(call, call.first(), true, out);
  }

  /** The results of a procedure that failed: the status, and what the protocol adds to it. */
  static void writeFailure(
      Nfs3Procedure procedure, Nfs3Status status, OpenCall call, XdrWriter out) {
    out.writeInt(status.code());
    switch (procedure) {
      case NULL, GETATTR -> {}
      case LOOKUP, ACCESS, READLINK, READ, READDIR, READDIRPLUS, FSSTAT, FSINFO, PATHCONF ->
          writePostOp(call, call.first(), out);
      case SETATTR, WRITE, CREATE, MKDIR, SYMLINK, MKNOD, REMOVE, RMDIR, COMMIT ->
          writeWeakConsistency(call, call.first(), false, out);
      case RENAME -> {
        writeWeakConsistency(call, call.first(), false, out);
        writeWeakConsistency(call, call.second(), false, out);
      }
      case LINK -> {
        writePostOp(call, call.first(), out);
        writeWeakConsistency(call, call.second(), false, out);
      }
    }
  }

  /** An nfstime3, which has 32 bits for the seconds. */
  private static void writeTime(Timestamp time, XdrWriter out) {
    out.writeInt((int) time.seconds()).writeInt(time.nanos());
  }
}
