package dev.sluice.gateway.files;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.gateway.posix.DirectoryEntries;
import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.Pipe;
import dev.sluice.gateway.posix.QuotaStatus;
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
  private static final int DIRECTORY_FLAGS =
      OpenFlags.READ_ONLY | OpenFlags.DIRECTORY | OpenFlags.CLOSE_ON_EXEC;

  /** What every local file system allows. */
  private static final int LINKS_MAX = 32_000;

  /** How many files a path map remembers; a few hundred bytes each. */
  private static final int REMEMBERED_MAX = 1_000_000;

  private final Nodes nodes;
  private final Rights rights = new Rights();
  private final AttributeSetter setter = new AttributeSetter(rights);
  private final PosixExtents extents = new PosixExtents(rights);
  private final PosixExtendedAttributes extendedAttributes = new PosixExtendedAttributes(rights);
  private final NameChanges names;
  private final SecureRandom random = new SecureRandom();
  private volatile long writeVerifier = random.nextLong();

  private PosixTree(Nodes nodes) {
    this.nodes = nodes;
    this.names = new NameChanges(nodes, setter);
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
      return new PosixTree(new Nodes(exportId, descriptor, ids, descriptorsMax, calls));
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
    return nodes.ids() instanceof KernelFileIds;
  }

  /** How many descriptors are open for files. */
  public int openDescriptors() {
    return nodes.openDescriptors();
  }

  @Override
  public int exportId() {
    return nodes.exportId();
  }

  @Override
  public FileHandle root() {
    return nodes.root().handle();
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
        at = nodes.child(HeldNode.of(directory), bytes, SystemCalls.ofThisThread()).handle();
      }
    }
    try (FileNode found = open(at)) {
      HeldNode.of(found).node().requireDirectory();
    }
    return at;
  }

  @Override
  public FileNode open(FileHandle handle) throws FileException {
    return nodes.open(handle);
  }

  @Override
  public Attributes attributes(FileNode file) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    return nodes.attributes(HeldNode.of(file).node(), calls);
  }

  @Override
  public FileType typeOf(FileNode file) {
    return HeldNode.of(file).node().type();
  }

  @Override
  public Change beginChange(FileNode file, @Nullable FileNode other, ClientAddress client) {
    return NodeChange.begin(
        nodes,
        HeldNode.of(file).node(),
        other == null ? null : HeldNode.of(other).node(),
        client,
        SystemCalls.ofThisThread());
  }

  @Override
  public void setAttributes(FileNode file, AttributeChange change, Caller caller)
      throws FileException {
    setter.set(HeldNode.of(file).node(), change, caller, SystemCalls.ofThisThread());
  }

  @Override
  public AccessList accessList(FileNode file) throws FileException {
    Node node = HeldNode.of(file).node();
    SystemCalls calls = SystemCalls.ofThisThread();
    AccessList list = AccessLists.access(node, calls);
    return list.isNone() ? AccessList.ofMode(nodes.attributes(node, calls).mode()) : list;
  }

  @Override
  public AccessList defaultAccessList(FileNode file) throws FileException {
    return AccessLists.byDefault(HeldNode.of(file).node(), SystemCalls.ofThisThread());
  }

  @Override
  public void setAccessLists(
      FileNode file, @Nullable AccessList access, @Nullable AccessList byDefault, Caller caller)
      throws FileException {
    AccessLists.set(
        HeldNode.of(file).node(), access, byDefault, caller, SystemCalls.ofThisThread());
  }

  @Override
  public Child lookup(FileNode directory, byte[] name, Caller caller) throws FileException {
    HeldNode held = HeldNode.of(directory);
    SystemCalls calls = SystemCalls.ofThisThread();
    held.node().requireDirectory();
    Names.checkForLookup(name);
    if (Names.isParent(name)) {
      return nodes.parent(held, caller, calls);
    }
    rights.requireLately(held.node(), SystemCalls.MAY_EXECUTE, caller, calls);
    return nodes.child(held, name, calls);
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

  /** A descriptor for the contents of a file that the caller may read. */
  private int openContents(FileNode file, Caller caller, SystemCalls calls) throws FileException {
    Node node = HeldNode.of(file).node();
    node.requireRegular();
    int descriptor = node.readDescriptor(calls);
    rights.requireLately(node, SystemCalls.MAY_READ, caller, calls);
    return descriptor;
  }

  @Override
  public int read(FileNode file, long offset, ByteBuffer into, Caller caller) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int descriptor = openContents(file, caller, calls);
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
  public int read(FileNode file, long offset, int count, Pipe into, Caller caller)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int descriptor = openContents(file, caller, calls);
    if (offset < 0 || offset > Long.MAX_VALUE - count || !into.hasRoomFor(offset, count)) {
      return NOT_PIPED;
    }
    while (into.bytes() < count) {
      int read = into.bytes();
      int moved = into.fill(descriptor, offset + read, count - read, calls);
      switch (moved) {
        case -Errno.EINVAL, -Errno.EAGAIN, -Errno.ENOSYS, -Errno.EPERM -> {
          return NOT_PIPED;
        }
        case 0 -> {
          return read;
        }
        default -> FileErrors.check(moved);
      }
    }
    return count;
  }

  @Override
  public void write(FileNode file, long offset, ByteBuffer from, Stability stability, Caller caller)
      throws FileException {
    Node node = HeldNode.of(file).node();
    SystemCalls calls = SystemCalls.ofThisThread();
    int descriptor = openForWriting(node, offset, from.remaining(), calls);
    // Written as the caller too: the kernel takes set-id bits away from what a stranger wrote to.
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      rights.require(node, SystemCalls.MAY_WRITE, caller, calls);
      int start = from.position();
      while (from.hasRemaining()) {
        FileErrors.check(calls.write(descriptor, from, offset + from.position() - start));
      }
    }
    haveStable(node, descriptor, stability, calls);
  }

  @Override
  public boolean write(FileNode file, long offset, Pipe from, Stability stability, Caller caller)
      throws FileException {
    Node node = HeldNode.of(file).node();
    SystemCalls calls = SystemCalls.ofThisThread();
    int descriptor = openForWriting(node, offset, from.bytes(), calls);
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      rights.require(node, SystemCalls.MAY_WRITE, caller, calls);
      long at = offset;
      while (from.bytes() > 0) {
        int moved = from.pour(descriptor, at, calls);
        if (moved == -Errno.EINVAL && at == offset) {
          return false;
        }
        if (moved == 0) {
          throw FileErrors.of(Nfs3Status.IO);
        }
        at += FileErrors.check(moved);
      }
    }
    haveStable(node, descriptor, stability, calls);
    return true;
  }

  private static int openForWriting(Node node, long offset, int count, SystemCalls calls)
      throws FileException {
    node.requireRegular();
    int descriptor = node.writeDescriptor(calls);
    if (offset < 0 || offset > Long.MAX_VALUE - count) {
      throw FileErrors.of(Nfs3Status.FBIG);
    }
    return descriptor;
  }

  private void haveStable(Node node, int descriptor, Stability stability, SystemCalls calls)
      throws FileException {
    switch (stability) {
      case UNSTABLE -> {}
      case DATA_SYNC -> checkSynced(node.syncData(descriptor, calls));
      case FILE_SYNC -> checkSynced(node.sync(descriptor, calls));
    }
  }

  @Override
  public void commit(FileNode file, Caller caller) throws FileException {
    Node node = HeldNode.of(file).node();
    SystemCalls calls = SystemCalls.ofThisThread();
    node.requireRegular();
    checkSynced(node.syncData(node.readDescriptor(calls), calls));
  }

  @Override
  public long writeVerifier() {
    return writeVerifier;
  }

  @Override
  public FileExtents extents() {
    return extents;
  }

  @Override
  public ExtendedAttributes extendedAttributes() {
    return extendedAttributes;
  }

  @Override
  public FileLocks openLocks(FileNode file) throws FileException {
    Node node = HeldNode.of(file).node();
    node.requireRegular();
    return PosixLocks.of(node.descriptor(), SystemCalls.ofThisThread());
  }

  @Override
  public Child create(FileNode directory, byte[] name, Creation how, Caller caller)
      throws FileException {
    return names.create(HeldNode.of(directory), name, how, caller);
  }

  @Override
  public Child makeDirectory(
      FileNode directory, byte[] name, AttributeChange attributes, Caller caller)
      throws FileException {
    return names.makeDirectory(HeldNode.of(directory), name, attributes, caller);
  }

  @Override
  public Child makeSymbolicLink(
      FileNode directory, byte[] name, byte[] content, AttributeChange attributes, Caller caller)
      throws FileException {
    return names.makeSymbolicLink(HeldNode.of(directory), name, content, attributes, caller);
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
    return names.makeNode(
        HeldNode.of(directory), name, type, deviceMajor, deviceMinor, attributes, caller);
  }

  @Override
  public void remove(FileNode directory, byte[] name, Caller caller) throws FileException {
    names.remove(HeldNode.of(directory), name, caller);
  }

  @Override
  public void removeDirectory(FileNode directory, byte[] name, Caller caller) throws FileException {
    names.removeDirectory(HeldNode.of(directory), name, caller);
  }

  @Override
  public void rename(FileNode from, byte[] fromName, FileNode to, byte[] toName, Caller caller)
      throws FileException {
    names.rename(HeldNode.of(from), fromName, HeldNode.of(to), toName, caller);
  }

  @Override
  public void link(FileNode file, FileNode directory, byte[] name, Caller caller)
      throws FileException {
    names.link(HeldNode.of(file), HeldNode.of(directory), name, caller);
  }

  @Override
  public boolean readDirectory(FileNode directory, long cookie, EntrySink sink, Caller caller)
      throws FileException {
    Node node = HeldNode.of(directory).node();
    node.requireDirectory();
    SystemCalls calls = SystemCalls.ofThisThread();
    // Opened each time: where a descriptor stands in a directory is shared by all who use it.
    int descriptor;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      descriptor = FileErrors.check(calls.reopen(node.descriptor(), DIRECTORY_FLAGS));
    }
    try {
      long difference = nodes.difference(descriptor, calls);
      if (cookie != 0 && calls.seek(descriptor, cookie) < 0) {
        throw FileErrors.of(Nfs3Status.BAD_COOKIE);
      }
      while (FileErrors.check(calls.readEntries(descriptor)) > 0) {
        if (!show(calls.entries(), node, difference, sink)) {
          return false;
        }
      }
      return true;
    } finally {
      calls.close(descriptor);
    }
  }

  @Override
  public @Nullable Child childForListing(FileNode directory, byte[] name, Caller caller) {
    HeldNode held = HeldNode.of(directory);
    SystemCalls calls = SystemCalls.ofThisThread();
    try {
      rights.requireLately(held.node(), SystemCalls.MAY_EXECUTE, caller, calls);
      return Names.isParent(name)
          ? nodes.parent(held, Caller.ROOT, calls)
          : nodes.glance(held, name, calls);
    } catch (FileException goneOrNotForTheCaller) {
      return null;
    }
  }

  @Override
  public Space space(FileNode file) throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    int descriptor = HeldNode.of(file).node().descriptor();
    FileErrors.check(calls.statSpace(descriptor));
    boolean hasExtendedAttributes = PosixExtendedAttributes.areSupported(descriptor, calls);
    SpaceStatus space = calls.space();
    return new Space(
        space.totalBytes(),
        space.freeBytes(),
        space.availableBytes(),
        space.totalFiles(),
        space.freeFiles(),
        LINKS_MAX,
        space.nameBytesMax(),
        hasExtendedAttributes);
  }

  @Override
  public @Nullable DiskQuota quota(FileNode file, DiskQuota.Kind kind, int id)
      throws FileException {
    SystemCalls calls = SystemCalls.ofThisThread();
    boolean isGroups = kind == DiskQuota.Kind.GROUP;
    int result = calls.statQuota(HeldNode.of(file).node().descriptor(), isGroups, id);
    return switch (-result) {
      // Not switched on, of no such file system, and not even known to the kernel.
      case Errno.ESRCH, Errno.ENOSYS, Errno.EOPNOTSUPP, Errno.ENOENT, Errno.EINVAL -> null;
      default -> {
        FileErrors.check(result);
        QuotaStatus quota = calls.quota();
        yield new DiskQuota(
            quota.softBytes(),
            quota.hardBytes(),
            quota.usedBytes(),
            quota.softFiles(),
            quota.hardFiles(),
            quota.usedFiles(),
            quota.graceEndSeconds(),
            quota.filesGraceEndSeconds());
      }
    };
  }

  /** Closes all files; those in use as soon as they are not. */
  @Override
  public void close() throws IOException {
    nodes.close();
  }

  /** Only while no other thread uses it. */
  void checkInvariants() {
    nodes.checkInvariants();
  }

  private boolean show(DirectoryEntries entries, Node directory, long difference, EntrySink sink) {
    while (entries.advance()) {
      byte[] name = entries.name();
      boolean up = directory == nodes.root() && Names.isParent(name);
      long inode = up ? nodes.rootInode() : entries.inode() ^ difference;
      if (!sink.entry(inode, name, entries.cookie())) {
        return false;
      }
    }
    return true;
  }

  private void checkSynced(int result) throws FileException {
    if (result < 0) {
      // The kernel reports a lost write once: all who wrote must write again.
      writeVerifier = random.nextLong();
      throw FileErrors.of(-result);
    }
  }
}
