package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.export.Exports;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.gateway.rpc.Work;
import dev.sluice.nfs.nfs3.Nfs3Status;
import org.jspecify.annotations.Nullable;

/**
 * A call that is being served: who it is from, and the files it holds open until its results are
 * written, also when these say that it failed.
 */
public final class OpenCall implements AutoCloseable {
  private final RpcCall call;
  private final Work work;
  private final @Nullable Export export;
  private @Nullable FileNode first;
  private @Nullable FileNode second;
  private @Nullable Caller caller;
  private FileTree.@Nullable Change change;

  public OpenCall(RpcCall call, Work work, Exports exports) {
    FileHandle handle = work.handle();
    this.call = call;
    this.work = work;
    this.export = handle == null ? null : exports.byId(handle.exportId());
  }

  /**
   * Opens the file that the call is about first. Whether its sender may use the export is asked
   * here and so for every call: a handle outlives the mount that it came from.
   */
  public FileNode open() throws FileException {
    FileHandle handle = work.handle();
    if (handle == null) {
      throw new FileException(Nfs3Status.BADHANDLE, "not a handle of ours");
    }
    if (export == null) {
      throw new FileException(Nfs3Status.STALE, "no longer exported");
    }
    // What was refused when it was inspected is refused now, even if the exports have changed in
    // between: it has room for no other results.
    if (work.operation() == null || !export.admits(call)) {
      throw new FileException(Nfs3Status.ACCES, "not exported to this client");
    }
    FileNode opened = export.tree().open(handle);
    first = opened;
    return opened;
  }

  /** Opens the file that the call is about first, which will change. */
  public FileNode openForChange() throws FileException {
    FileNode opened = open();
    if (isReadOnly()) {
      throw new FileException(Nfs3Status.ROFS, "exported read-only");
    }
    return opened;
  }

  /** Opens the other directory of a call that has two; the first file is open. */
  FileNode openSecond(@Nullable FileHandle other) throws FileException {
    if (other == null) {
      throw new FileException(Nfs3Status.BADHANDLE, "not a handle of ours");
    }
    if (other.exportId() != export().id()) {
      throw new FileException(Nfs3Status.XDEV, "in another export");
    }
    FileNode opened = tree().open(other);
    second = opened;
    return opened;
  }

  /** Begins to change an open file; until this call ends nobody else does. */
  public void beginChange(FileNode node) throws FileException {
    beginChange(node, null);
  }

  /** Begins to change two open files. */
  void beginChange(FileNode node, @Nullable FileNode other) throws FileException {
    // Whoever cannot be served yet keeps nobody waiting.
    caller();
    change = tree().beginChange(node, other, call.client());
  }

  /** The change that was begun; null when it did not get so far, or changes nothing. */
  FileTree.@Nullable Change change() {
    return change;
  }

  /** The file that {@link #open} opened; null when it did not get so far. */
  public @Nullable FileNode first() {
    return first;
  }

  /** The file that {@link #openSecond} opened; null when it did not get so far. */
  @Nullable FileNode second() {
    return second;
  }

  public FileTree tree() {
    return export().tree();
  }

  boolean isReadOnly() {
    return export().readOnly();
  }

  /** Whom the kernel is to take the sender for; to be asked before anything is done. */
  public Caller caller() throws FileException {
    Caller known = caller;
    if (known == null) {
      known = export().squash().caller(call.credential());
      caller = known;
    }
    return known;
  }

  private Export export() {
    if (export == null) {
      throw new IllegalStateException("nothing is open");
    }
    return export;
  }

  @Override
  public void close() {
    if (change != null) {
      change.close();
    }
    if (first != null) {
      first.close();
    }
    if (second != null) {
      second.close();
    }
  }
}
