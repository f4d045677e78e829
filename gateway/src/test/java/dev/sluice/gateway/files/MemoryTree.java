package dev.sluice.gateway.files;

import dev.sluice.core.model.ClientAddress;
import dev.sluice.core.model.JobId;
import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.nfs.nfs3.AccessRights;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A tree in memory for tests of the protocol, with the permissions that mode bits give. */
public final class MemoryTree implements FileTree {
  /** The largest file it holds. */
  public static final int FILE_BYTES_MAX = 4 << 20;

  private static final int MAY_READ = 4;
  private static final int MAY_WRITE = 2;
  private static final int MAY_EXECUTE = 1;

  private final int exportId;
  private final Map<Long, Inode> inodes = new HashMap<>();
  private final Map<QuotaOf, DiskQuota> quotas = new HashMap<>();
  private final Inode root;
  private long lastNumber;
  private long clock = 1_000;
  private long verifier = 4_711;
  private boolean losesNextWrite;
  private int openNodes;
  private int writes;

  private record QuotaOf(DiskQuota.Kind kind, int id) {}

  public MemoryTree(int exportId) {
    this.exportId = exportId;
    this.root = add(new Inode(FileType.DIRECTORY, ++lastNumber, 0, 0));
    root.mode = 0777;
    root.parent = root;
  }

  private static final class Inode {
    final FileType type;
    final long number;
    int mode = 0644;
    int uid;
    int gid;
    int links;
    byte[] content = new byte[0];
    int major;
    int minor;
    long exclusive;
    boolean isExclusive;
    Timestamp accessed = new Timestamp(0, 0);
    Timestamp modified = new Timestamp(0, 0);
    Timestamp changed = new Timestamp(0, 0);
    @Nullable Inode parent;
    final TreeMap<Long, Entry> byCookie = new TreeMap<>();
    final Map<String, Long> byName = new HashMap<>();
    final TreeMap<String, byte[]> attached = new TreeMap<>();
    long lastCookie = 2;

    Inode(FileType type, long number, int uid, int gid) {
      this.type = type;
      this.number = number;
      this.uid = uid;
      this.gid = gid;
    }

    @Nullable Inode child(String name) {
      Long cookie = byName.get(name);
      Entry entry = cookie == null ? null : byCookie.get(cookie);
      return entry == null ? null : entry.inode;
    }
  }

  private record Entry(String name, Inode inode) {}

  private final class Node implements FileNode {
    private final FileHandle handle;
    private final Inode inode;
    private boolean closed;

    Node(FileHandle handle, Inode inode) {
      this.handle = handle;
      this.inode = inode;
      openNodes++;
    }

    @Override
    public FileHandle handle() {
      return handle;
    }

    @Override
    public void close() {
      if (closed) {
        throw new IllegalStateException("closed twice");
      }
      closed = true;
      openNodes--;
    }
  }

  /** How many files are in use. */
  public int openNodes() {
    return openNodes;
  }

  /** How often something was written or changed. */
  public int writes() {
    return writes;
  }

  /** The next write will be done, and lost before it is answered. */
  public void loseNextWrite() {
    losesNextWrite = true;
  }

  @Override
  public int exportId() {
    return exportId;
  }

  @Override
  public FileHandle root() {
    return handle(root, null);
  }

  @Override
  public FileHandle directory(String relativePath) throws FileException {
    Inode found = root;
    for (String part : relativePath.split("/", -1)) {
      if (!part.isEmpty()) {
        found = existing(found, part.getBytes(StandardCharsets.UTF_8));
      }
    }
    need(found.type == FileType.DIRECTORY, Nfs3Status.NOTDIR);
    return handle(found, null);
  }

  @Override
  public FileNode open(FileHandle handle) throws FileException {
    Inode inode = inodes.get(ByteBuffer.wrap(handle.fileId()).getLong());
    if (inode == null) {
      throw refusal(Nfs3Status.STALE);
    }
    return new Node(handle, inode);
  }

  @Override
  public FileType typeOf(FileNode node) {
    return attributes(node).type();
  }

  @Override
  public FileLocks openLocks(FileNode node) {
    return FileLocks.none();
  }

  @Override
  public Attributes attributes(FileNode node) {
    return attributes(inode(node));
  }

  private Attributes attributes(Inode inode) {
    return new Attributes(
        inode.type,
        inode.mode,
        inode.links,
        inode.uid,
        inode.gid,
        inode.content.length,
        (inode.content.length + 511L) & -512L,
        inode.major,
        inode.minor,
        77,
        inode.number,
        inode.accessed,
        inode.modified,
        inode.changed);
  }

  @Override
  public Change beginChange(FileNode node, @Nullable FileNode other, ClientAddress client) {
    Attributes before = attributes(node);
    Attributes otherBefore = other == null ? null : attributes(other);
    openNodes++;
    return new Change() {
      @Override
      public Told tell(FileNode told, boolean isDone) {
        return new Told(told.equals(node) ? before : otherBefore, attributes(told));
      }

      @Override
      public void close() {
        openNodes--;
      }
    };
  }

  @Override
  public void setAttributes(FileNode node, AttributeChange change, Caller caller)
      throws FileException {
    Inode inode = inode(node);
    need(isOwner(inode, caller) || change.size() != null, Nfs3Status.PERM);
    apply(inode, change, caller);
  }

  private void apply(Inode inode, AttributeChange change, Caller caller) throws FileException {
    Long size = change.size();
    if (size != null) {
      need(inode.type == FileType.REGULAR, Nfs3Status.INVAL);
      needPermission(inode, MAY_WRITE, caller);
      need(size <= FILE_BYTES_MAX, Nfs3Status.FBIG);
      inode.content = Arrays.copyOf(inode.content, (int) (long) size);
      inode.modified = now();
    }
    if (change.mode() != null) {
      inode.mode = change.mode();
    }
    if (change.uid() != null) {
      need(caller.uid() == 0 || change.uid() == inode.uid, Nfs3Status.PERM);
      inode.uid = change.uid();
    }
    if (change.gid() != null) {
      inode.gid = change.gid();
    }
    if (change.accessed() != null) {
      inode.accessed = time(change.accessed());
    }
    if (change.modified() != null) {
      inode.modified = time(change.modified());
    }
    touch(inode);
  }

  @Override
  public Child lookup(FileNode directory, byte[] name, Caller caller) throws FileException {
    Inode parent = directory(directory);
    needPermission(parent, MAY_EXECUTE, caller);
    Inode found;
    if (name.length == 1 && name[0] == '.') {
      found = parent;
    } else if (name.length == 2 && name[0] == '.' && name[1] == '.') {
      found = parent.parent == null ? root : parent.parent;
    } else {
      found = existing(parent, name);
    }
    return child(found, directory);
  }

  @Override
  public int access(FileNode node, int rights, Caller caller) {
    Inode inode = inode(node);
    int granted = 0;
    if (may(inode, MAY_READ, caller)) {
      granted |= AccessRights.READ | AccessRights.XATTR_READ | AccessRights.XATTR_LIST;
    }
    if (may(inode, MAY_WRITE, caller)) {
      granted |= AccessRights.MODIFY | AccessRights.EXTEND | AccessRights.XATTR_WRITE;
      granted |= inode.type == FileType.DIRECTORY ? AccessRights.DELETE : 0;
    }
    if (may(inode, MAY_EXECUTE, caller)) {
      granted |= inode.type == FileType.DIRECTORY ? AccessRights.LOOKUP : AccessRights.EXECUTE;
    }
    return granted & rights;
  }

  @Override
  public byte[] readLink(FileNode node, Caller caller) throws FileException {
    Inode inode = inode(node);
    need(inode.type == FileType.SYMBOLIC_LINK, Nfs3Status.INVAL);
    return inode.content.clone();
  }

  @Override
  public int read(FileNode node, long offset, ByteBuffer into, Caller caller) throws FileException {
    Inode inode = inode(node);
    need(inode.type != FileType.DIRECTORY, Nfs3Status.ISDIR);
    need(inode.type == FileType.REGULAR, Nfs3Status.INVAL);
    need(isOwner(inode, caller) || may(inode, MAY_READ, caller), Nfs3Status.ACCES);
    if (offset >= inode.content.length) {
      return 0;
    }
    int count = Math.min(into.remaining(), inode.content.length - (int) offset);
    into.put(inode.content, (int) offset, count);
    return count;
  }

  @Override
  public void write(FileNode node, long offset, ByteBuffer from, Stability stability, Caller caller)
      throws FileException {
    Inode inode = inode(node);
    need(inode.type == FileType.REGULAR, Nfs3Status.INVAL);
    need(isOwner(inode, caller) || may(inode, MAY_WRITE, caller), Nfs3Status.ACCES);
    need(offset + from.remaining() <= FILE_BYTES_MAX, Nfs3Status.FBIG);
    int end = (int) offset + from.remaining();
    if (from.hasRemaining()) {
      if (end > inode.content.length) {
        inode.content = Arrays.copyOf(inode.content, end);
      }
      from.get(inode.content, (int) offset, from.remaining());
    }
    inode.modified = now();
    touch(inode);
    if (losesNextWrite) {
      losesNextWrite = false;
      verifier++;
    }
  }

  @Override
  public void commit(FileNode node, Caller caller) throws FileException {
    need(inode(node).type == FileType.REGULAR, Nfs3Status.INVAL);
  }

  @Override
  public long writeVerifier() {
    return verifier;
  }

  @Override
  public Child create(FileNode directory, byte[] name, Creation how, Caller caller)
      throws FileException {
    Inode parent = directory(directory);
    Inode present = parent.child(key(name));
    return switch (how) {
      case Creation.Unchecked(AttributeChange attributes) -> {
        if (present == null) {
          yield made(parent, name, FileType.REGULAR, attributes, directory, caller);
        }
        need(present.type == FileType.REGULAR, Nfs3Status.EXIST);
        Long size = attributes.size();
        if (size != null) {
          apply(present, new AttributeChange(null, null, null, size, null, null), caller);
        }
        yield child(present, directory);
      }
      case Creation.Guarded(AttributeChange attributes) ->
          made(parent, name, FileType.REGULAR, attributes, directory, caller);
      case Creation.Exclusive(long wanted, Integer mode) -> {
        if (present != null && present.isExclusive && present.exclusive == wanted) {
          yield child(present, directory);
        }
        AttributeChange attributes = new AttributeChange(mode, null, null, null, null, null);
        Child made = made(parent, name, FileType.REGULAR, attributes, directory, caller);
        Inode inode = existing(parent, name);
        inode.isExclusive = true;
        inode.exclusive = wanted;
        yield made;
      }
    };
  }

  @Override
  public Child makeDirectory(
      FileNode directory, byte[] name, AttributeChange attributes, Caller caller)
      throws FileException {
    return made(directory(directory), name, FileType.DIRECTORY, attributes, directory, caller);
  }

  @Override
  public Child makeSymbolicLink(
      FileNode directory, byte[] name, byte[] content, AttributeChange attributes, Caller caller)
      throws FileException {
    Inode parent = directory(directory);
    made(parent, name, FileType.SYMBOLIC_LINK, AttributeChange.NOTHING, directory, caller);
    Inode link = existing(parent, name);
    link.content = content.clone();
    link.mode = 0777;
    return child(link, directory);
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
    boolean isDevice = type == FileType.BLOCK_DEVICE || type == FileType.CHARACTER_DEVICE;
    need(!isDevice || caller.uid() == 0, Nfs3Status.PERM);
    Inode parent = directory(directory);
    made(parent, name, type, attributes, directory, caller);
    Inode node = existing(parent, name);
    node.major = deviceMajor;
    node.minor = deviceMinor;
    return child(node, directory);
  }

  private Child made(
      Inode parent,
      byte[] name,
      FileType type,
      AttributeChange attributes,
      FileNode directory,
      Caller caller)
      throws FileException {
    need(parent.child(key(name)) == null, Nfs3Status.EXIST);
    needPermission(parent, MAY_WRITE | MAY_EXECUTE, caller);
    Inode inode = new Inode(type, ++lastNumber, caller.uid(), caller.gid());
    inode.mode = type == FileType.DIRECTORY ? 0755 : 0644;
    apply(inode, attributes, Caller.ROOT);
    add(inode);
    inode.parent = parent;
    attach(parent, key(name), inode);
    return child(inode, directory);
  }

  @Override
  public void remove(FileNode directory, byte[] name, Caller caller) throws FileException {
    Inode parent = directory(directory);
    needPermission(parent, MAY_WRITE | MAY_EXECUTE, caller);
    need(existing(parent, name).type != FileType.DIRECTORY, Nfs3Status.ISDIR);
    detach(parent, key(name));
  }

  @Override
  public void removeDirectory(FileNode directory, byte[] name, Caller caller) throws FileException {
    Inode parent = directory(directory);
    needPermission(parent, MAY_WRITE | MAY_EXECUTE, caller);
    Inode removed = existing(parent, name);
    need(removed.type == FileType.DIRECTORY, Nfs3Status.NOTDIR);
    need(removed.byName.isEmpty(), Nfs3Status.NOTEMPTY);
    detach(parent, key(name));
  }

  @Override
  public void rename(FileNode from, byte[] fromName, FileNode to, byte[] toName, Caller caller)
      throws FileException {
    Inode source = directory(from);
    Inode destination = directory(to);
    needPermission(source, MAY_WRITE | MAY_EXECUTE, caller);
    needPermission(destination, MAY_WRITE | MAY_EXECUTE, caller);
    Inode moved = existing(source, fromName);
    for (Inode above = destination; above != root && above != null; above = above.parent) {
      need(above != moved, Nfs3Status.INVAL);
    }
    Inode replaced = destination.child(key(toName));
    if (replaced == moved) {
      return;
    }
    if (replaced != null) {
      boolean directory = moved.type == FileType.DIRECTORY;
      need(directory == (replaced.type == FileType.DIRECTORY), Nfs3Status.EXIST);
      need(replaced.byName.isEmpty(), Nfs3Status.NOTEMPTY);
      detach(destination, key(toName));
    }
    moved.links++;
    detach(source, key(fromName));
    moved.links--;
    attach(destination, key(toName), moved);
    moved.parent = destination;
  }

  @Override
  public void link(FileNode file, FileNode directory, byte[] name, Caller caller)
      throws FileException {
    Inode parent = directory(directory);
    needPermission(parent, MAY_WRITE | MAY_EXECUTE, caller);
    need(inode(file).type != FileType.DIRECTORY, Nfs3Status.INVAL);
    need(parent.child(key(name)) == null, Nfs3Status.EXIST);
    attach(parent, key(name), inode(file));
  }

  @Override
  public boolean readDirectory(FileNode directory, long cookie, EntrySink sink, Caller caller)
      throws FileException {
    Inode inode = directory(directory);
    needPermission(inode, MAY_READ, caller);
    if (cookie == 0 && !sink.entry(inode.number, new byte[] {'.'}, 1)) {
      return false;
    }
    Inode parent = inode.parent == null ? root : inode.parent;
    if (cookie >= 0 && cookie <= 1 && !sink.entry(parent.number, new byte[] {'.', '.'}, 2)) {
      return false;
    }
    for (var entry : inode.byCookie.tailMap(cookie, false).entrySet()) {
      byte[] name = entry.getValue().name.getBytes(StandardCharsets.ISO_8859_1);
      if (!sink.entry(entry.getValue().inode.number, name, entry.getKey())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public @Nullable Child childForListing(FileNode directory, byte[] name, Caller caller) {
    try {
      return lookup(directory, name, caller);
    } catch (FileException _) {
      return null;
    }
  }

  @Override
  public FileExtents extents() {
    return new Extents();
  }

  @Override
  public ExtendedAttributes extendedAttributes() {
    return new Attachments();
  }

  /** Contents without holes, which can be copied and shared alike. */
  private final class Extents implements FileExtents {
    @Override
    public long nextData(FileNode file, long offset, Caller caller) throws FileException {
      Inode inode = readable(file, caller);
      return offset < inode.content.length ? offset : NOWHERE;
    }

    @Override
    public long nextHole(FileNode file, long offset, Caller caller) throws FileException {
      Inode inode = readable(file, caller);
      return offset <= inode.content.length ? inode.content.length : NOWHERE;
    }

    @Override
    public void allocate(FileNode file, long offset, long length, Caller caller)
        throws FileException {
      Inode inode = writable(file, offset + length, caller);
      if (offset + length > inode.content.length) {
        inode.content = Arrays.copyOf(inode.content, (int) (offset + length));
      }
      touch(inode);
    }

    @Override
    public void deallocate(FileNode file, long offset, long length, Caller caller)
        throws FileException {
      Inode inode = writable(file, 0, caller);
      int end = (int) Math.min(offset + length, inode.content.length);
      if (offset < end) {
        Arrays.fill(inode.content, (int) offset, end, (byte) 0);
      }
      touch(inode);
    }

    @Override
    public int copy(
        FileNode from, long fromOffset, FileNode to, long toOffset, int bytesMax, Caller caller)
        throws FileException {
      Inode source = readable(from, caller);
      long rest = Math.max(0, source.content.length - fromOffset);
      int count = (int) Math.min(bytesMax, rest);
      Inode destination = writable(to, toOffset + count, caller);
      if (count > 0) {
        byte[] moved =
            Arrays.copyOfRange(source.content, (int) fromOffset, (int) fromOffset + count);
        allocate(to, toOffset, count, caller);
        System.arraycopy(moved, 0, destination.content, (int) toOffset, count);
      }
      return count;
    }

    @Override
    public void share(
        FileNode from, long fromOffset, FileNode to, long toOffset, long length, Caller caller)
        throws FileException {
      long rest = readable(from, caller).content.length - fromOffset;
      need(length <= rest, Nfs3Status.INVAL);
      copy(from, fromOffset, to, toOffset, (int) (length == 0 ? rest : length), caller);
    }

    private static Inode readable(FileNode file, Caller caller) throws FileException {
      Inode inode = inode(file);
      need(inode.type == FileType.REGULAR, Nfs3Status.INVAL);
      need(isOwner(inode, caller) || may(inode, MAY_READ, caller), Nfs3Status.ACCES);
      return inode;
    }

    private static Inode writable(FileNode file, long end, Caller caller) throws FileException {
      Inode inode = inode(file);
      need(inode.type == FileType.REGULAR, Nfs3Status.INVAL);
      need(isOwner(inode, caller) || may(inode, MAY_WRITE, caller), Nfs3Status.ACCES);
      need(end <= FILE_BYTES_MAX, Nfs3Status.FBIG);
      return inode;
    }
  }

  /** Of those that a file has, all together take no more than one value may. */
  private final class Attachments implements ExtendedAttributes {
    @Override
    public byte @Nullable [] get(FileNode node, byte[] name, Caller caller) throws FileException {
      needPermission(inode(node), MAY_READ, caller);
      return inode(node).attached.get(key(name));
    }

    @Override
    public Outcome set(FileNode node, byte[] name, byte[] value, Before before, Caller caller)
        throws FileException {
      Inode inode = inode(node);
      boolean hasAny = inode.type == FileType.REGULAR || inode.type == FileType.DIRECTORY;
      need(hasAny, Nfs3Status.PERM);
      needPermission(inode, MAY_WRITE, caller);
      boolean isThere = inode.attached.containsKey(key(name));
      need(!isThere || before != Before.NONE, Nfs3Status.EXIST);
      if (!isThere && before == Before.ONE) {
        return Outcome.ABSENT;
      }
      int held = inode.attached.values().stream().mapToInt(other -> other.length).sum();
      if (held + value.length > VALUE_BYTES_MAX) {
        return Outcome.TOO_LARGE;
      }
      inode.attached.put(key(name), value.clone());
      touch(inode);
      return Outcome.DONE;
    }

    @Override
    public List<byte[]> names(FileNode node, Caller caller) throws FileException {
      needPermission(inode(node), MAY_READ, caller);
      return inode(node).attached.keySet().stream()
          .map(name -> name.getBytes(StandardCharsets.ISO_8859_1))
          .toList();
    }

    @Override
    public boolean remove(FileNode node, byte[] name, Caller caller) throws FileException {
      needPermission(inode(node), MAY_WRITE, caller);
      touch(inode(node));
      return inode(node).attached.remove(key(name)) != null;
    }
  }

  @Override
  public AccessList accessList(FileNode node) throws FileException {
    return AccessList.ofMode(attributes(node).mode());
  }

  @Override
  public AccessList defaultAccessList(FileNode node) {
    return AccessList.NONE;
  }

  @Override
  public void setAccessLists(
      FileNode node, @Nullable AccessList access, @Nullable AccessList byDefault, Caller caller)
      throws FileException {
    throw new FileException(Nfs3Status.NOTSUPP, "there are no lists here");
  }

  @Override
  public @Nullable DiskQuota quota(FileNode node, DiskQuota.Kind kind, int id) {
    return quotas.get(new QuotaOf(kind, id));
  }

  /** Has somebody have a quota from now on. */
  public void setQuota(DiskQuota.Kind kind, int id, DiskQuota quota) {
    quotas.put(new QuotaOf(kind, id), quota);
  }

  @Override
  public Space space(FileNode node) {
    return new Space(1L << 40, 1L << 39, 1L << 38, 1_000_000, 999_000, 32_000, 255, true);
  }

  private Inode add(Inode inode) {
    inodes.put(inode.number, inode);
    if (inode.type == FileType.DIRECTORY) {
      inode.links = 1;
    }
    return inode;
  }

  private void attach(Inode parent, String name, Inode inode) {
    long cookie = ++parent.lastCookie;
    parent.byCookie.put(cookie, new Entry(name, inode));
    parent.byName.put(name, cookie);
    inode.links++;
    parent.modified = now();
    touch(parent);
    touch(inode);
  }

  private void detach(Inode parent, String name) {
    Long cookie = parent.byName.remove(name);
    Entry entry = cookie == null ? null : parent.byCookie.remove(cookie);
    if (entry == null) {
      throw new IllegalStateException("no such name");
    }
    entry.inode.links--;
    if (entry.inode.links <= (entry.inode.type == FileType.DIRECTORY ? 1 : 0)) {
      inodes.remove(entry.inode.number);
    }
    parent.modified = now();
    touch(parent);
    touch(entry.inode);
  }

  private void touch(Inode inode) {
    inode.changed = now();
    writes++;
  }

  private Timestamp now() {
    return new Timestamp(++clock, (int) (clock % 1_000));
  }

  private Timestamp time(TimeChange change) {
    return switch (change) {
      case TimeChange.Now _ -> now();
      case TimeChange.To(Timestamp time) -> time;
    };
  }

  private static Inode existing(Inode parent, byte[] name) throws FileException {
    Inode found = parent.child(key(name));
    if (found == null) {
      throw refusal(Nfs3Status.NOENT);
    }
    return found;
  }

  private Child child(Inode inode, FileNode directory) {
    return new Child(handle(inode, directory.handle().claimedJob()), attributes(inode));
  }

  private FileHandle handle(Inode inode, @Nullable JobId claim) {
    return new FileHandle(exportId, claim, ByteBuffer.allocate(8).putLong(inode.number).array());
  }

  private static Inode directory(FileNode node) throws FileException {
    Inode inode = inode(node);
    need(inode.type == FileType.DIRECTORY, Nfs3Status.NOTDIR);
    return inode;
  }

  private static Inode inode(FileNode node) {
    Node open = (Node) node;
    if (open.closed) {
      throw new IllegalStateException("used after it was closed");
    }
    return open.inode;
  }

  private static boolean isOwner(Inode inode, Caller caller) {
    return caller.uid() == 0 || caller.uid() == inode.uid;
  }

  private static boolean may(Inode inode, int wanted, Caller caller) {
    if (caller.uid() == 0) {
      boolean asksToRun = (wanted & MAY_EXECUTE) != 0 && inode.type != FileType.DIRECTORY;
      return !asksToRun || (inode.mode & 0111) != 0;
    }
    boolean inGroup = caller.gid() == inode.gid;
    for (int i = 0; i < caller.groupCount(); i++) {
      inGroup |= caller.group(i) == inode.gid;
    }
    int shift = caller.uid() == inode.uid ? 6 : inGroup ? 3 : 0;
    return (inode.mode >> shift & wanted) == wanted;
  }

  private static void needPermission(Inode inode, int wanted, Caller caller) throws FileException {
    need(may(inode, wanted, caller), Nfs3Status.ACCES);
  }

  private static String key(byte[] name) {
    return new String(name, StandardCharsets.ISO_8859_1);
  }

  private static void need(boolean condition, Nfs3Status otherwise) throws FileException {
    if (!condition) {
      throw refusal(otherwise);
    }
  }

  private static FileException refusal(Nfs3Status status) {
    return new FileException(status, status.toString());
  }
}
