package dev.sluice.nfs.rquota;

import org.jspecify.annotations.Nullable;

/** The procedures of RQUOTA, in the order of their numbers; the same in both versions. */
public enum RquotaProcedure {
  NULL(0),
  GETQUOTA(1),
  GETACTIVEQUOTA(2),
  SETQUOTA(3),
  SETACTIVEQUOTA(4);

  /** The number of the RQUOTA program. */
  public static final int PROGRAM = 100_011;

  /** The version that knows users alone. */
  public static final int USERS_VERSION = 1;

  /** The version in which calls say whether they are about a user or a group. */
  public static final int GROUPS_VERSION = 2;

  /** The longest path that the protocol allows. */
  public static final int PATH_BYTES_MAX = 1_024;

  private static final RquotaProcedure[] ALL = values();

  private final int number;

  RquotaProcedure(int number) {
    this.number = number;
  }

  /** The procedure with this number; null when there is none. */
  public static @Nullable RquotaProcedure of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }

  public int number() {
    return number;
  }
}
