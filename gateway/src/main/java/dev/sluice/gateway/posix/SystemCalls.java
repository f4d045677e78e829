package dev.sluice.gateway.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Linux's system calls on files, as one thread makes them: with memory of its own for names,
 * answers and the error number, so that a call allocates nothing.
 *
 * <p>All go through the C library's {@code syscall}: some of them have no function of their own
 * there, others (setgroups) would act on every thread of the process. Each answers with what the
 * kernel answered: a result that is not negative, or a negated {@link Errno}. Interrupted calls are
 * made again.
 */
public final class SystemCalls {
  /** The directory argument that goes with an absolute path. */
  private static final int NO_DIRECTORY = -100;

  private static final int SYMLINK_NOFOLLOW = 0x100;
  private static final int EFFECTIVE_ACCESS = 0x200;
  private static final int REMOVE_DIRECTORY = 0x200;
  private static final int SYMLINK_FOLLOW = 0x400;
  private static final int NO_AUTOMOUNT = 0x800;
  private static final int EMPTY_PATH = 0x1000;

  private static final int UNSHARE_FILE_SYSTEM_STATE = 0x200;
  private static final int SEEK_TO = 0;

  /** UTIME_NOW and UTIME_OMIT, which stand where nanoseconds stand. */
  public static final long TIME_NOW = 0x3fff_ffff;

  public static final long TIME_UNCHANGED = 0x3fff_fffe;

  /** What faccessat asks for. */
  public static final int MAY_EXECUTE = 1;

  public static final int MAY_WRITE = 2;
  public static final int MAY_READ = 4;

  /** PATH_MAX: the kernel takes no longer path or link. */
  private static final int PATH_BYTES_MAX = 4096;

  private static final byte[] DESCRIPTORS = {
    '/', 'p', 'r', 'o', 'c', '/', 's', 'e', 'l', 'f', '/', 'f', 'd', '/'
  };

  /** How many groups fit into memory that is there anyway. */
  private static final int GROUPS_USUAL = PATH_BYTES_MAX / Integer.BYTES;

  private static final short LOCK_READ = 0;
  private static final short LOCK_WRITE = 1;
  private static final short LOCK_NONE = 2;
  private static final int OFD_GET_LOCK = 36;
  private static final int OFD_SET_LOCK = 37;

  private static final int SEEK_DATA = 3;
  private static final int SEEK_HOLE = 4;
  private static final int KEEP_SIZE = 1;
  private static final int PUNCH_HOLE = 2;

  private static final int SET_PIPE_SIZE = 1031;
  private static final int SPLICE_WITHOUT_WAITING = 2;
  private static final int NOT_NEEDED = 4;

  /** FICLONERANGE, the same on all processors that are known here. */
  private static final long CLONE_RANGE = 0x4020_940dL;

  /** How an extended attribute is set: whatever there is, only a new one, only an existing one. */
  public static final int ATTRIBUTE_ANY = 0;

  public static final int ATTRIBUTE_NEW = 1;
  public static final int ATTRIBUTE_EXISTING = 2;

  /** XATTR_SIZE_MAX and XATTR_LIST_MAX: no value and no list of names is longer. */
  public static final int ATTRIBUTE_BYTES_MAX = 1 << 16;

  /** _LINUX_CAPABILITY_VERSION_3: a head, and then sets of which the first is the effective one. */
  private static final int CAPABILITIES_FORM = 0x2008_0522;

  private static final int CAPABILITY_HEAD_BYTES = 8;
  private static final int CAPABILITY_RESOURCES = 24;

  private static final ThreadLocal<SystemCalls> OF_THREAD =
      ThreadLocal.withInitial(SystemCalls::new);

  private static final MethodHandle SYSCALL = syscall(5);

  /** The few calls that take one argument more. */
  private static final MethodHandle SYSCALL_OF_SIX = syscall(6);

  private final MemorySegment error;
  private final MemorySegment firstPath;
  private final MemorySegment secondPath;
  private final MemorySegment status;
  private final MemorySegment handle;
  private final MemorySegment mountId;
  private final MemorySegment small;
  private final FileStatus fileStatus;
  private final KernelHandle kernelHandle;
  private final SpaceStatus spaceStatus;
  private final QuotaStatus quotaStatus;
  private @Nullable MemorySegment entryMemory;
  private @Nullable DirectoryEntries entries;
  private @Nullable MemorySegment attributeMemory;

  private SystemCalls() {
    // Connection threads come and go: their memory goes with them.
    Arena arena = Arena.ofAuto();
    error = arena.allocate(Linker.Option.captureStateLayout());
    firstPath = arena.allocate(PATH_BYTES_MAX + 1, Long.BYTES);
    secondPath = arena.allocate(PATH_BYTES_MAX + 1, Long.BYTES);
    status = arena.allocate(FileStatus.BYTES, Long.BYTES);
    handle = arena.allocate(KernelHandle.HEAD_BYTES + KernelHandle.BYTES_MAX, Long.BYTES);
    mountId = arena.allocate(JAVA_INT);
    small = arena.allocate(SpaceStatus.BYTES, Long.BYTES);
    fileStatus = new FileStatus(status);
    kernelHandle = new KernelHandle(handle, mountId);
    spaceStatus = new SpaceStatus(small);
    quotaStatus = new QuotaStatus(small);
  }

  /** The calling thread's. */
  public static SystemCalls ofThisThread() {
    return OF_THREAD.get();
  }

  // Opening and closing.

  /** Opens a name below a directory; the descriptor. */
  public int open(int directory, byte[] name, int flags, int mode) {
    return setFirst(name)
        ? (int) call(Numbers.OPENAT, directory, firstPath.address(), flags, mode, 0)
        : -Errno.ENAMETOOLONG;
  }

  /** Opens by an absolute path; the descriptor. */
  public int open(byte[] path, int flags) {
    return open(NO_DIRECTORY, path, flags, 0);
  }

  /** Opens once more what a descriptor stands for, also when it has no name any more. */
  public int reopen(int descriptor, int flags) {
    setFirstToDescriptor(descriptor);
    return (int) call(Numbers.OPENAT, NO_DIRECTORY, firstPath.address(), flags, 0, 0);
  }

  /** Opens the file that {@link #handle} stands for; only root may. */
  public int openByHandle(int mount, int flags) {
    return (int) call(Numbers.OPEN_BY_HANDLE_AT, mount, handle.address(), flags, 0, 0);
  }

  /** Closes a descriptor. Whatever it answers, the descriptor is closed. */
  public int close(int descriptor) {
    long result = callOnce(Numbers.CLOSE, descriptor, 0, 0, 0, 0);
    return result < 0 ? -lastError() : 0;
  }

  // Locks of open file descriptions, which are between descriptors and not between processes.

  /** Locks a range, at once or not at all; a length of 0 goes to the end, however long it grows. */
  public int lock(int descriptor, long offset, long length, boolean isExclusive) {
    setRange(isExclusive ? LOCK_WRITE : LOCK_READ, offset, length);
    return (int) call(Numbers.FCNTL, descriptor, OFD_SET_LOCK, small.address(), 0, 0);
  }

  /** Unlocks a range. */
  public int unlock(int descriptor, long offset, long length) {
    setRange(LOCK_NONE, offset, length);
    return (int) call(Numbers.FCNTL, descriptor, OFD_SET_LOCK, small.address(), 0, 0);
  }

  /** Whether {@link #lock} would succeed: 1 or 0, or an error. */
  public int isLockable(int descriptor, long offset, long length, boolean isExclusive) {
    setRange(isExclusive ? LOCK_WRITE : LOCK_READ, offset, length);
    int result = (int) call(Numbers.FCNTL, descriptor, OFD_GET_LOCK, small.address(), 0, 0);
    return result < 0 ? result : small.get(JAVA_SHORT, 0) == LOCK_NONE ? 1 : 0;
  }

  /** A struct flock from the beginning of the file. */
  private void setRange(short type, long offset, long length) {
    small.fill((byte) 0);
    small.set(JAVA_SHORT, 0, type);
    small.set(JAVA_LONG, 8, offset);
    small.set(JAVA_LONG, 16, length);
  }

  // Asking.

  /** Fills {@link #status} for what a descriptor stands for. */
  public int stat(int descriptor) {
    return stat(descriptor, emptyPath(), EMPTY_PATH);
  }

  /** Fills {@link #status} for a name below a directory; a link is not followed. */
  public int stat(int directory, byte[] name) {
    return setFirst(name) ? stat(directory, firstPath.address(), 0) : -Errno.ENAMETOOLONG;
  }

  private int stat(int directory, long path, int flags) {
    return (int)
        call(
            Numbers.STATX,
            directory,
            path,
            SYMLINK_NOFOLLOW | NO_AUTOMOUNT | flags,
            FileStatus.WANTED,
            status.address());
  }

  /** Fills {@link #handle} for what a descriptor stands for. */
  public int handleOf(int descriptor) {
    return handleOf(descriptor, emptyPath(), EMPTY_PATH);
  }

  /** Fills {@link #handle} for a name below a directory; a link is not followed. */
  public int handleOf(int directory, byte[] name) {
    return setFirst(name) ? handleOf(directory, firstPath.address(), 0) : -Errno.ENAMETOOLONG;
  }

  private int handleOf(int directory, long path, int flags) {
    kernelHandle.makeRoom();
    return (int)
        call(
            Numbers.NAME_TO_HANDLE_AT, directory, path, handle.address(), mountId.address(), flags);
  }

  /** Fills {@link #quota} for the file system of what a descriptor stands for; since Linux 5.14. */
  public int statQuota(int descriptor, boolean isGroups, int id) {
    long whose = isGroups ? QuotaStatus.OF_GROUP : QuotaStatus.OF_USER;
    long command = QuotaStatus.GET << Byte.SIZE | whose;
    return (int)
        call(
            Numbers.QUOTACTL_FD,
            descriptor,
            command,
            Integer.toUnsignedLong(id),
            small.address(),
            0);
  }

  /** Fills {@link #space}. */
  public int statSpace(int descriptor) {
    return (int) call(Numbers.FSTATFS, descriptor, small.address(), 0, 0, 0);
  }

  /** Whether whom the kernel takes this thread for may do this with the file. */
  public int access(int descriptor, int rights) {
    return (int)
        call(
            Numbers.FACCESSAT2,
            descriptor,
            emptyPath(),
            rights,
            EMPTY_PATH | EFFECTIVE_ACCESS | SYMLINK_NOFOLLOW,
            0);
  }

  /** Reads what a symbolic link holds; how many bytes. */
  public int readLink(int descriptor) {
    return (int)
        call(Numbers.READLINKAT, descriptor, emptyPath(), secondPath.address(), PATH_BYTES_MAX, 0);
  }

  /** What {@link #readLink} read, so many bytes; holds until this thread's next call. */
  public byte[] linkContent(int length) {
    byte[] content = new byte[length];
    MemorySegment.copy(secondPath, JAVA_BYTE, 0, content, 0, length);
    return content;
  }

  /** What {@link #stat} said last. */
  public FileStatus status() {
    return fileStatus;
  }

  /** What {@link #handleOf} said last, and what {@link #openByHandle} opens. */
  public KernelHandle handle() {
    return kernelHandle;
  }

  /** What {@link #statQuota} said last. */
  public QuotaStatus quota() {
    return quotaStatus;
  }

  /** What {@link #statSpace} said last. */
  public SpaceStatus space() {
    return spaceStatus;
  }

  // Contents.

  /**
   * Reads to a direct buffer, between its position and its limit, and moves the position; how many
   * bytes, 0 at the end.
   */
  public int read(int descriptor, ByteBuffer into, long offset) {
    return move(Numbers.PREAD64, descriptor, into, offset);
  }

  /** Writes from a direct buffer what it has, or some of it, and moves its position; how much. */
  public int write(int descriptor, ByteBuffer from, long offset) {
    return move(Numbers.PWRITE64, descriptor, from, offset);
  }

  private int move(long number, int descriptor, ByteBuffer buffer, long offset) {
    try {
      int count = (int) call(number, descriptor, address(buffer), buffer.remaining(), offset, 0);
      if (count > 0) {
        buffer.position(buffer.position() + count);
      }
      return count;
    } finally {
      Reference.reachabilityFence(buffer);
    }
  }

  /**
   * Gives pages of this process back to the system, which has others for them when they are touched
   * again: what was in them is lost.
   */
  public int giveBackPages(long address, long length) {
    return (int) call(Numbers.MADVISE, address, length, NOT_NEEDED, 0, 0);
  }

  /** Makes a pipe, of which {@link #pipeEntrance} and {@link #pipeExit} tell the ends. */
  int openPipe() {
    return (int) call(Numbers.PIPE2, small.address(), OpenFlags.CLOSE_ON_EXEC, 0, 0, 0);
  }

  /** Where the pipe that {@link #openPipe} made last is written to. */
  int pipeEntrance() {
    return small.get(JAVA_INT, Integer.BYTES);
  }

  /** Where it is read from. */
  int pipeExit() {
    return small.get(JAVA_INT, 0);
  }

  /** Has an empty pipe hold so many bytes in whole pages; how many it holds then. */
  int resizePipe(int descriptor, int bytes) {
    return (int) call(Numbers.FCNTL, descriptor, SET_PIPE_SIZE, bytes, 0, 0);
  }

  /** Has a pipe share pages with a file, as far as it has room at once; how many bytes. */
  int moveToPipe(int descriptor, long offset, int pipe, int count) {
    long result;
    do {
      small.set(JAVA_LONG, 0, offset);
      result =
          callOfSix(
              Numbers.SPLICE, descriptor, small.address(), pipe, 0, count, SPLICE_WITHOUT_WAITING);
    } while (result < 0 && lastError() == Errno.EINTR);
    return (int) (result < 0 ? -lastError() : result);
  }

  /** Has a file take what comes out of a pipe, which has so much in it; how many bytes. */
  int moveFromPipe(int pipe, int descriptor, long offset, int count) {
    long result;
    do {
      small.set(JAVA_LONG, 0, offset);
      result =
          callOfSix(
              Numbers.SPLICE, pipe, 0, descriptor, small.address(), count, SPLICE_WITHOUT_WAITING);
    } while (result < 0 && lastError() == Errno.EINTR);
    return (int) (result < 0 ? -lastError() : result);
  }

  /** Puts what a direct buffer has, or some of it, into a pipe, and moves its position. */
  int writePipe(int descriptor, ByteBuffer from) {
    return move(Numbers.WRITE, descriptor, from, 0);
  }

  /** Takes out of a pipe what a direct buffer has room for, or some, and moves its position. */
  int readPipe(int descriptor, ByteBuffer into) {
    return move(Numbers.READ, descriptor, into, 0);
  }

  public int truncate(int descriptor, long size) {
    return (int) call(Numbers.FTRUNCATE, descriptor, size, 0, 0, 0);
  }

  /** Has the file's data and attributes on stable storage. */
  public int sync(int descriptor) {
    return (int) call(Numbers.FSYNC, descriptor, 0, 0, 0, 0);
  }

  /** Has the file's data on stable storage, and of its attributes what finding the data needs. */
  public int syncData(int descriptor) {
    return (int) call(Numbers.FDATASYNC, descriptor, 0, 0, 0, 0);
  }

  // Where contents are.

  /** Where data begins, at an offset or behind it; ENXIO where there is none. */
  public long seekData(int descriptor, long offset) {
    return call(Numbers.LSEEK, descriptor, offset, SEEK_DATA, 0, 0);
  }

  /** Where a hole begins, at an offset or behind it: the end of the file at the latest. */
  public long seekHole(int descriptor, long offset) {
    return call(Numbers.LSEEK, descriptor, offset, SEEK_HOLE, 0, 0);
  }

  /** Has room reserved for a range; a file that ends before its end becomes so long. */
  public int allocate(int descriptor, long offset, long length) {
    return (int) call(Numbers.FALLOCATE, descriptor, 0, offset, length, 0);
  }

  /** Makes a range a hole. */
  public int deallocate(int descriptor, long offset, long length) {
    return (int) call(Numbers.FALLOCATE, descriptor, PUNCH_HOLE | KEEP_SIZE, offset, length, 0);
  }

  /** Copies from file to file, all of it or some of it; how many bytes, 0 at the end. */
  public int copy(int from, long fromOffset, int to, long toOffset, int bytes) {
    small.set(JAVA_LONG, 0, fromOffset);
    small.set(JAVA_LONG, Long.BYTES, toOffset);
    while (true) {
      long result =
          callOfSix(
              Numbers.COPY_FILE_RANGE,
              from,
              small.address(),
              to,
              small.address() + Long.BYTES,
              bytes,
              0);
      if (result >= 0) {
        return (int) result;
      }
      int why = lastError();
      if (why != Errno.EINTR) {
        return -why;
      }
    }
  }

  /** Has a range of one file share its storage with another's; a length of 0 goes to the end. */
  public int cloneRange(int from, long fromOffset, int to, long toOffset, long length) {
    small.set(JAVA_LONG, 0, from);
    small.set(JAVA_LONG, Long.BYTES, fromOffset);
    small.set(JAVA_LONG, 2 * Long.BYTES, length);
    small.set(JAVA_LONG, 3 * Long.BYTES, toOffset);
    return (int) call(Numbers.IOCTL, to, CLONE_RANGE, small.address(), 0, 0);
  }

  // Extended attributes, of what a descriptor stands for; names with their prefix.

  /** Reads a value; how many bytes, which {@link #attributeBytes} has. */
  public int readAttribute(int descriptor, byte[] name) {
    setFirstToDescriptor(descriptor);
    return setSecond(name)
        ? (int)
            call(
                Numbers.GETXATTR,
                firstPath.address(),
                secondPath.address(),
                attributeMemory().address(),
                ATTRIBUTE_BYTES_MAX,
                0)
        : -Errno.ENAMETOOLONG;
  }

  /** Sets a value. */
  public int writeAttribute(int descriptor, byte[] name, byte[] value, int how) {
    if (value.length > ATTRIBUTE_BYTES_MAX) {
      return -Errno.E2BIG;
    }
    setFirstToDescriptor(descriptor);
    MemorySegment memory = attributeMemory();
    MemorySegment.copy(value, 0, memory, JAVA_BYTE, 0, value.length);
    return setSecond(name)
        ? (int)
            call(
                Numbers.SETXATTR,
                firstPath.address(),
                secondPath.address(),
                memory.address(),
                value.length,
                how)
        : -Errno.ENAMETOOLONG;
  }

  /** Lists all names, each with a zero byte behind it; how many bytes, for attributeBytes. */
  public int listAttributes(int descriptor) {
    setFirstToDescriptor(descriptor);
    return (int)
        call(
            Numbers.LISTXATTR,
            firstPath.address(),
            attributeMemory().address(),
            ATTRIBUTE_BYTES_MAX,
            0,
            0);
  }

  public int removeAttribute(int descriptor, byte[] name) {
    setFirstToDescriptor(descriptor);
    return setSecond(name)
        ? (int) call(Numbers.REMOVEXATTR, firstPath.address(), secondPath.address(), 0, 0, 0)
        : -Errno.ENAMETOOLONG;
  }

  /** What was read last, so many bytes; holds until this thread's next call about attributes. */
  public byte[] attributeBytes(int length) {
    return attributeMemory().asSlice(0, length).toArray(JAVA_BYTE);
  }

  /** Few threads are ever asked for extended attributes. */
  private MemorySegment attributeMemory() {
    MemorySegment existing = attributeMemory;
    if (existing == null) {
      existing = Arena.ofAuto().allocate(ATTRIBUTE_BYTES_MAX, Long.BYTES);
      attributeMemory = existing;
    }
    return existing;
  }

  // Directories.

  /** Has {@link #entries} go on from here. */
  public int seek(int directory, long cookie) {
    return (int) Math.min(call(Numbers.LSEEK, directory, cookie, SEEK_TO, 0, 0), 0);
  }

  /** Fills {@link #entries}; 0 at the end of the directory. */
  public int readEntries(int directory) {
    DirectoryEntries filled = entries();
    MemorySegment memory = entryMemory;
    if (memory == null) {
      throw new IllegalStateException("entries without memory");
    }
    int bytes =
        (int) call(Numbers.GETDENTS64, directory, memory.address(), DirectoryEntries.BYTES, 0, 0);
    filled.filled(Math.max(bytes, 0));
    return bytes;
  }

  /** What {@link #readEntries} said last. */
  public DirectoryEntries entries() {
    DirectoryEntries existing = entries;
    if (existing == null) {
      MemorySegment memory = Arena.ofAuto().allocate(DirectoryEntries.BYTES, Long.BYTES);
      existing = new DirectoryEntries(memory);
      entryMemory = memory;
      entries = existing;
    }
    return existing;
  }

  // Making, naming and removing.

  public int makeDirectory(int directory, byte[] name, int mode) {
    return setFirst(name)
        ? (int) call(Numbers.MKDIRAT, directory, firstPath.address(), mode, 0, 0)
        : -Errno.ENAMETOOLONG;
  }

  /** Makes a file of a kind that {@code typeAndMode} names. */
  public int makeNode(int directory, byte[] name, int typeAndMode, int major, int minor) {
    // The kernel's own packing of device numbers: twelve bits of the major one amid the minor one.
    long device = (minor & 0xffL) | ((major & 0xfffL) << 8) | ((minor & 0xfff00L) << 12);
    return setFirst(name)
        ? (int) call(Numbers.MKNODAT, directory, firstPath.address(), typeAndMode, device, 0)
        : -Errno.ENAMETOOLONG;
  }

  public int makeSymbolicLink(byte[] content, int directory, byte[] name) {
    return setFirst(content) && setSecond(name)
        ? (int) call(Numbers.SYMLINKAT, firstPath.address(), directory, secondPath.address(), 0, 0)
        : -Errno.ENAMETOOLONG;
  }

  /** Gives what a descriptor stands for one more name. */
  public int link(int descriptor, int directory, byte[] name) {
    // By way of its descriptor's name: with an empty path only root may.
    setFirstToDescriptor(descriptor);
    return setSecond(name)
        ? (int)
            call(
                Numbers.LINKAT,
                NO_DIRECTORY,
                firstPath.address(),
                directory,
                secondPath.address(),
                SYMLINK_FOLLOW)
        : -Errno.ENAMETOOLONG;
  }

  public int rename(int fromDirectory, byte[] from, int toDirectory, byte[] to) {
    return setFirst(from) && setSecond(to)
        ? (int)
            call(
                Numbers.RENAMEAT,
                fromDirectory,
                firstPath.address(),
                toDirectory,
                secondPath.address(),
                0)
        : -Errno.ENAMETOOLONG;
  }

  public int remove(int directory, byte[] name) {
    return setFirst(name)
        ? (int) call(Numbers.UNLINKAT, directory, firstPath.address(), 0, 0, 0)
        : -Errno.ENAMETOOLONG;
  }

  public int removeDirectory(int directory, byte[] name) {
    return setFirst(name)
        ? (int) call(Numbers.UNLINKAT, directory, firstPath.address(), REMOVE_DIRECTORY, 0, 0)
        : -Errno.ENAMETOOLONG;
  }

  // Attributes.

  /** Sets the mode of anything but a symbolic link. */
  public int changeMode(int descriptor, int mode) {
    setFirstToDescriptor(descriptor);
    return (int) call(Numbers.FCHMODAT, NO_DIRECTORY, firstPath.address(), mode, 0, 0);
  }

  /** Sets owner and group; -1 leaves one as it is. */
  public int changeOwner(int descriptor, int uid, int gid) {
    return (int)
        call(
            Numbers.FCHOWNAT,
            descriptor,
            emptyPath(),
            Integer.toUnsignedLong(uid),
            Integer.toUnsignedLong(gid),
            EMPTY_PATH);
  }

  /** Sets both times; the nanoseconds may be {@link #TIME_NOW} or {@link #TIME_UNCHANGED}. */
  public int changeTimes(
      int descriptor,
      long accessedSeconds,
      long accessedNanos,
      long modifiedSeconds,
      long modifiedNanos) {
    small.set(JAVA_LONG, 0, accessedSeconds);
    small.set(JAVA_LONG, 8, accessedNanos);
    small.set(JAVA_LONG, 16, modifiedSeconds);
    small.set(JAVA_LONG, 24, modifiedNanos);
    return (int) call(Numbers.UTIMENSAT, descriptor, emptyPath(), small.address(), EMPTY_PATH, 0);
  }

  // Who the thread is.

  /** Whom the process acts as. */
  public int effectiveUser() {
    return (int) call(Numbers.GETEUID, 0, 0, 0, 0, 0);
  }

  /** Has the kernel check this thread's access as this user's; whom it was before. */
  public int changeFileUser(int uid) {
    return (int) callOnce(Numbers.SETFSUID, Integer.toUnsignedLong(uid), 0, 0, 0, 0);
  }

  /** Has the kernel check this thread's access as this group's; whose it was before. */
  public int changeFileGroup(int gid) {
    return (int) callOnce(Numbers.SETFSGID, Integer.toUnsignedLong(gid), 0, 0, 0, 0);
  }

  /** Has the kernel take this thread for a member of these groups. */
  public int changeGroups(int... groups) {
    if (groups.length > GROUPS_USUAL) {
      try (Arena arena = Arena.ofConfined()) {
        return changeGroups(groups, arena.allocate(JAVA_INT, groups.length));
      }
    }
    return changeGroups(groups, firstPath);
  }

  private int changeGroups(int[] groups, MemorySegment memory) {
    MemorySegment.copy(groups, 0, memory, JAVA_INT, 0, groups.length);
    return (int) call(Numbers.SETGROUPS, groups.length, memory.address(), 0, 0, 0);
  }

  /**
   * Takes from this thread the power that goes beyond quotas and the disk's reserve, until it ends:
   * changing whom the kernel takes it for leaves that alone.
   */
  public int dropResourcePower() {
    small.set(JAVA_INT, 0, CAPABILITIES_FORM);
    small.set(JAVA_INT, 4, 0); // This thread.
    long sets = small.address() + CAPABILITY_HEAD_BYTES;
    int result = (int) call(Numbers.CAPGET, small.address(), sets, 0, 0, 0);
    if (result < 0) {
      return result;
    }
    int effective = small.get(JAVA_INT, CAPABILITY_HEAD_BYTES);
    small.set(JAVA_INT, CAPABILITY_HEAD_BYTES, effective & ~(1 << CAPABILITY_RESOURCES));
    return (int) call(Numbers.CAPSET, small.address(), sets, 0, 0, 0);
  }

  /** Gives this thread a mode mask of its own, which is otherwise one for the whole process. */
  public int separateModeMask() {
    return (int) call(Numbers.UNSHARE, UNSHARE_FILE_SYSTEM_STATE, 0, 0, 0, 0);
  }

  /** Sets what is taken away from the modes of what is made; what it was before. */
  public int changeModeMask(int mask) {
    return (int) call(Numbers.UMASK, mask, 0, 0, 0, 0);
  }

  // How it is done.

  private long call(long number, long a, long b, long c, long d, long e) {
    while (true) {
      long result = callOnce(number, a, b, c, d, e);
      if (result >= 0) {
        return result;
      }
      int why = lastError();
      if (why != Errno.EINTR) {
        return -why;
      }
    }
  }

  private long callOnce(long number, long a, long b, long c, long d, long e) {
    try {
      return (long) SYSCALL.invokeExact(error, number, a, b, c, d, e);
    } catch (Throwable impossible) {
      throw new AssertionError("a system call does not throw", impossible);
    }
  }

  private long callOfSix(long number, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) SYSCALL_OF_SIX.invokeExact(error, number, a, b, c, d, e, f);
    } catch (Throwable impossible) {
      throw new AssertionError("a system call does not throw", impossible);
    }
  }

  private int lastError() {
    return error.get(JAVA_INT, 0);
  }

  /** The zero byte behind all of the second path's room, which nothing is ever written to. */
  private long emptyPath() {
    return secondPath.address() + PATH_BYTES_MAX;
  }

  private boolean setFirst(byte[] path) {
    return set(firstPath, path);
  }

  private boolean setSecond(byte[] path) {
    return set(secondPath, path);
  }

  private static boolean set(MemorySegment memory, byte[] path) {
    if (path.length >= PATH_BYTES_MAX) {
      return false;
    }
    MemorySegment.copy(path, 0, memory, JAVA_BYTE, 0, path.length);
    memory.set(JAVA_BYTE, path.length, (byte) 0);
    return true;
  }

  private void setFirstToDescriptor(int descriptor) {
    MemorySegment.copy(DESCRIPTORS, 0, firstPath, JAVA_BYTE, 0, DESCRIPTORS.length);
    int digits = 1;
    for (int rest = descriptor / 10; rest > 0; rest /= 10) {
      digits++;
    }
    int at = DESCRIPTORS.length + digits;
    firstPath.set(JAVA_BYTE, at, (byte) 0);
    for (int rest = descriptor, i = 0; i < digits; i++, rest /= 10) {
      firstPath.set(JAVA_BYTE, --at, (byte) ('0' + rest % 10));
    }
  }

  private static long address(ByteBuffer buffer) {
    if (!buffer.isDirect()) {
      throw new IllegalArgumentException("file contents are moved by direct buffers only");
    }
    return MemorySegment.ofBuffer(buffer).address();
  }

  @SuppressWarnings("restricted") // This is the one place where native code is bound.
  private static MethodHandle syscall(int arguments) {
    Linker linker = Linker.nativeLinker();
    MemoryLayout[] layouts = new MemoryLayout[1 + arguments];
    Arrays.fill(layouts, JAVA_LONG);
    FunctionDescriptor descriptor = FunctionDescriptor.of(JAVA_LONG, layouts);
    return linker.downcallHandle(
        linker.defaultLookup().findOrThrow("syscall"),
        descriptor,
        Linker.Option.captureCallState("errno"),
        Linker.Option.firstVariadicArg(1));
  }

  /** What the calls are numbered. */
  private static final class Numbers {
    static final long CAPGET = on(125, 90);
    static final long CAPSET = on(126, 91);
    static final long CLOSE = on(3, 57);
    static final long COPY_FILE_RANGE = on(326, 285);
    static final long FACCESSAT2 = 439;
    static final long FALLOCATE = on(285, 47);
    static final long FCHMODAT = on(268, 53);
    static final long FCNTL = on(72, 25);
    static final long FCHOWNAT = on(260, 54);
    static final long FDATASYNC = on(75, 83);
    static final long FSTATFS = on(138, 44);
    static final long FSYNC = on(74, 82);
    static final long FTRUNCATE = on(77, 46);
    static final long GETDENTS64 = on(217, 61);
    static final long GETEUID = on(107, 175);
    static final long GETXATTR = on(191, 8);
    static final long IOCTL = on(16, 29);
    static final long LINKAT = on(265, 37);
    static final long LISTXATTR = on(194, 11);
    static final long LSEEK = on(8, 62);
    static final long MADVISE = on(28, 233);
    static final long MKDIRAT = on(258, 34);
    static final long MKNODAT = on(259, 33);
    static final long NAME_TO_HANDLE_AT = on(303, 264);
    static final long OPENAT = on(257, 56);
    static final long OPEN_BY_HANDLE_AT = on(304, 265);
    static final long PIPE2 = on(293, 59);
    static final long PREAD64 = on(17, 67);
    static final long PWRITE64 = on(18, 68);
    static final long QUOTACTL_FD = 443;
    static final long READ = on(0, 63);
    static final long READLINKAT = on(267, 78);
    static final long REMOVEXATTR = on(197, 14);
    static final long RENAMEAT = on(264, 38);
    static final long SETFSGID = on(123, 152);
    static final long SETFSUID = on(122, 151);
    static final long SETGROUPS = on(116, 159);
    static final long SETXATTR = on(188, 5);
    static final long SPLICE = on(275, 76);
    static final long STATX = on(332, 291);
    static final long SYMLINKAT = on(266, 36);
    static final long UMASK = on(95, 166);
    static final long UNLINKAT = on(263, 35);
    static final long UNSHARE = on(272, 97);
    static final long UTIMENSAT = on(280, 88);
    static final long WRITE = on(1, 64);

    private Numbers() {}

    private static long on(long x86, long arm) {
      return Architecture.CURRENT.select(x86, arm);
    }
  }
}
