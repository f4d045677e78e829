package dev.sluice.gateway.files;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.files.FileTree.Child;
import dev.sluice.gateway.posix.FileStatus;
import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The files below a directory, found by handle, by name and from below, and kept open for a while.
 * What is in use is held; whoever gets a {@link Node} lets go of it.
 */
final class Nodes implements AutoCloseable {
  private static final int PATH_FLAGS =
      OpenFlags.PATH_ONLY | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;

  /** No path is deeper, as each directory takes two bytes in it. */
  private static final int DEPTH_MAX = 2048;

  private final int exportId;
  private final FileIds ids;
  private final NodeCache cache;
  private final Node root;
  private final int rootDescriptor;
  private final long rootInode;
  private final long rootMount;
  private final Subvolumes subvolumes;

  /**
   * The files below an open directory, which is closed with this.
   *
   * @param descriptorsMax how many descriptors are kept open for files at most
   */
  Nodes(int exportId, int rootDescriptor, FileIds ids, int descriptorsMax, SystemCalls calls)
      throws FileException {
    this.exportId = exportId;
    this.rootDescriptor = rootDescriptor;
    this.ids = ids;
    this.cache = new NodeCache(descriptorsMax);
    this.subvolumes = Subvolumes.below(rootDescriptor, calls);
    FileErrors.check(calls.stat(rootDescriptor));
    this.rootInode = calls.status().inode();
    this.rootMount = calls.status().mountId();
    int descriptor =
        FileErrors.check(
            calls.reopen(rootDescriptor, OpenFlags.PATH_ONLY | OpenFlags.CLOSE_ON_EXEC));
    // Held for good.
    this.root = adopt(descriptor, calls);
  }

  int exportId() {
    return exportId;
  }

  FileIds ids() {
    return ids;
  }

  Node root() {
    return root;
  }

  long rootInode() {
    return rootInode;
  }

  /** What the numbers of files in a listing of a directory are combined with. */
  long difference(int directory, SystemCalls calls) throws FileException {
    FileErrors.check(calls.stat(directory));
    return subvolumes.difference(calls.status(), directory, calls);
  }

  /** How many descriptors are open for files. */
  int openDescriptors() {
    return cache.descriptors();
  }

  /** The file of a handle. */
  HeldNode open(FileHandle handle) throws FileException {
    if (handle.exportId() != exportId) {
      throw FileErrors.of(Nfs3Status.STALE);
    }
    Node node = cache.hold(handle);
    if (node == null) {
      SystemCalls calls = SystemCalls.ofThisThread();
      node = adopt(ids.open(handle.fileId(), calls), calls);
    }
    return new HeldNode(node, handle);
  }

  /** Takes over a descriptor that stands for a file, and keeps the file open, held. */
  private Node adopt(int descriptor, SystemCalls calls) throws FileException {
    Node node;
    try {
      FileHandle handle = new FileHandle(exportId, null, ids.of(descriptor, calls));
      FileErrors.check(calls.stat(descriptor));
      node = new Node(handle, FileTypes.of(calls.status()), descriptor, cache);
    } catch (FileException e) {
      calls.close(descriptor);
      throw e;
    }
    return cache.add(node, calls);
  }

  /** Takes over the descriptor of a file that was made just now, for reading and writing. */
  Node adoptMade(int descriptor, SystemCalls calls) throws FileException {
    Node node;
    try {
      FileHandle handle = new FileHandle(exportId, null, ids.of(descriptor, calls));
      node = Node.opened(handle, descriptor, cache);
    } catch (FileException e) {
      calls.close(descriptor);
      throw e;
    }
    return cache.add(node, calls);
  }

  /** Takes over a file by its name, as whoever the thread is. */
  Node adoptNamed(HeldNode directory, byte[] name, SystemCalls calls) throws FileException {
    int directoryDescriptor = directory.node().descriptor();
    return adopt(FileErrors.check(calls.open(directoryDescriptor, name, PATH_FLAGS, 0)), calls);
  }

  /** A file by its name, as whoever the thread is. It is kept open: it was looked up to be used. */
  Child child(HeldNode directory, byte[] name, SystemCalls calls) throws FileException {
    byte[] id = ids.at(directory.node().descriptor(), name, calls);
    FileHandle handle = new FileHandle(exportId, directory.handle().claimedJob(), id);
    Node node = cache.hold(handle);
    if (node == null) {
      node = adoptNamed(directory, name, calls);
      handle = node.handle().claimedBy(directory.handle().claimedJob());
    }
    try {
      seen(handle, directory, name);
      return new Child(handle, attributes(node, calls));
    } finally {
      node.release(calls);
    }
  }

  /** As {@link #child}, but it is not kept open: a listing must not push out what is in use. */
  Child glance(HeldNode directory, byte[] name, SystemCalls calls) throws FileException {
    int descriptor =
        FileErrors.check(calls.open(directory.node().descriptor(), name, PATH_FLAGS, 0));
    try {
      byte[] id = ids.of(descriptor, calls);
      FileHandle handle = new FileHandle(exportId, directory.handle().claimedJob(), id);
      seen(handle, directory, name);
      FileErrors.check(calls.stat(descriptor));
      return new Child(handle, attributes(descriptor, calls));
    } finally {
      calls.close(descriptor);
    }
  }

  /** A file was met under a name. */
  void seen(FileHandle handle, HeldNode directory, byte[] name) throws FileException {
    if (!Names.isSelf(name)) {
      ids.seen(handle.fileId(), directory.node().handle().fileId(), name);
    }
  }

  /** The directory above, which must be in the tree as well: this one may have been moved out. */
  Child parent(HeldNode directory, Caller caller, SystemCalls calls) throws FileException {
    JobId job = directory.handle().claimedJob();
    if (directory.node() == root) {
      return new Child(root.handle().claimedBy(job), attributes(root, calls));
    }
    int above;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      int below = directory.node().descriptor();
      above = FileErrors.check(calls.open(below, Names.PARENT, PATH_FLAGS, 0));
    }
    if (!isBelowRoot(above, calls)) {
      calls.close(above);
      throw FileErrors.of(Nfs3Status.STALE);
    }
    Node node = adopt(above, calls);
    try {
      return new Child(node.handle().claimedBy(job), attributes(node, calls));
    } finally {
      node.release(calls);
    }
  }

  /** Whether this directory is the root or below it. */
  private boolean isBelowRoot(int directory, SystemCalls calls) throws FileException {
    int at = FileErrors.check(calls.reopen(directory, PATH_FLAGS & ~OpenFlags.NO_FOLLOW));
    try {
      for (int depth = 0; depth < DEPTH_MAX; depth++) {
        FileErrors.check(calls.stat(at));
        if (calls.status().mountId() != rootMount) {
          return false;
        }
        if (calls.status().inode() == rootInode && subvolumes.hasRoot(calls.status())) {
          return true;
        }
        int above = FileErrors.check(calls.open(at, Names.PARENT, PATH_FLAGS, 0));
        calls.close(at);
        at = above;
      }
      return false;
    } finally {
      calls.close(at);
    }
  }

  /** The number of the file of a name; null where there is none. */
  byte @Nullable [] idIfThere(Node directory, byte[] name, SystemCalls calls) throws FileException {
    try {
      return ids.at(directory.descriptor(), name, calls);
    } catch (FileException e) {
      if (e.status() == Nfs3Status.NOENT) {
        return null;
      }
      throw e;
    }
  }

  /** A name was taken away: a file without one is let go of, so that its place on disk is free. */
  void lostName(byte[] id, Node directory, byte[] name, SystemCalls calls) {
    ids.gone(id, directory.handle().fileId(), name);
    FileHandle handle = new FileHandle(exportId, null, id);
    Node node = cache.hold(handle);
    if (node == null) {
      return;
    }
    if (calls.stat(node.descriptor()) < 0
        || calls.status().links() == 0
        || node.type() == FileType.DIRECTORY) {
      cache.forget(handle, calls);
    }
    node.release(calls);
  }

  /** How a file is now. */
  Attributes attributes(Node node, SystemCalls calls) throws FileException {
    FileErrors.check(calls.stat(node.descriptor()));
    if (calls.status().links() == 0) {
      // Removed behind our back: kept open it would go on taking space.
      cache.forget(node.handle(), calls);
    }
    return attributes(node.descriptor(), calls);
  }

  /** What was said last of an open file. */
  private Attributes attributes(int descriptor, SystemCalls calls) throws FileException {
    FileStatus status = calls.status();
    long difference = subvolumes.difference(status, descriptor, calls);
    return new Attributes(
        FileTypes.of(status),
        status.mode(),
        status.links(),
        status.uid(),
        status.gid(),
        status.size(),
        status.blocks() * 512,
        status.deviceMajor(),
        status.deviceMinor(),
        // All files are of one file system, which the export's number names across restarts: so
        // numbers tell files apart across subvolumes too.
        Integer.toUnsignedLong(exportId),
        status.inode() ^ difference,
        new Timestamp(status.accessedSeconds(), status.accessedNanos()),
        new Timestamp(status.modifiedSeconds(), status.modifiedNanos()),
        new Timestamp(status.changedSeconds(), status.changedNanos()));
  }

  /** Closes all files; those in use as soon as they are not. */
  @Override
  public void close() throws IOException {
    SystemCalls calls = SystemCalls.ofThisThread();
    root.release(calls);
    cache.close(calls);
    calls.close(rootDescriptor);
    ids.close();
  }

  /** Only while no other thread uses it. */
  void checkInvariants() {
    cache.checkInvariants();
  }
}
