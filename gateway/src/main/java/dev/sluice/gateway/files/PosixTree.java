package dev.sluice.gateway.files;

import dev.sluice.core.model.JobId;
import dev.sluice.gateway.posix.DirectoryEntries;
import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.FileStatus;
import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SpaceStatus;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * A directory of the local machine as a {@link FileTree}, by Linux's system calls (5.8 or later,
 * with {@code /proc}). What is mounted below the directory is not part of it and answers ACCES.
 *
 * <p>Files are found by handle as root and kept open. What concerns names is then done as the
 * caller relative to the open directory, so that the kernel checks it. For contents it is asked as
 * the caller; besides those whom it lets, a file's owner may always read and write, and who may
 * execute may read: the check belongs to a client's open, which a server without state never sees
 * (RFC 1813, section 4.4).
 */
public final class PosixTree implements FileTree, AutoCloseable {
  private static final int PATH_FLAGS =
      OpenFlags.PATH_ONLY | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;
  private static final int DIRECTORY_FLAGS =
      OpenFlags.READ_ONLY | OpenFlags.DIRECTORY | OpenFlags.CLOSE_ON_EXEC;
  private static final int CREATE_FLAGS =
      OpenFlags.READ_WRITE
          | OpenFlags.CREATE
          | OpenFlags.EXCLUSIVE
          | OpenFlags.NO_FOLLOW
          | OpenFlags.CLOSE_ON_EXEC;

  /** A file is its owner's alone until somebody says otherwise. */
  private static final int FILE_MODE = 0600;

  private static final int DIRECTORY_MODE = 0700;

  /** What every local file system allows. */
  private static final int LINKS_MAX = 32_000;

  /** No path is deeper, as each directory takes two bytes in it. */
  private static final int DEPTH_MAX = 2048;

  /** How many files a path map remembers; a few hundred bytes each. */
  private static final int REMEMBERED_MAX = 1_000_000;

  private final int exportId;
  private final FileIds ids;
  private final NodeCache cache;
  private final Rights rights = new Rights();
  private final Node root;
  private final int rootDescriptor;
  private final long rootInode;
  private final long rootMount;
  private final SecureRandom random = new SecureRandom();
  private volatile long writeVerifier = random.nextLong();

  private PosixTree(
      int exportId, int rootDescriptor, FileIds ids, int descriptorsMax, SystemCalls calls)
      throws FileException {
    this.exportId = exportId;
    this.rootDescriptor = rootDescriptor;
    this.ids = ids;
    this.cache = new NodeCache(descriptorsMax);
    FileErrors.check(calls.stat(rootDescriptor));
    this.rootInode = calls.status().inode();
    this.rootMount = calls.status().mountId();
    int descriptor =
        FileErrors.check(
            calls.reopen(rootDescriptor, OpenFlags.PATH_ONLY | OpenFlags.CLOSE_ON_EXEC));
    // Held for good.
    this.root = adopt(descriptor, calls);
  }

  /** How files are known across restarts. */
  enum Identification {
    /** By what the kernel gives where it does, otherwise by their paths. */
    BEST,
    /** By their paths. */
    PATHS
  }

  /**
   * Opens a directory.
   *
   * @param exportId the number by which the tree is known across restarts
   * @param directory its root
   * @param stateDirectory where is kept what must survive a restart
   * @param descriptorsMax how many descriptors are kept open for files at most
   * @throws IOException when it is no directory or cannot be opened
   */
  public static PosixTree open(
      int exportId, Path directory, Path stateDirectory, int descriptorsMax) throws IOException {
    return open(exportId, directory, stateDirectory, descriptorsMax, Identification.BEST);
  }

  static PosixTree open(
      int exportId,
      Path directory,
      Path stateDirectory,
      int descriptorsMax,
      Identification identification)
      throws IOException {
    SystemCalls calls = SystemCalls.ofThisThread();
    byte[] path = directory.toRealPath().toString().getBytes(StandardCharsets.UTF_8);
    int descriptor = calls.open(path, DIRECTORY_FLAGS);
    if (descriptor < 0) {
      throw new IOException(
          directory + " cannot be opened as a directory: error " + -descriptor + " of the kernel");
    }
    try {
      FileIds ids =
          identification == Identification.BEST && KernelFileIds.areGivenBelow(descriptor, calls)
              ? KernelFileIds.below(descriptor, calls)
              : PathFileIds.below(
                  descriptor,
                  stateDirectory.resolve("paths-" + Integer.toUnsignedString(exportId) + ".log"),
                  REMEMBERED_MAX,
                  calls);
      return new PosixTree(exportId, descriptor, ids, descriptorsMax, calls);
    } catch (IOException | FileException e) {
      calls.close(descriptor);
      throw new IOException(directory + " cannot be served: " + e.getMessage(), e);
    }
  }

  /**
   * Whether files are touched as the caller. That takes a process of root's; any other does
   * everything as its own user, whoever calls.
   */
  public static boolean actsAsCaller() {
    return ThreadIdentity.isTakenOn();
  }

  /**
   * Whether handles are the file system's own. Otherwise they follow paths, and a file that others
   * rename locally is stale until it is looked up again.
   */
  public boolean handlesFollowFiles() {
    return ids instanceof KernelFileIds;
  }

  /** How many descriptors are open for files. */
  public int openDescriptors() {
    return cache.descriptors();
  }

  @Override
  public int exportId() {
    return exportId;
  }

  @Override
  public FileHandle root() {
    return root.handle();
  }

  @Override
  public FileHandle directory(String relativePath) throws FileException {
    FileHandle at = root();
    for (String name : relativePath.split("/", -1)) {
      if (name.isEmpty()) {
        continue;
      }
      byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
      Names.checkForRemoving(bytes);
      try (FileNode directory = open(at)) {
        at = child(HeldNode.of(directory), bytes, SystemCalls.ofThisThread()).handle();
      }
    }
    try (FileNode found = open(at)) {
      requireDirectory(HeldNode.of(found).node());
    }
    return at;
  }

  @Override
  public FileNode open(FileHandle handle) throws FileException {
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

  @Override
  public Attributes attributes(FileNode file) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    return attributes(HeldNode.of(file).node(), calls);
  }

  @Override
  public void setAttributes(FileNode file, AttributeChange change, Caller caller)
      throws FileException {
    Node node = HeldNode.of(file).node();
    SystemCalls calls = SystemCalls.ofThisThread();
    Long size = change.size();
    if (size != null) {
      requireRegular(node);
      if (size < 0) {
        throw FileErrors.of(Nfs3Status.FBIG);
      }
      int descriptor = node.writeDescriptor(calls);
      try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
        rights.require(node, SystemCalls.MAY_WRITE, caller, calls);
        FileErrors.check(calls.truncate(descriptor, size));
      }
    }
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      AttributeSetter.setAllButSize(node, change, calls);
    } finally {
      node.countAttributeChange();
    }
  }

  @Override
  public Child lookup(FileNode directory, byte[] name, Caller caller) throws FileException {
    HeldNode held = HeldNode.of(directory);
    SystemCalls calls = SystemCalls.ofThisThread();
    requireDirectory(held.node());
    Names.checkForLookup(name);
    if (Names.isParent(name)) {
      return parent(held, caller, calls);
    }
    rights.requireLately(held.node(), SystemCalls.MAY_EXECUTE, caller, calls);
    return child(held, name, calls);
  }

  @Override
  public int access(FileNode file, int wanted, Caller caller) throws FileException {
    return rights.access(HeldNode.of(file).node(), wanted, caller, SystemCalls.ofThisThread());
  }

  @Override
  public byte[] readLink(FileNode file, Caller caller) throws FileException {
    Node node = HeldNode.of(file).node();
    if (node.type() != FileType.SYMBOLIC_LINK) {
      throw FileErrors.of(Nfs3Status.INVAL);
    }
    SystemCalls calls = SystemCalls.ofThisThread();
    return calls.linkContent(FileErrors.check(calls.readLink(node.descriptor())));
  }

  @Override
  public int read(FileNode file, long offset, ByteBuffer into, Caller caller) throws FileException {
    Node node = HeldNode.of(file).node();
    SystemCalls calls = SystemCalls.ofThisThread();
    requireRegular(node);
    int descriptor = node.readDescriptor(calls);
    rights.requireLately(node, SystemCalls.MAY_READ, caller, calls);
    if (offset < 0 || offset > Long.MAX_VALUE - into.remaining()) {
      return 0; // The protocol's offsets are unsigned; no file reaches that far.
    }
    int start = into.position();
    while (into.hasRemaining()) {
      int count = FileErrors.check(calls.read(descriptor, into, offset + into.position() - start));
      if (count == 0) {
        break;
      }
    }
    return into.position() - start;
  }

  @Override
  public void write(FileNode file, long offset, ByteBuffer from, Stability stability, Caller caller)
      throws FileException {
    Node node = HeldNode.of(file).node();
    SystemCalls calls = SystemCalls.ofThisThread();
    requireRegular(node);
    int descriptor = node.writeDescriptor(calls);
    if (offset < 0 || offset > Long.MAX_VALUE - from.remaining()) {
      throw FileErrors.of(Nfs3Status.FBIG);
    }
    // Written as the caller too: the kernel takes set-id bits away from what a stranger wrote to.
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      rights.require(node, SystemCalls.MAY_WRITE, caller, calls);
      int start = from.position();
      while (from.hasRemaining()) {
        FileErrors.check(calls.write(descriptor, from, offset + from.position() - start));
      }
    }
    switch (stability) {
      case UNSTABLE -> {}
      case DATA_SYNC -> checkSynced(calls.syncData(descriptor));
      case FILE_SYNC -> checkSynced(calls.sync(descriptor));
    }
  }

  @Override
  public void commit(FileNode file, Caller caller) throws FileException {
    Node node = HeldNode.of(file).node();
    SystemCalls calls = SystemCalls.ofThisThread();
    requireRegular(node);
    checkSynced(calls.syncData(node.readDescriptor(calls)));
  }

  @Override
  public long writeVerifier() {
    return writeVerifier;
  }

  @Override
  public Child create(FileNode directory, byte[] name, Creation how, Caller caller)
      throws FileException {
    HeldNode held = HeldNode.of(directory);
    SystemCalls calls = SystemCalls.ofThisThread();
    requireDirectory(held.node());
    Names.checkForMaking(name);
    return switch (how) {
      case Creation.Exclusive(long verifier) ->
          createExclusively(held, name, verifier, caller, calls);
      case Creation.Guarded(AttributeChange attributes) -> {
        int made = makeFile(held, name, modeOr(FILE_MODE, attributes), caller, calls);
        yield made(held, name, adoptMade(FileErrors.check(made), calls), attributes, caller, calls);
      }
      case Creation.Unchecked(AttributeChange attributes) -> {
        int made = makeFile(held, name, modeOr(FILE_MODE, attributes), caller, calls);
        yield made == -Errno.EEXIST
            ? takeExisting(held, name, attributes, caller, calls)
            : made(held, name, adoptMade(FileErrors.check(made), calls), attributes, caller, calls);
      }
    };
  }

  @Override
  public Child makeDirectory(
      FileNode directory, byte[] name, AttributeChange attributes, Caller caller)
      throws FileException {
    HeldNode held = HeldNode.of(directory);
    SystemCalls calls = SystemCalls.ofThisThread();
    Names.checkForMaking(name);
    Node node;
    try (var _ = ThreadIdentity.ofThisThread().asMaker(caller)) {
      int mode = modeOr(DIRECTORY_MODE, attributes);
      FileErrors.check(calls.makeDirectory(held.node().descriptor(), name, mode));
      node = adoptNamed(held, name, calls);
    }
    return made(held, name, node, attributes, caller, calls);
  }

  @Override
  public Child makeSymbolicLink(
      FileNode directory, byte[] name, byte[] content, AttributeChange attributes, Caller caller)
      throws FileException {
    HeldNode held = HeldNode.of(directory);
    SystemCalls calls = SystemCalls.ofThisThread();
    Names.checkForMaking(name);
    Names.checkLinkContent(content);
    Node node;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      FileErrors.check(calls.makeSymbolicLink(content, held.node().descriptor(), name));
      node = adoptNamed(held, name, calls);
    }
    return made(held, name, node, attributes, caller, calls);
  }

  @Override
  public Child makeNode(
      FileNode directory,
      byte[] name,
      FileType type,
      int deviceMajor,
      int deviceMinor,
      AttributeChange attributes,
      Caller caller)
      throws FileException {
    HeldNode held = HeldNode.of(directory);
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
          calls.makeNode(held.node().descriptor(), name, typeAndMode, deviceMajor, deviceMinor));
      node = adoptNamed(held, name, calls);
    }
    return made(held, name, node, attributes, caller, calls);
  }

  @Override
  public void remove(FileNode directory, byte[] name, Caller caller) throws FileException {
    Names.checkForRemoving(name);
    removeName(HeldNode.of(directory), name, caller, SystemCalls::remove);
  }

  @Override
  public void removeDirectory(FileNode directory, byte[] name, Caller caller) throws FileException {
    Names.checkForRemoving(name);
    removeName(HeldNode.of(directory), name, caller, SystemCalls::removeDirectory);
  }

  @Override
  public void rename(FileNode from, byte[] fromName, FileNode to, byte[] toName, Caller caller)
      throws FileException {
    Node source = HeldNode.of(from).node();
    Node target = HeldNode.of(to).node();
    Names.checkForRemoving(fromName);
    Names.checkForRemoving(toName);
    requireDirectory(source);
    requireDirectory(target);
    SystemCalls calls = SystemCalls.ofThisThread();
    ids.whileNoneIsOpened(() -> {
      byte[] moved;
      byte[] replaced;
      try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
        moved = ids.at(source.descriptor(), fromName, calls);
        replaced = idIfThere(target, toName, calls);
        FileErrors.check(calls.rename(source.descriptor(), fromName, target.descriptor(), toName));
      }
      if (replaced != null) {
        lostName(replaced, target, toName, calls);
      }
      ids.seen(moved, target.handle().fileId(), toName);
    });
  }

  @Override
  public void link(FileNode file, FileNode directory, byte[] name, Caller caller)
      throws FileException {
    Node node = HeldNode.of(file).node();
    Node target = HeldNode.of(directory).node();
    Names.checkForMaking(name);
    requireDirectory(target);
    if (node.type() == FileType.DIRECTORY) {
      throw FileErrors.of(Nfs3Status.ISDIR);
    }
    SystemCalls calls = SystemCalls.ofThisThread();
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      FileErrors.check(calls.link(node.descriptor(), target.descriptor(), name));
    }
    ids.seen(node.handle().fileId(), target.handle().fileId(), name);
  }

  @Override
  public boolean readDirectory(FileNode directory, long cookie, EntrySink sink, Caller caller)
      throws FileException {
    Node node = HeldNode.of(directory).node();
    requireDirectory(node);
    SystemCalls calls = SystemCalls.ofThisThread();
    // Opened each time: where a descriptor stands in a directory is shared by all who use it.
    int descriptor;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      descriptor = FileErrors.check(calls.reopen(node.descriptor(), DIRECTORY_FLAGS));
    }
    try {
      if (cookie != 0 && calls.seek(descriptor, cookie) < 0) {
        throw FileErrors.of(Nfs3Status.BAD_COOKIE);
      }
      while (FileErrors.check(calls.readEntries(descriptor)) > 0) {
        if (!show(calls.entries(), node, sink)) {
          return false;
        }
      }
      return true;
    } finally {
      calls.close(descriptor);
    }
  }

  @Override
  public @Nullable Child childForListing(FileNode directory, byte[] name) {
    HeldNode held = HeldNode.of(directory);
    SystemCalls calls = SystemCalls.ofThisThread();
    try {
      return Names.isParent(name) ? parent(held, Caller.ROOT, calls) : glance(held, name, calls);
    } catch (FileException goneOrNotOurs) {
      return null;
    }
  }

  @Override
  public Space space(FileNode file) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    FileErrors.check(calls.statSpace(HeldNode.of(file).node().descriptor()));
    SpaceStatus space = calls.space();
    return new Space(
        space.totalBytes(),
        space.freeBytes(),
        space.availableBytes(),
        space.totalFiles(),
        space.freeFiles(),
        LINKS_MAX,
        space.nameBytesMax());
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

  // Finding.

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
  private Node adoptMade(int descriptor, SystemCalls calls) throws FileException {
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

  private Node adoptNamed(HeldNode directory, byte[] name, SystemCalls calls) throws FileException {
    int directoryDescriptor = directory.node().descriptor();
    return adopt(FileErrors.check(calls.open(directoryDescriptor, name, PATH_FLAGS, 0)), calls);
  }

  /** A file by its name, as whoever the thread is. It is kept open: it was looked up to be used. */
  private Child child(HeldNode directory, byte[] name, SystemCalls calls) throws FileException {
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
  private Child glance(HeldNode directory, byte[] name, SystemCalls calls) throws FileException {
    int descriptor =
        FileErrors.check(calls.open(directory.node().descriptor(), name, PATH_FLAGS, 0));
    try {
      byte[] id = ids.of(descriptor, calls);
      FileHandle handle = new FileHandle(exportId, directory.handle().claimedJob(), id);
      seen(handle, directory, name);
      FileErrors.check(calls.stat(descriptor));
      return new Child(handle, attributes(calls.status()));
    } finally {
      calls.close(descriptor);
    }
  }

  private void seen(FileHandle handle, HeldNode directory, byte[] name) throws FileException {
    if (!Names.isSelf(name)) {
      ids.seen(handle.fileId(), directory.node().handle().fileId(), name);
    }
  }

  /** The directory above, which must be in the tree as well: this one may have been moved out. */
  private Child parent(HeldNode directory, Caller caller, SystemCalls calls) throws FileException {
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
        if (calls.status().inode() == rootInode) {
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

  private byte @Nullable [] idIfThere(Node directory, byte[] name, SystemCalls calls)
      throws FileException {
    try {
      return ids.at(directory.descriptor(), name, calls);
    } catch (FileException e) {
      if (e.status() == Nfs3Status.NOENT) {
        return null;
      }
      throw e;
    }
  }

  private boolean show(DirectoryEntries entries, Node directory, EntrySink sink) {
    while (entries.advance()) {
      byte[] name = entries.name();
      boolean up = directory == root && Names.isParent(name);
      long inode = up ? rootInode : entries.inode();
      if (!sink.entry(inode, name, entries.cookie())) {
        return false;
      }
    }
    return true;
  }

  // Making and removing.

  private static int makeFile(
      HeldNode directory, byte[] name, int mode, Caller caller, SystemCalls calls)
      throws FileException {
    try (var _ = ThreadIdentity.ofThisThread().asMaker(caller)) {
      return calls.open(directory.node().descriptor(), name, CREATE_FLAGS, mode);
    }
  }

  private Child createExclusively(
      HeldNode directory, byte[] name, long verifier, Caller caller, SystemCalls calls)
      throws FileException {
    int made = makeFile(directory, name, FILE_MODE, caller, calls);
    // Kept where any file system keeps it, in the times: their seconds, without the sign.
    long accessed = verifier >>> 32 & Integer.MAX_VALUE;
    long modified = verifier & Integer.MAX_VALUE;
    if (made == -Errno.EEXIST) {
      try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
        Child existing = child(directory, name, calls);
        Attributes attributes = existing.attributes();
        if (attributes.type() != FileType.REGULAR
            || attributes.accessed().seconds() != accessed
            || attributes.modified().seconds() != modified) {
          throw FileErrors.of(Nfs3Status.EXIST);
        }
        return existing;
      }
    }
    Node node = adoptMade(FileErrors.check(made), calls);
    try {
      FileErrors.check(calls.changeTimes(node.descriptor(), accessed, 0, modified, 0));
    } catch (FileException e) {
      node.release(calls);
      throw e;
    }
    return made(directory, name, node, AttributeChange.NOTHING, caller, calls);
  }

  private Child takeExisting(
      HeldNode directory, byte[] name, AttributeChange attributes, Caller caller, SystemCalls calls)
      throws FileException {
    Child existing;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      existing = child(directory, name, calls);
    }
    if (existing.attributes().type() != FileType.REGULAR) {
      throw FileErrors.of(Nfs3Status.EXIST);
    }
    if (attributes.size() == null) {
      return existing;
    }
    try (FileNode file = open(existing.handle())) {
      AttributeChange size = new AttributeChange(null, null, null, attributes.size(), null, null);
      setAttributes(file, size, caller);
      return new Child(existing.handle(), attributes(file));
    }
  }

  /** Answers with a file that was made, once it has its other attributes; lets go of it. */
  private Child made(
      HeldNode directory,
      byte[] name,
      Node node,
      AttributeChange attributes,
      Caller caller,
      SystemCalls calls)
      throws FileException {
    FileHandle handle = node.handle().claimedBy(directory.handle().claimedJob());
    try (FileNode file = new HeldNode(node, handle)) {
      seen(handle, directory, name);
      // The mode is set already, and the owner is the caller: only root makes files for others.
      boolean forOthers = caller.uid() == 0;
      setAttributes(
          file,
          new AttributeChange(
              null,
              forOthers ? attributes.uid() : null,
              forOthers ? attributes.gid() : null,
              node.type() == FileType.REGULAR ? attributes.size() : null,
              attributes.accessed(),
              attributes.modified()),
          caller);
      return new Child(handle, attributes(node, calls));
    }
  }

  /** How a name is removed. */
  private interface Removal {
    int remove(SystemCalls calls, int directory, byte[] name);
  }

  private void removeName(HeldNode directory, byte[] name, Caller caller, Removal removal)
      throws FileException {
    Node node = directory.node();
    requireDirectory(node);
    SystemCalls calls = SystemCalls.ofThisThread();
    byte[] removed;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      removed = ids.at(node.descriptor(), name, calls);
      FileErrors.check(removal.remove(calls, node.descriptor(), name));
    }
    lostName(removed, node, name, calls);
  }

  /** A file without a name is let go of, so that what it takes on disk becomes free. */
  private void lostName(byte[] id, Node directory, byte[] name, SystemCalls calls) {
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

  // Attributes.

  private Attributes attributes(Node node, SystemCalls calls) throws FileException {
    FileErrors.check(calls.stat(node.descriptor()));
    if (calls.status().links() == 0) {
      // Removed behind our back: kept open it would go on taking space.
      cache.forget(node.handle(), calls);
    }
    return attributes(calls.status());
  }

  private Attributes attributes(FileStatus status) {
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
        // All files are of one file system, which the export's number names across restarts.
        Integer.toUnsignedLong(exportId),
        status.inode(),
        new Timestamp(status.accessedSeconds(), status.accessedNanos()),
        new Timestamp(status.modifiedSeconds(), status.modifiedNanos()),
        new Timestamp(status.changedSeconds(), status.changedNanos()));
  }

  private static int modeOr(int otherwise, AttributeChange attributes) {
    Integer mode = attributes.mode();
    return mode == null ? otherwise : mode & 07777;
  }

  private static void requireRegular(Node node) throws FileException {
    if (node.type() != FileType.REGULAR) {
      throw FileErrors.of(node.type() == FileType.DIRECTORY ? Nfs3Status.ISDIR : Nfs3Status.INVAL);
    }
  }

  private static void requireDirectory(Node node) throws FileException {
    if (node.type() != FileType.DIRECTORY) {
      throw FileErrors.of(Nfs3Status.NOTDIR);
    }
  }

  private void checkSynced(int result) throws FileException {
    if (result < 0) {
      // The kernel reports a lost write once: all who wrote must write again.
      writeVerifier = random.nextLong();
      throw FileErrors.of(-result);
    }
  }
}
