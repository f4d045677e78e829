package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.Errno;
import dev.sluice.nfs.nfs3.Nfs3Status;
import java.util.EnumMap;
import java.util.Map;

/**
 * How the kernel's no becomes NFS's. The exceptions have neither stack trace nor state, and some
 * are thrown very often (a name that is not there), so there is one of each.
 */
final class FileErrors {
  private static final FileException[] BY_NUMBER = new FileException[256];
  private static final Map<Nfs3Status, FileException> BY_STATUS = new EnumMap<>(Nfs3Status.class);

  static {
    for (int number = 0; number < BY_NUMBER.length; number++) {
      BY_NUMBER[number] =
          new FileException(statusOf(number), "the file system answered with error " + number);
    }
    for (Nfs3Status status : Nfs3Status.values()) {
      BY_STATUS.put(status, new FileException(status, status.name()));
    }
  }

  private FileErrors() {}

  /** Passes on a result that is not negative; throws what a negated error number stands for. */
  static int check(int result) throws FileException {
    if (result < 0) {
      throw of(-result);
    }
    return result;
  }

  /** The kernel's error with this number. */
  static FileException of(int number) {
    return number < BY_NUMBER.length ? BY_NUMBER[number] : BY_NUMBER[Errno.EIO];
  }

  /** A no of our own. */
  static FileException of(Nfs3Status status) {
    FileException existing = BY_STATUS.get(status);
    return existing != null ? existing : new FileException(status, status.name());
  }

  private static Nfs3Status statusOf(int number) {
    return switch (number) {
      case Errno.EPERM -> Nfs3Status.PERM;
      case Errno.ENOENT -> Nfs3Status.NOENT;
      case Errno.ENXIO -> Nfs3Status.NXIO;
      // A mount point that was to be removed: its owner's matter, not the caller's.
      case Errno.EACCES, Errno.EBUSY -> Nfs3Status.ACCES;
      case Errno.EEXIST -> Nfs3Status.EXIST;
      case Errno.EXDEV -> Nfs3Status.XDEV;
      case Errno.ENODEV -> Nfs3Status.NODEV;
      case Errno.ENOTDIR -> Nfs3Status.NOTDIR;
      case Errno.EISDIR -> Nfs3Status.ISDIR;
      case Errno.EINVAL, Errno.ELOOP -> Nfs3Status.INVAL;
      case Errno.EFBIG, Errno.EOVERFLOW -> Nfs3Status.FBIG;
      case Errno.ENOSPC -> Nfs3Status.NOSPC;
      case Errno.EROFS -> Nfs3Status.ROFS;
      case Errno.EMLINK -> Nfs3Status.MLINK;
      case Errno.ENAMETOOLONG -> Nfs3Status.NAMETOOLONG;
      case Errno.ENOTEMPTY -> Nfs3Status.NOTEMPTY;
      case Errno.ESTALE -> Nfs3Status.STALE;
      case Errno.EDQUOT -> Nfs3Status.DQUOT;
      case Errno.ENOSYS, Errno.EOPNOTSUPP -> Nfs3Status.NOTSUPP;
      // Passes by itself: the client is to ask again later.
      case Errno.EAGAIN, Errno.ENOMEM, Errno.ENFILE, Errno.EMFILE, Errno.ETXTBSY, Errno.ETIMEDOUT ->
          Nfs3Status.JUKEBOX;
      case Errno.EBADF -> Nfs3Status.SERVERFAULT;
      default -> Nfs3Status.IO;
    };
  }
}
