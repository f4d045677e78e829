package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.FileStatus;
import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SystemCalls;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Tells apart files of one mount that have the same number. On btrfs each subvolume counts its own:
 * the roots of all are number 256, and the files of a snapshot have the numbers of what it was
 * taken of. The device that the kernel says they are on differs, but is another one after each
 * mount; what the file system calls itself in each of them stays.
 *
 * <p>Files of the subvolume that the tree's root is in, and so all files of other file systems,
 * keep their numbers, and cost nothing. Safe for use by many threads.
 */
final class Subvolumes {
  /** A device's number is given to another subvolume once its own is deleted. */
  private static final long HELD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final int KNOWN_MAX = 4_096;

  private static final int PATH_FLAGS =
      OpenFlags.PATH_ONLY | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;

  private final long rootDevice;
  private final long rootFileSystem;
  private final ConcurrentHashMap<Long, Known> known = new ConcurrentHashMap<>();

  private record Known(long difference, long sinceNanos) {
    boolean isFresh() {
      return System.nanoTime() - sinceNanos < HELD_NANOS;
    }
  }

  private Subvolumes(long rootDevice, long rootFileSystem) {
    this.rootDevice = rootDevice;
    this.rootFileSystem = rootFileSystem;
  }

  /** Those below an open directory. */
  static Subvolumes below(int root, SystemCalls calls) throws FileException {
    FileErrors.check(calls.stat(root));
    long device = calls.status().device();
    FileErrors.check(calls.statSpace(root));
    return new Subvolumes(device, calls.space().fileSystemId());
  }

  /** Whether a file is in the subvolume that the tree's root is in. */
  boolean hasRoot(FileStatus status) {
    return status.device() == rootDevice;
  }

  /**
   * What the numbers of a file's subvolume are to be combined with (by exclusive or) to be no other
   * subvolume's; 0 for that of the root.
   *
   * @param status what was said last of the open file
   */
  long difference(FileStatus status, int descriptor, SystemCalls calls) throws FileException {
    if (hasRoot(status)) {
      return 0;
    }
    Known found = known.get(status.device());
    return found != null && found.isFresh()
        ? found.difference
        : learn(status.device(), descriptor, calls);
  }

  /** The same for a name below a directory, of which something was said last. */
  long difference(FileStatus status, int directory, byte[] name, SystemCalls calls)
      throws FileException {
    if (hasRoot(status)) {
      return 0;
    }
    Known found = known.get(status.device());
    if (found != null && found.isFresh()) {
      return found.difference;
    }
    int opened = FileErrors.check(calls.open(directory, name, PATH_FLAGS, 0));
    try {
      return learn(status.device(), opened, calls);
    } finally {
      calls.close(opened);
    }
  }

  private long learn(long device, int descriptor, SystemCalls calls) throws FileException {
    FileErrors.check(calls.statSpace(descriptor));
    long difference = scatter(calls.space().fileSystemId() ^ rootFileSystem);
    if (known.size() >= KNOWN_MAX) {
      known.clear();
    }
    known.put(device, new Known(difference, System.nanoTime()));
    return difference;
  }

  /**
   * Far apart for what is near (the numbers of subvolumes are small), and 0 for 0: file systems
   * that call themselves the same everywhere have one count. The finish of MurmurHash3.
   */
  private static long scatter(long value) {
    long mixed = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ mixed >>> 33;
  }
}
