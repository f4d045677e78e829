package dev.sluice.nfs.nfs3;

import org.jspecify.annotations.Nullable;

/** The procedures of MOUNT version 3, in the order of their numbers. */
public enum MountProcedure {
  NULL(0),
  MNT(1),
  DUMP(2),
  UMNT(3),
  UMNTALL(4),
  EXPORT(5);

  /** The number of the MOUNT program. */
  public static final int PROGRAM = 100_005;

  /** The version that is spoken. */
  public static final int VERSION = 3;

  /** The longest path that the protocol allows. */
  public static final int PATH_BYTES_MAX = 1_024;

  /** The longest name in a path that the protocol allows. */
  public static final int NAME_BYTES_MAX = 255;

  private static final MountProcedure[] ALL = values();

  private final int number;

  MountProcedure(int number) {
    this.number = number;
  }

  /** The procedure with this number; null when there is none. */
  public static @Nullable MountProcedure of(int number) {
    return number >= 0 && number < ALL.length ? ALL[number] : null;
  }

  public int number() {
    return number;
  }
}
