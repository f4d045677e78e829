package dev.sluice.nfs.nfs3;

import dev.sluice.core.model.Operation;
import org.jspecify.annotations.Nullable;

/** The procedures of NFSv3, in the order of their numbers. */
public enum Nfs3Procedure {
  NULL(null, false),
  GETATTR(Operation.GETATTR, false),
  SETATTR(Operation.SETATTR, true),
  LOOKUP(Operation.LOOKUP, false),
  ACCESS(Operation.ACCESS, false),
  READLINK(Operation.READLINK, false),
  READ(Operation.READ, false),
  WRITE(Operation.WRITE, false),
  CREATE(Operation.CREATE, true),
  MKDIR(Operation.MKDIR, true),
  SYMLINK(Operation.SYMLINK, true),
  MKNOD(Operation.MKNOD, true),
  REMOVE(Operation.UNLINK, true),
  RMDIR(Operation.RMDIR, true),
  RENAME(Operation.RENAME, true),
  LINK(Operation.LINK, true),
  READDIR(Operation.READDIR, false),
  READDIRPLUS(Operation.READDIR, false),
  FSSTAT(Operation.STATFS, false),
  FSINFO(Operation.STATFS, false),
  PATHCONF(Operation.STATFS, false),
  COMMIT(Operation.COMMIT, false);

  /** The number of the NFS program. */
  public static final int PROGRAM = 100_003;

  /** The version that is spoken. */
  public static final int VERSION = 3;

  /** The longest file handle that the protocol allows. */
  public static final int HANDLE_BYTES_MAX = 64;

  private static final Nfs3Procedure[] ALL = values();

  private final @Nullable Operation operation;
  private final boolean changesNames;

  Nfs3Procedure(@Nullable Operation operation, boolean changesNames) {
    this.operation = operation;
    this.changesNames = changesNames;
  }

  /** The procedure with this number; null when there is none. */
  public static @Nullable Nfs3Procedure of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }

  public int number() {
    return ordinal();
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
