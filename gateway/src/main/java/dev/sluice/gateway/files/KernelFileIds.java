package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.KernelHandle;
import dev.sluice.gateway.posix.OpenFlags;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;

/**
 * Ids that the file system itself gives (name_to_handle_at): they hold for as long as the file is
 * there, whatever it is called. One byte says of which type the handle is, the others are it.
 */
final class KernelFileIds implements FileIds {
  /** Above all types that file systems use; ids that begin with it are not the kernel's. */
  static final int TYPES_END = 0xff;

  private static final int FLAGS =
      OpenFlags.PATH_ONLY | OpenFlags.NO_FOLLOW | OpenFlags.CLOSE_ON_EXEC;

  private final int root;
  private final int mountId;

  private KernelFileIds(int root, int mountId) {
    this.root = root;
    this.mountId = mountId;
  }

  /**
   * Whether the file system below this directory gives such ids, they fit, and we may open files by
   * them.
   *
   * @param root opened for reading
   */
  static boolean areGivenBelow(int root, SystemCalls calls) {
    if (calls.handleOf(root) < 0 || !fits(calls.handle())) {
      return false;
    }
    int opened = calls.openByHandle(root, FLAGS);
    if (opened < 0) {
      return false;
    }
    calls.close(opened);
    return true;
  }

  /**
   * The ids of the files below this directory.
   *
   * @param root opened for reading, and to stay open
   */
  static KernelFileIds below(int root, SystemCalls calls) throws FileException {
    FileErrors.check(calls.handleOf(root));
    return new KernelFileIds(root, calls.handle().mountId());
  }

  @Override
  public byte[] of(int descriptor, SystemCalls calls) throws FileException {
    FileErrors.check(calls.handleOf(descriptor));
    return id(calls.handle());
  }

  @Override
  public byte[] at(int directory, byte[] name, SystemCalls calls) throws FileException {
    FileErrors.check(calls.handleOf(directory, name));
    return id(calls.handle());
  }

  @Override
  public int open(byte[] id, SystemCalls calls) throws FileException {
    int type = Byte.toUnsignedInt(id[0]);
    if (type == TYPES_END) {
      throw FileErrors.of(Nfs3Status.STALE);
    }
    calls.handle().set(type, id, 1, id.length - 1);
    int opened = calls.openByHandle(root, FLAGS);
    // Some file systems say so, others that there is no such file or that they never gave this.
    if (opened == -Errno.ENOENT || opened == -Errno.EINVAL) {
      throw FileErrors.of(Nfs3Status.STALE);
    }
    return FileErrors.check(opened);
  }

  @Override
  public void seen(byte[] id, byte[] directoryId, byte[] name) {
    // The file system keeps track.
  }

  @Override
  public void gone(byte[] id, byte[] directoryId, byte[] name) {
    // The file system keeps track.
  }

  @Override
  public void whileNoneIsOpened(Renaming renaming) throws FileException {
    renaming.run();
  }

  @Override
  public void close() {
    // Nothing is open.
  }

  private byte[] id(KernelHandle handle) throws FileException {
    if (handle.mountId() != mountId) {
      throw FileErrors.of(Nfs3Status.ACCES);
    }
    if (!fits(handle)) {
      throw new FileException(
          Nfs3Status.SERVERFAULT,
          "the file system's handle of type "
              + handle.type()
              + " with "
              + handle.length()
              + " bytes does not fit into "
              + BYTES_MAX);
    }
    byte[] id = new byte[1 + handle.length()];
    id[0] = (byte) handle.type();
    handle.copyTo(id, 1);
    return id;
  }

  private static boolean fits(KernelHandle handle) {
    return handle.type() >= 0 && handle.type() < TYPES_END && handle.length() < BYTES_MAX;
  }
}
