package dev.sluice.gateway.files;

import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.files.FileTree.Creation;
import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.util.Arrays;

/** Makes, moves and takes away names, as the caller, so that the kernel says who may. */
final class NameChanges {
  private static final int CREATE_FLAGS =
      OpenFlags.READ_WRITE
          | OpenFlags.CREATE
          | OpenFlags.EXCLUSIVE
          | OpenFlags.NO_FOLLOW
          | OpenFlags.CLOSE_ON_EXEC;

  /** A file is its owner's alone until somebody says otherwise. */
  private static final int FILE_MODE = 0600;

  private static final int DIRECTORY_MODE = 0700;

  private final Nodes nodes;
  private final AttributeSetter setter;

  NameChanges(Nodes nodes, AttributeSetter setter) {
    this.nodes = nodes;
    this.setter = setter;
  }

  Child create(HeldNode directory, byte[] name, Creation how, Caller caller) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    directory.node().requireDirectory();
    Names.checkForMaking(name);
    return switch (how) {
      case Creation.Exclusive exclusive ->
          createExclusively(directory, name, exclusive, caller, calls);
      case Creation.Guarded(AttributeChange attributes) -> {
        int made = makeFile(directory, name, modeOr(FILE_MODE, attributes), caller, calls);
        yield made(
            directory,
            name,
            nodes.adoptMade(FileErrors.check(made), calls),
            attributes,
            caller,
            calls);
      }
      case Creation.Unchecked(AttributeChange attributes) -> {
        int made = makeFile(directory, name, modeOr(FILE_MODE, attributes), caller, calls);
        yield made == -Errno.EEXIST
            ? takeExisting(directory, name, attributes, caller, calls)
            : made(
                directory,
                name,
                nodes.adoptMade(FileErrors.check(made), calls),
                attributes,
                caller,
                calls);
      }
    };
  }

  Child makeDirectory(HeldNode directory, byte[] name, AttributeChange attributes, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    Names.checkForMaking(name);
    Node node;
    try (var _ = ThreadIdentity.ofThisThread().asMaker(caller)) {
      int mode = modeOr(DIRECTORY_MODE, attributes);
      FileErrors.check(calls.makeDirectory(directory.node().descriptor(), name, mode));
      node = nodes.adoptNamed(directory, name, calls);
    }
    return made(directory, name, node, attributes, caller, calls);
  }

  Child makeSymbolicLink(
      HeldNode directory, byte[] name, byte[] content, AttributeChange attributes, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    Names.checkForMaking(name);
    Names.checkLinkContent(content);
    Node node;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      FileErrors.check(calls.makeSymbolicLink(content, directory.node().descriptor(), name));
      node = nodes.adoptNamed(directory, name, calls);
    }
    return made(directory, name, node, attributes, caller, calls);
  }

  Child makeNode(
      HeldNode directory,
      byte[] name,
      FileType type,
      int deviceMajor,
      int deviceMinor,
      AttributeChange attributes,
      Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    Names.checkForMaking(name);
    switch (type) {
      case FIFO, SOCKET, BLOCK_DEVICE, CHARACTER_DEVICE -> {}
      case REGULAR, DIRECTORY, SYMBOLIC_LINK -> throw FileErrors.of(Nfs3Status.BADTYPE);
    }
    Node node;
    try (var _ = ThreadIdentity.ofThisThread().asMaker(caller)) {
      int typeAndMode = FileTypes.bits(type) | modeOr(FILE_MODE, attributes);
      FileErrors.check(
          calls.makeNode(
              directory.node().descriptor(), name, typeAndMode, deviceMajor, deviceMinor));
      node = nodes.adoptNamed(directory, name, calls);
    }
    return made(directory, name, node, attributes, caller, calls);
  }

  void remove(HeldNode directory, byte[] name, Caller caller) throws FileException {
    Names.checkForRemoving(name);
    removeName(directory, name, caller, SystemCalls::remove);
  }

  void removeDirectory(HeldNode directory, byte[] name, Caller caller) throws FileException {
    Names.checkForRemoving(name);
    removeName(directory, name, caller, SystemCalls::removeDirectory);
  }

  void rename(HeldNode from, byte[] fromName, HeldNode to, byte[] toName, Caller caller)
      throws FileException {
    Node source = from.node();
    Node target = to.node();
    Names.checkForRemoving(fromName);
    Names.checkForRemoving(toName);
    source.requireDirectory();
    target.requireDirectory();
    SystemCalls calls = SystemCalls.ofThisThread();
    nodes
        .ids()
        .whileNoneIsOpened(() -> {
          byte[] moved;
          byte[] replaced;
          try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
            moved = nodes.ids().at(source.descriptor(), fromName, calls);
            replaced = nodes.idIfThere(target, toName, calls);
            FileErrors.check(
                calls.rename(source.descriptor(), fromName, target.descriptor(), toName));
          }
          if (replaced != null) {
            nodes.lostName(replaced, target, toName, calls);
          }
          nodes.ids().seen(moved, target.handle().fileId(), toName);
        });
  }

  void link(HeldNode file, HeldNode directory, byte[] name, Caller caller) throws FileException {
    Node node = file.node();
    Node target = directory.node();
    Names.checkForMaking(name);
    target.requireDirectory();
    if (node.type() == FileType.DIRECTORY) {
      throw FileErrors.of(Nfs3Status.ISDIR);
    }
    SystemCalls calls = SystemCalls.ofThisThread();
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      FileErrors.check(calls.link(node.descriptor(), target.descriptor(), name));
    }
    nodes.ids().seen(node.handle().fileId(), target.handle().fileId(), name);
  }

  private static int makeFile(
      HeldNode directory, byte[] name, int mode, Caller caller, SystemCalls calls)
      throws FileException {
    try (var _ = ThreadIdentity.ofThisThread().asMaker(caller)) {
      return calls.open(directory.node().descriptor(), name, CREATE_FLAGS, mode);
    }
  }

  private Child createExclusively(
      HeldNode directory, byte[] name, Creation.Exclusive how, Caller caller, SystemCalls calls)
      throws FileException {
    Integer mode = how.mode();
    int made = makeFile(directory, name, mode == null ? FILE_MODE : mode & 07777, caller, calls);
    // Kept where any file system keeps it, in the times: their seconds, without the sign.
    long accessed = how.verifier() >>> 32 & Integer.MAX_VALUE;
    long modified = how.verifier() & Integer.MAX_VALUE;
    if (made == -Errno.EEXIST) {
      try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
        Child existing = nodes.child(directory, name, calls);
        Attributes attributes = existing.attributes();
        if (attributes.type() != FileType.REGULAR
            || attributes.accessed().seconds() != accessed
            || attributes.modified().seconds() != modified) {
          throw FileErrors.of(Nfs3Status.EXIST);
        }
        return existing;
      }
    }
    Node node = nodes.adoptMade(FileErrors.check(made), calls);
    AttributeChange times =
        new AttributeChange(
            null,
            null,
            null,
            null,
            new TimeChange.To(new Timestamp(accessed, 0)),
            new TimeChange.To(new Timestamp(modified, 0)));
    // As root: it is our note and not the caller's wish.
    return made(directory, name, node, times, Caller.ROOT, calls);
  }

  private Child takeExisting(
      HeldNode directory, byte[] name, AttributeChange attributes, Caller caller, SystemCalls calls)
      throws FileException {
    Child existing;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      existing = nodes.child(directory, name, calls);
    }
    if (existing.attributes().type() != FileType.REGULAR) {
      throw FileErrors.of(Nfs3Status.EXIST);
    }
    if (attributes.size() == null) {
      return existing;
    }
    try (HeldNode file = nodes.open(existing.handle())) {
      AttributeChange size = new AttributeChange(null, null, null, attributes.size(), null, null);
      setter.set(file.node(), size, caller, calls);
      return new Child(existing.handle(), nodes.attributes(file.node(), calls));
    }
  }

  /**
   * Answers with a file that was made, once it has its other attributes; lets go of it. One that
   * cannot have them is taken away again.
   */
  private Child made(
      HeldNode directory,
      byte[] name,
      Node node,
      AttributeChange attributes,
      Caller caller,
      SystemCalls calls)
      throws FileException {
    FileHandle handle = node.handle().claimedBy(directory.handle().claimedJob());
    try (var _ = new HeldNode(node, handle)) {
      nodes.seen(handle, directory, name);
      // The mode is set already, and the owner is the caller: only root makes files for others.
      boolean forOthers = caller.uid() == 0;
      setter.set(
          node,
          new AttributeChange(
              null,
              forOthers ? attributes.uid() : null,
              forOthers ? attributes.gid() : null,
              node.type() == FileType.REGULAR ? attributes.size() : null,
              attributes.accessed(),
              attributes.modified()),
          caller,
          calls);
      return new Child(handle, nodes.attributes(node, calls));
    } catch (FileException refusal) {
      takeAway(directory, name, node, caller, calls);
      throw refusal;
    }
  }

  /** Takes away what was made a moment ago, if it still has its name. */
  private void takeAway(
      HeldNode directory, byte[] name, Node made, Caller caller, SystemCalls calls) {
    try {
      byte[] present = nodes.ids().at(directory.node().descriptor(), name, calls);
      if (Arrays.equals(present, made.handle().fileId())) {
        boolean isDirectory = made.type() == FileType.DIRECTORY;
        removeName(
            directory,
            name,
            caller,
            isDirectory ? SystemCalls::removeDirectory : SystemCalls::remove);
      }
    } catch (FileException alreadyGone) {
      // Why it could not have its attributes is what the caller is told.
    }
  }

  /** How a name is removed. */
  private interface Removal {
    int remove(SystemCalls calls, int directory, byte[] name);
  }

  private void removeName(HeldNode directory, byte[] name, Caller caller, Removal removal)
      throws FileException {
    Node node = directory.node();
    node.requireDirectory();
    SystemCalls calls = SystemCalls.ofThisThread();
    byte[] removed;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      removed = nodes.ids().at(node.descriptor(), name, calls);
      FileErrors.check(removal.remove(calls, node.descriptor(), name));
    }
    nodes.lostName(removed, node, name, calls);
  }

  private static int modeOr(int otherwise, AttributeChange attributes) {
    Integer mode = attributes.mode();
    return mode == null ? otherwise : mode & 07777;
  }
}
