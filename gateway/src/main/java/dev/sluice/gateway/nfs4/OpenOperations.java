package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.AttributeChange;
import dev.sluice.gateway.files.Caller;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileHandle;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileTree.Creation;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.nfs4.state.Nfs4States;
import dev.sluice.gateway.nfs4.state.Opened;
import dev.sluice.gateway.nfs4.state.StateException;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.nfs4.StateId;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import org.jspecify.annotations.Nullable;

/** OPEN, CLOSE and OPEN_DOWNGRADE (RFC 8881, sections 18.16, 18.2 and 18.18). */
final class OpenOperations {
  private static final int ACCESS_READ = 1;
  private static final int ACCESS_WRITE = 2;
  private static final int ACCESS_BITS = ACCESS_READ | ACCESS_WRITE;

  /** Locks are as POSIX has them, and files that are removed while open are kept. */
  private static final int RESULT_FLAGS = 0x4 | 0x8;

  private static final int NO_DELEGATION = 0;

  private OpenOperations() {}

  /**
   * How a file is made if it is not there.
   *
   * @param attributes what is set of it, besides what the creation says
   * @param size what it is cut to when it is open, and so nobody denies that
   */
  private record Making(
      Creation how, AttributeCodec.Change attributes, @Nullable Long size, boolean isExclusive) {}

  private static final class Arguments {
    int access;
    int deny;
    byte[] owner = {};
    @Nullable Making making;

    /** In the current directory; null where the current file is meant. */
    byte @Nullable [] name;

    boolean isReclaim;
  }

  /** A file that was found or made. */
  private record Found(FileHandle handle, ChangeInfo info, AttributeSet set, boolean isNew) {}

  static void open(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, FileException, StateException {
    Arguments arguments = read(compound, in);
    if (arguments.access == 0) {
      throw new Refusal(Nfs4Status.INVAL, "opened for nothing");
    }
    boolean isWrite = (arguments.access & ACCESS_WRITE) != 0;
    if ((isWrite || arguments.making != null) && compound.export().readOnly()) {
      throw new Refusal(Nfs4Status.ROFS, "exported read-only");
    }
    boolean isReclaim = arguments.isReclaim;
    Nfs4States states = compound.parts().states();
    states.checkAdmission(compound.client(), isReclaim, compound.parts().nowNanos());
    Found found = find(compound, arguments);
    FileTree tree = compound.tree();
    FileNode file = tree.open(found.handle);
    boolean isKept = false;
    StateId state;
    try {
      requireRegular(tree.typeOf(file));
      if (!found.isNew && !isReclaim) {
        requireAccess(compound, file, arguments.access);
      }
      Opened opened =
          states.open(
              compound.client(),
              arguments.owner,
              found.handle,
              arguments.access,
              arguments.deny,
              isReclaim,
              () -> file,
              compound.parts().nowNanos());
      isKept = opened.isNew();
      state = opened.id();
      cut(compound, file, found, arguments.making, opened);
    } finally {
      if (!isKept) {
        file.close();
      }
    }
    compound.goTo(found.handle);
    compound.setState(state);
    state.write(out);
    found.info.write(out);
    out.writeInt(RESULT_FLAGS);
    found.set.write(out);
    out.writeInt(NO_DELEGATION);
  }

  /** Sets the size of a file that was opened; if that cannot be, it was not opened either. */
  private static void cut(
      Compound compound, FileNode file, Found found, @Nullable Making making, Opened opened)
      throws Refusal, FileException, StateException {
    Long size = making == null ? null : making.size;
    if (size == null || (found.isNew && size == 0)) {
      return;
    }
    AttributeChange change = new AttributeChange(null, null, null, size, null, null);
    boolean isCut = false;
    try (var _ = compound.tree().beginChange(file, null, compound.call().client())) {
      compound.tree().setAttributes(file, change, compound.caller());
      isCut = true;
    } finally {
      if (!isCut && opened.isNew()) {
        compound.parts().states().close(compound.client(), opened.id());
      }
    }
  }

  private static Arguments read(Compound compound, XdrReader in) throws Refusal, FileException {
    Arguments arguments = new Arguments();
    in.readInt();
    arguments.access = in.readInt() & ACCESS_BITS;
    arguments.deny = in.readInt();
    in.readLong();
    arguments.owner = in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX);
    switch (in.readInt()) {
      case 0 -> {}
      case 1 -> arguments.making = readMaking(compound, in);
      default -> throw new XdrException("expected an opentype4");
    }
    switch (in.readInt()) {
      case 0 -> arguments.name = Names4.read(in);
      case 1 -> {
        in.readInt();
        arguments.isReclaim = true;
      }
      case 4 -> {}
      case 2, 3, 5, 6 -> throw new Refusal(Nfs4Status.NOTSUPP, "there are no delegations");
      default -> throw new XdrException("expected an open_claim_type4");
    }
    if ((arguments.deny & ~ACCESS_BITS) != 0) {
      throw new Refusal(Nfs4Status.INVAL, "denies more than there is");
    }
    return arguments;
  }

  private static Making readMaking(Compound compound, XdrReader in) throws Refusal, FileException {
    AttributeCodec codec = compound.parts().attributes();
    AttributeCodec.Change nothing =
        new AttributeCodec.Change(AttributeSet.NONE, AttributeChange.NOTHING);
    return switch (in.readInt()) {
      case 0 -> {
        AttributeCodec.Change change = codec.readChange(in);
        AttributeChange all = change.change();
        AttributeChange atOnce =
            new AttributeChange(
                all.mode(), all.uid(), all.gid(), null, all.accessed(), all.modified());
        yield new Making(new Creation.Unchecked(atOnce), change, all.size(), false);
      }
      case 1 -> {
        AttributeCodec.Change change = codec.readChange(in);
        yield new Making(new Creation.Guarded(change.change()), change, null, false);
      }
      case 2 -> new Making(new Creation.Exclusive(in.readLong()), nothing, null, true);
      case 3 -> {
        long verifier = in.readLong();
        AttributeCodec.Change change = codec.readChange(in);
        if (!change.attributes().without(AttributeCodec.EXCLUSIVE).isEmpty()) {
          throw new Refusal(Nfs4Status.INVAL, "attributes that cannot be set exclusively");
        }
        Creation how = new Creation.Exclusive(verifier, change.change().mode());
        yield new Making(how, change, null, true);
      }
      default -> throw new XdrException("expected a createmode4");
    };
  }

  private static Found find(Compound compound, Arguments arguments) throws Refusal, FileException {
    byte[] name = arguments.name;
    if (name == null) {
      if (arguments.making != null) {
        throw new Refusal(Nfs4Status.INVAL, "what has a handle is there already");
      }
      return new Found(compound.handle(), new ChangeInfo(false, 0, 0), AttributeSet.NONE, false);
    }
    if (compound.pseudoPath() != null) {
      throw new Refusal(Nfs4Status.ISDIR, "above the exports there are only directories");
    }
    FileNode directory = HandleOperations.directory(compound);
    Names4.check(name);
    FileTree tree = compound.tree();
    Caller caller = compound.caller();
    if (arguments.making == null) {
      Child child = tree.lookup(directory, name, caller);
      return new Found(
          child.handle(),
          ChangeInfo.unchanged(tree.attributes(directory)),
          AttributeSet.NONE,
          false);
    }
    return make(compound, directory, name, arguments.making, caller);
  }

  /** Makes a file, or finds the one that is there as far as that is allowed. */
  private static Found make(
      Compound compound, FileNode directory, byte[] name, Making making, Caller caller)
      throws Refusal, FileException {
    FileTree tree = compound.tree();
    try (FileTree.Change change = tree.beginChange(directory, null, compound.call().client())) {
      Child there = existing(tree, directory, name, caller);
      if (there != null && making.how instanceof Creation.Unchecked) {
        requireRegular(there.attributes().type());
      }
      Child child = tree.create(directory, name, making.how, caller);
      AttributeSet set = making.attributes.attributes();
      if (making.isExclusive && !set.isEmpty()) {
        try (FileNode made = tree.open(child.handle())) {
          // The mode is there from the beginning: set now, it would be wider than what the
          // directory's default access control list has left of it.
          tree.setAttributes(made, making.attributes.change().withoutMode(), caller);
        }
      }
      return new Found(child.handle(), ChangeInfo.of(change, directory), set, there == null);
    }
  }

  private static @Nullable Child existing(
      FileTree tree, FileNode directory, byte[] name, Caller caller) throws FileException {
    try {
      return tree.lookup(directory, name, caller);
    } catch (FileException e) {
      if (e.status() == Nfs3Status.NOENT) {
        return null;
      }
      throw e;
    }
  }

  private static void requireRegular(FileType type) throws Refusal {
    switch (type) {
      case REGULAR -> {}
      case DIRECTORY -> throw new Refusal(Nfs4Status.ISDIR, "a directory");
      case SYMBOLIC_LINK -> throw new Refusal(Nfs4Status.SYMLINK, "a symbolic link");
      default -> throw new Refusal(Nfs4Status.WRONG_TYPE, "a " + type);
    }
  }

  /** Who may execute a file may open it for reading: clients read what they execute. */
  private static void requireAccess(Compound compound, FileNode file, int access)
      throws Refusal, FileException {
    int asked =
        ((access & ACCESS_READ) != 0 ? AccessRights.READ | AccessRights.EXECUTE : 0)
            | ((access & ACCESS_WRITE) != 0 ? AccessRights.MODIFY : 0);
    int granted = compound.tree().access(file, asked, compound.caller());
    boolean mayRead = (granted & (AccessRights.READ | AccessRights.EXECUTE)) != 0;
    boolean mayWrite = (granted & AccessRights.MODIFY) != 0;
    if (((access & ACCESS_READ) != 0 && !mayRead) || ((access & ACCESS_WRITE) != 0 && !mayWrite)) {
      throw new Refusal(Nfs4Status.ACCESS, "the caller may not");
    }
  }

  private static void requireOfCurrentFile(Compound compound, StateId state)
      throws Refusal, StateException {
    Object open = compound.parts().states().openState(compound.client(), state).file();
    if (!open.equals(compound.handle())) {
      throw new Refusal(Nfs4Status.BAD_STATEID, "of another file");
    }
  }

  static void close(Compound compound, XdrReader in, XdrWriter out) throws Refusal, StateException {
    in.readInt();
    StateId state = compound.state(StateId.read(in));
    requireOfCurrentFile(compound, state);
    compound.parts().states().close(compound.client(), state);
    compound.setState(StateId.INVALID);
    StateId.INVALID.write(out);
  }

  static void downgrade(Compound compound, XdrReader in, XdrWriter out)
      throws Refusal, StateException {
    StateId state = compound.state(StateId.read(in));
    in.readInt();
    int access = in.readInt() & ACCESS_BITS;
    int deny = in.readInt() & ACCESS_BITS;
    requireOfCurrentFile(compound, state);
    StateId changed = compound.parts().states().downgrade(compound.client(), state, access, deny);
    compound.setState(changed);
    changed.write(out);
  }
}
