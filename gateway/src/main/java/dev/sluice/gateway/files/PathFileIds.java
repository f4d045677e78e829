package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.FileStatus;
import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Ids for where the kernel gives none or does not let us open by them: a file's number and time of
 * birth, and a memory of the directory and the name under which it was seen last. A file that
 * others rename behind our back is stale until it is looked up again.
 *
 * <p>What is remembered is logged in the state directory, so that handles survive a restart. The
 * log is not forced to disk: after a power failure some handles may be stale. Of too many files
 * those are forgotten that were not used for long.
 */
final class PathFileIds implements FileIds {
  /** No path is deeper, as each directory takes two bytes in it; so a loop ends. */
  private static final int DEPTH_MAX = 2048;

  private static final int FLAGS =
      OpenFlags.PATH_ONLY | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;

  private final int root;
  private final InodeId rootId;
  private final long mountId;
  private final Subvolumes subvolumes;
  private final int filesMax;
  private final NameLog log;
  // Between a renaming and our remembering it, a file is not where it should be.
  private final ReentrantReadWriteLock renames = new ReentrantReadWriteLock();
  // In the order of use. Guarded by itself.
  private final LinkedHashMap<InodeId, Place> places;

  private PathFileIds(
      int root, InodeId rootId, long mountId, Subvolumes subvolumes, int filesMax, NameLog log) {
    this.root = root;
    this.rootId = rootId;
    this.mountId = mountId;
    this.subvolumes = subvolumes;
    this.filesMax = filesMax;
    this.log = log;
    this.places = new LinkedHashMap<>(16, 0.75f, true);
  }

  /**
   * The ids of the files below this directory.
   *
   * @param root stays open
   * @param logFile what is remembered across restarts
   * @param filesMax how many files are remembered at most
   */
  static PathFileIds below(int root, Path logFile, int filesMax, SystemCalls calls)
      throws IOException, FileException {
    Subvolumes subvolumes = Subvolumes.below(root, calls);
    FileErrors.check(calls.stat(root));
    InodeId rootId = InodeId.of(calls.status(), 0);
    long mountId = calls.status().mountId();
    PathFileIds ids =
        new PathFileIds(root, rootId, mountId, subvolumes, filesMax, new NameLog(logFile));
    synchronized (ids.places) {
      ids.log.load(ids.places);
      ids.log.compact(ids.places);
      ids.dropTooMany();
    }
    return ids;
  }

  @Override
  public byte[] of(int descriptor, SystemCalls calls) throws FileException {
    FileErrors.check(calls.stat(descriptor));
    checkMount(calls.status());
    long difference = subvolumes.difference(calls.status(), descriptor, calls);
    return InodeId.of(calls.status(), difference).bytes();
  }

  @Override
  public byte[] at(int directory, byte[] name, SystemCalls calls) throws FileException {
    FileErrors.check(calls.stat(directory, name));
    checkMount(calls.status());
    long difference = subvolumes.difference(calls.status(), directory, name, calls);
    return InodeId.of(calls.status(), difference).bytes();
  }

  @Override
  public int open(byte[] id, SystemCalls calls) throws FileException {
    InodeId wanted = InodeId.of(id);
    if (wanted == null) {
      throw FileErrors.of(Nfs3Status.STALE);
    }
    int opened;
    renames.readLock().lock();
    try {
      opened = walk(wanted, calls);
    } finally {
      renames.readLock().unlock();
    }
    try {
      if (!Arrays.equals(of(opened, calls), id)) {
        throw FileErrors.of(Nfs3Status.STALE);
      }
    } catch (FileException e) {
      calls.close(opened);
      throw e;
    }
    return opened;
  }

  @Override
  public void seen(byte[] id, byte[] directoryId, byte[] name) throws FileException {
    InodeId file = InodeId.of(id);
    InodeId directory = InodeId.of(directoryId);
    if (file == null || directory == null || file.equals(rootId)) {
      return;
    }
    synchronized (places) {
      Place before = places.get(file);
      if (before != null && before.is(directory, name)) {
        return;
      }
      Place place = new Place(directory, name.clone());
      try {
        log.append(file, place);
        places.put(file, place);
        dropTooMany();
        log.compactIfLong(places);
      } catch (IOException e) {
        throw new FileException(
            Nfs3Status.IO, "where files are cannot be kept across a restart: " + e);
      }
    }
  }

  @Override
  public void gone(byte[] id, byte[] directoryId, byte[] name) {
    InodeId file = InodeId.of(id);
    InodeId directory = InodeId.of(directoryId);
    if (file == null || directory == null) {
      return;
    }
    synchronized (places) {
      Place place = places.get(file);
      // A file with several names may be remembered by another one.
      if (place != null && place.is(directory, name)) {
        places.remove(file);
        forgetInLog(file);
      }
    }
  }

  @Override
  public void whileNoneIsOpened(Renaming renaming) throws FileException {
    renames.writeLock().lock();
    try {
      renaming.run();
    } finally {
      renames.writeLock().unlock();
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (places) {
      log.close();
    }
  }

  /** How many files are remembered. */
  int size() {
    synchronized (places) {
      return places.size();
    }
  }

  private void dropTooMany() {
    var oldest = places.keySet().iterator();
    while (places.size() > filesMax) {
      InodeId dropped = oldest.next();
      oldest.remove();
      forgetInLog(dropped);
    }
  }

  private void forgetInLog(InodeId file) {
    try {
      log.append(file, null);
    } catch (IOException stillInTheLog) {
      // Remembered for longer than needed: whoever opens it sees that another file is there now.
    }
  }

  private void checkMount(FileStatus status) throws FileException {
    if (status.mountId() != mountId) {
      throw FileErrors.of(Nfs3Status.ACCES);
    }
  }

  /** Goes down from the root by the remembered names. No link is followed on the way. */
  private int walk(InodeId wanted, SystemCalls calls) throws FileException {
    Deque<byte[]> names = namesTo(wanted);
    int at = FileErrors.check(calls.reopen(root, FLAGS & ~OpenFlags.NO_FOLLOW));
    while (!names.isEmpty()) {
      int next = calls.open(at, names.pop(), FLAGS, 0);
      calls.close(at);
      if (next == -Errno.ENOENT || next == -Errno.ENOTDIR) {
        throw FileErrors.of(Nfs3Status.STALE);
      }
      at = FileErrors.check(next);
    }
    return at;
  }

  private Deque<byte[]> namesTo(InodeId wanted) throws FileException {
    Deque<byte[]> names = new ArrayDeque<>();
    synchronized (places) {
      InodeId at = wanted;
      while (!at.equals(rootId)) {
        Place place = places.get(at);
        if (place == null || names.size() == DEPTH_MAX) {
          throw FileErrors.of(Nfs3Status.STALE);
        }
        names.push(place.name());
        at = place.directory();
      }
    }
    return names;
  }
}
