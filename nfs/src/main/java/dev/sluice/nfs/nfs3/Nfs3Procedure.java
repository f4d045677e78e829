package dev.sluice.nfs.nfs3;

import dev.sluice.core.model.Operation;
import org.jspecify.annotations.Nullable;

/** The procedures of NFSv3, in the order of their numbers. */
public enum Nfs3Procedure {
  NULL(0, null, false),
  GETATTR(1, Operation.GETATTR, false),
  SETATTR(2, Operation.SETATTR, true),
  LOOKUP(3, Operation.LOOKUP, false),
  ACCESS(4, Operation.ACCESS, false),
  READLINK(5, Operation.READLINK, false),
  READ(6, Operation.READ, false),
  WRITE(7, Operation.WRITE, false),
  CREATE(8, Operation.CREATE, true),
  MKDIR(9, Operation.MKDIR, true),
  SYMLINK(10, Operation.SYMLINK, true),
  MKNOD(11, Operation.MKNOD, true),
  REMOVE(12, Operation.UNLINK, true),
  RMDIR(13, Operation.RMDIR, true),
  RENAME(14, Operation.RENAME, true),
  LINK(15, Operation.LINK, true),
  READDIR(16, Operation.READDIR, false),
  READDIRPLUS(17, Operation.READDIR, false),
  FSSTAT(18, Operation.STATFS, false),
  FSINFO(19, Operation.STATFS, false),
  PATHCONF(20, Operation.STATFS, false),
  COMMIT(21, Operation.COMMIT, false);

  /** The number of the NFS program. */
  public static final int PROGRAM = 100_003;

  /** The version that is spoken. */
  public static final int VERSION = 3;

  /** The longest file handle that the protocol allows. */
  public static final int HANDLE_BYTES_MAX = 64;

  private static final Nfs3Procedure[] ALL = values();

  private final int number;
  private final @Nullable Operation operation;
  private final boolean changesNames;

  Nfs3Procedure(int number, @Nullable Operation operation, boolean changesNames) {
    this.number = number;
    this.operation = operation;
    this.changesNames = changesNames;
  }

  /** The procedure with this number; null when there is none. */
  public static @Nullable Nfs3Procedure of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }

  public int number() {
    return number;
  }

  /** What it asks of the file system; null for {@link #NULL}, which asks nothing. */
  public @Nullable Operation operation() {
    return operation;
  }

  /**
   * Whether doing it twice may end differently from doing it once, so that a repeated call is
   * answered from memory.
   */
  public boolean isReplayedFromMemory() {
    return changesNames;
  }
}
