package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.export.Export;
import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.FileTree.Space;
import dev.sluice.gateway.nfs4.state.Client;
import dev.sluice.gateway.nfs4.state.Session;
import dev.sluice.gateway.rpc.RpcCall;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A COMPOUND that is being served: where it stands, and what it holds open until it ends. The
 * current file is opened when an operation wants it.
 */
final class Compound implements AutoCloseable {
  /** What is told of the space where there is no file system. */
  static final Space NO_SPACE = new Space(0, 0, 0, 0, 0, 1, Nfs3Sizes.NAME_BYTES_MAX, false);

  private final Nfs4Parts parts;
  private final RpcCall call;
  private final int minorVersion;
  private @Nullable Session session;

  private @Nullable FileHandle current;
  private @Nullable FileNode node;
  private @Nullable Export export;
  private @Nullable Caller caller;
  private StateId currentState = StateId.INVALID;

  private @Nullable FileHandle saved;
  private StateId savedState = StateId.INVALID;

  Compound(Nfs4Parts parts, RpcCall call, int minorVersion) {
    this.parts = parts;
    this.call = call;
    this.minorVersion = minorVersion;
  }

  Nfs4Parts parts() {
    return parts;
  }

  RpcCall call() {
    return call;
  }

  int minorVersion() {
    return minorVersion;
  }

  void begin(Session begun) {
    session = begun;
  }

  @Nullable Session session() {
    return session;
  }

  /** Whose COMPOUND it is. */
  Client client() throws Refusal {
    if (session == null) {
      throw new Refusal(Nfs4Status.OP_NOT_IN_SESSION, "without a session");
    }
    return session.client();
  }

  // Where it stands.

  void goTo(FileHandle handle) {
    forget();
    current = handle;
    currentState = StateId.INVALID;
  }

  /** Stands nowhere from now on. */
  void leave() {
    forget();
    current = null;
    currentState = StateId.INVALID;
  }

  FileHandle handle() throws Refusal {
    FileHandle at = current;
    if (at == null) {
      throw new Refusal(Nfs4Status.NOFILEHANDLE, "no current file");
    }
    return at;
  }

  /** Whether the current file is in another export, or of another job, than this one. */
  boolean isElsewhere(FileHandle file) {
    FileHandle at = current;
    return at != null
        && !PseudoTree.isHandle(at)
        && (at.exportId() != file.exportId()
            || !Objects.equals(at.claimedJob(), file.claimedJob()));
  }

  void save() throws Refusal {
    saved = handle();
    savedState = currentState;
  }

  void restore() throws Refusal {
    StateId state = savedState;
    goTo(savedHandle());
    currentState = state;
  }

  FileHandle savedHandle() throws Refusal {
    FileHandle at = saved;
    if (at == null) {
      throw new Refusal(Nfs4Status.NOFILEHANDLE, "no saved file");
    }
    return at;
  }

  /** The state that an operation made is what the next ones mean by "the current". */
  void setState(StateId state) {
    currentState = state;
  }

  /** The state that is meant. */
  StateId state(StateId given) throws Refusal {
    if (!given.equals(StateId.CURRENT)) {
      return given;
    }
    if (currentState.equals(StateId.INVALID)) {
      throw new Refusal(Nfs4Status.BAD_STATEID, "no current state");
    }
    return currentState;
  }

  /** The state that is meant for the saved file. */
  StateId savedState(StateId given) throws Refusal {
    if (!given.equals(StateId.CURRENT)) {
      return given;
    }
    if (savedState.equals(StateId.INVALID)) {
      throw new Refusal(Nfs4Status.BAD_STATEID, "no saved state");
    }
    return savedState;
  }

  // The current file.

  /** The path of the current directory above the exports; null where the current file is in one. */
  @Nullable String pseudoPath() throws Refusal {
    FileHandle at = handle();
    if (!PseudoTree.isHandle(at)) {
      return null;
    }
    String path = parts.pseudo().path(at);
    if (path == null) {
      throw new Refusal(Nfs4Status.STALE, "leads to no export any more");
    }
    return path;
  }

  /**
   * The export of the current file. Whether the sender may use it is asked here and so for every
   * file that a COMPOUND comes to: a handle outlives the mount that it came from.
   */
  Export export() throws Refusal {
    Export known = export;
    if (known == null) {
      known = export(handle());
      export = known;
    }
    return known;
  }

  private Export export(FileHandle handle) throws Refusal {
    if (PseudoTree.isHandle(handle)) {
      throw new Refusal(Nfs4Status.ROFS, "above the exports nothing can be changed");
    }
    Export export = parts.exports().byId(handle.exportId());
    if (export == null) {
      throw new Refusal(Nfs4Status.STALE, "no longer exported");
    }
    if (!export.admits(call)) {
      throw new Refusal(Nfs4Status.ACCESS, "not exported to this client");
    }
    return export;
  }

  FileTree tree() throws Refusal {
    return export().tree();
  }

  /** The current file, open until the COMPOUND goes elsewhere. */
  FileNode node() throws Refusal, FileException {
    FileNode open = node;
    if (open == null) {
      open = tree().open(handle());
      node = open;
    }
    return open;
  }

  FileNode nodeForChange() throws Refusal, FileException {
    if (export().readOnly()) {
      throw new Refusal(Nfs4Status.ROFS, "exported read-only");
    }
    return node();
  }

  /** Opens the saved file, which must be of the same export; for the caller to close. */
  FileNode openSaved() throws Refusal, FileException {
    FileHandle at = savedHandle();
    if (at.exportId() != handle().exportId()) {
      throw new Refusal(Nfs4Status.XDEV, "in another export");
    }
    return tree().open(at);
  }

  /** Whom the kernel is to take the sender for. */
  Caller caller() throws Refusal, FileException {
    Caller known = caller;
    if (known == null) {
      known = export().squash().caller(call.credential());
      caller = known;
    }
    return known;
  }

  /** Whose attributes are told: the current file's. */
  Subject subject() throws Refusal, FileException {
    String path = pseudoPath();
    if (path != null) {
      Attributes attributes = parts.pseudo().attributes(path);
      return new Subject(handle(), attributes, 0, attributes.fileNumber(), () -> NO_SPACE);
    }
    FileNode file = node();
    FileTree tree = tree();
    return subject(handle(), tree.attributes(file), () -> tree.space(file));
  }

  /** Whose attributes are told: a file's of the current export. */
  Subject subject(FileHandle handle, Attributes attributes, Subject.SpaceSource space)
      throws Refusal {
    Export export = export(handle);
    long mountedOn =
        handle.equals(export.tree().root())
            ? PseudoTree.mountedOn(export)
            : attributes.fileNumber();
    return new Subject(handle, attributes, export.id(), mountedOn, space);
  }

  /** Nothing that was found out about the current file holds for the next. */
  private void forget() {
    if (node != null) {
      node.close();
      node = null;
    }
    export = null;
    caller = null;
  }

  @Override
  public void close() {
    forget();
  }
}
