package dev.sluice.nfs.nfsacl;

import dev.sluice.core.model.Operation;
import org.jspecify.annotations.Nullable;

/** The procedures of NFSACL version 3, in the order of their numbers. */
public enum NfsAclProcedure {
  NULL(0, null),
  GETACL(1, Operation.GETATTR),
  SETACL(2, Operation.SETATTR);

  /** The number of the NFSACL program. */
  public static final int PROGRAM = 100_227;

  /** The version that goes with NFS version 3. */
  public static final int VERSION = 3;

  /** The most entries that a list on the wire may have. */
  public static final int ENTRIES_MAX = 1_024;

  private static final NfsAclProcedure[] ALL = values();

  private final int number;
  private final @Nullable Operation operation;

  NfsAclProcedure(int number, @Nullable Operation operation) {
    this.number = number;
    this.operation = operation;
  }

  /** The procedure with this number; null when there is none. */
  public static @Nullable NfsAclProcedure of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }

  public int number() {
    return number;
  }

  /** What it asks of the file system; null for {@link #NULL}, which asks nothing. */
  public @Nullable Operation operation() {
    return operation;
  }
}
