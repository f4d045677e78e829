package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A file with what is open for it: a descriptor that stands for it and, once contents are moved,
 * others for these. Whoever uses it holds it, the cache does too, and the last to let go closes it.
 */
final class Node {
  private static final int NOT_OPEN = -1;
  private static final VarHandle HOLDS;
  private static final VarHandle ATTRIBUTE_CHANGES;

  static {
    try {
      HOLDS = MethodHandles.lookup().findVarHandle(Node.class, "holds", int.class);
      ATTRIBUTE_CHANGES =
          MethodHandles.lookup().findVarHandle(Node.class, "attributeChanges", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final FileHandle handle;
  private final FileType type;
  private final int descriptor;
  private final NodeCache cache;
  private volatile int holds = 1;
  private volatile int attributeChanges;
  private volatile boolean usedSinceLastLook;
  private volatile int readDescriptor = NOT_OPEN;
  private volatile int writeDescriptor = NOT_OPEN;
  private volatile @Nullable SharedSync dataSync;
  private volatile @Nullable SharedSync fileSync;
  private final long order;
  private final ReentrantLock change = new ReentrantLock();
  // Guarded by the lock.
  private @Nullable ChangeStamp lastChange;
  private @Nullable Attributes lastSeen;
  private long lastSeenNanos;

  /** A file whose descriptor is given up to it. Its maker holds it. */
  Node(FileHandle handle, FileType type, int descriptor, NodeCache cache) {
    this.handle = handle;
    this.type = type;
    this.descriptor = descriptor;
    this.cache = cache;
    this.order = cache.nextOrder();
    cache.countOpened();
  }

  /** A regular file whose descriptor also moves contents both ways. */
  static Node opened(FileHandle handle, int descriptor, NodeCache cache) {
    Node node = new Node(handle, FileType.REGULAR, descriptor, cache);
    node.writeDescriptor = descriptor;
    return node;
  }

  /** Which file it is, whichever job is claimed. */
  FileHandle handle() {
    return handle;
  }

  FileType type() {
    return type;
  }

  void requireRegular() throws FileException {
    if (type != FileType.REGULAR) {
      throw FileErrors.of(type == FileType.DIRECTORY ? Nfs3Status.ISDIR : Nfs3Status.INVAL);
    }
  }

  void requireDirectory() throws FileException {
    if (type != FileType.DIRECTORY) {
      throw FileErrors.of(Nfs3Status.NOTDIR);
    }
  }

  /** Stands for the file. */
  int descriptor() {
    return descriptor;
  }

  /** Grows with each change of the attributes that rights depend on, as far as it is through us. */
  int attributeChanges() {
    return attributeChanges;
  }

  void countAttributeChange() {
    ATTRIBUTE_CHANGES.getAndAdd(this, 1);
  }

  /** Tells files apart, in an order that never changes. */
  long order() {
    return order;
  }

  /** Keeps others from changing it, as far as they come this way. */
  void lockForChange() {
    change.lock();
  }

  void unlockAfterChange() {
    change.unlock();
  }

  /** Its last change through us, as far as that matters; only for who has locked it. */
  @Nullable ChangeStamp lastChange() {
    return lastChange;
  }

  void lastChange(@Nullable ChangeStamp stamp) {
    lastChange = stamp;
  }

  /** How it was found after its last change, if that is not longer ago; for who has locked it. */
  @Nullable Attributes lastSeen(long nanosMax) {
    return lastSeen != null && System.nanoTime() - lastSeenNanos <= nanosMax ? lastSeen : null;
  }

  void lastSeen(Attributes seen) {
    lastSeen = seen;
    lastSeenNanos = System.nanoTime();
  }

  void forgetLastSeen() {
    lastSeen = null;
  }

  /** Holds it, unless it was closed. */
  boolean tryHold() {
    int seen = holds;
    while (seen > 0) {
      if (HOLDS.compareAndSet(this, seen, seen + 1)) {
        // Written only when it changes: many threads read the root's.
        if (!usedSinceLastLook) {
          usedSinceLastLook = true;
        }
        return true;
      }
      seen = holds;
    }
    return false;
  }

  /** Lets go of it; the last closes it. */
  void release(SystemCalls calls) {
    if ((int) HOLDS.getAndAdd(this, -1) == 1) {
      close(calls);
    }
  }

  /** Takes the cache's hold away if nobody else has one; the caller then closes it. */
  boolean tryRetire() {
    return HOLDS.compareAndSet(this, 1, 0);
  }

  /** Whether it was held since this was asked last. */
  boolean takeUsed() {
    boolean used = usedSinceLastLook;
    usedSinceLastLook = false;
    return used;
  }

  /**
   * Moves contents out. Not opened for writing as well: that would keep programs from being run and
   * file systems from becoming read-only because somebody reads.
   */
  int readDescriptor(SystemCalls calls) throws FileException {
    int open = openForEither();
    return open != NOT_OPEN ? open : openForReading(calls);
  }

  /** Moves contents in. */
  int writeDescriptor(SystemCalls calls) throws FileException {
    int open = writeDescriptor;
    return open != NOT_OPEN ? open : openForWriting(calls);
  }

  /** Has its data on stable storage, for all who ask for that at once. */
  int syncData(int open, SystemCalls calls) {
    SharedSync shared = dataSync;
    if (shared == null) {
      synchronized (this) {
        shared = dataSync == null ? new SharedSync() : dataSync;
        dataSync = shared;
      }
    }
    return shared.ask(() -> calls.syncData(open));
  }

  /** The same with its attributes. */
  int sync(int open, SystemCalls calls) {
    SharedSync shared = fileSync;
    if (shared == null) {
      synchronized (this) {
        shared = fileSync == null ? new SharedSync() : fileSync;
        fileSync = shared;
      }
    }
    return shared.ask(() -> calls.sync(open));
  }

  void close(SystemCalls calls) {
    int closed = closeOne(calls, descriptor);
    if (writeDescriptor != descriptor) {
      closed += closeOne(calls, writeDescriptor);
    }
    closed += closeOne(calls, readDescriptor);
    cache.countClosed(closed);
  }

  private int openForEither() {
    int writing = writeDescriptor;
    return writing != NOT_OPEN ? writing : readDescriptor;
  }

  private int openForReading(SystemCalls calls) throws FileException {
    synchronized (this) {
      int open = openForEither();
      if (open != NOT_OPEN) {
        return open;
      }
      readDescriptor = open(calls, OpenFlags.READ_ONLY);
    }
    cache.trim(calls);
    return readDescriptor;
  }

  private int openForWriting(SystemCalls calls) throws FileException {
    synchronized (this) {
      if (writeDescriptor != NOT_OPEN) {
        return writeDescriptor;
      }
      writeDescriptor = open(calls, OpenFlags.READ_WRITE);
    }
    cache.trim(calls);
    return writeDescriptor;
  }

  private int open(SystemCalls calls, int flags) throws FileException {
    int opened = FileErrors.check(calls.reopen(descriptor, flags | OpenFlags.CLOSE_ON_EXEC));
    cache.countOpened();
    return opened;
  }

  private static int closeOne(SystemCalls calls, int descriptor) {
    if (descriptor == NOT_OPEN) {
      return 0;
    }
    calls.close(descriptor);
    return 1;
  }
}
