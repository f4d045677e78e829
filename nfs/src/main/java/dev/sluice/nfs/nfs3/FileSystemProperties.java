package dev.sluice.nfs.nfs3;

/** What FSINFO says of a file system, as bits. */
public final class FileSystemProperties {
  /** It has hard links. */
  public static final int LINK = 0x01;

  /** It has symbolic links. */
  public static final int SYMBOLIC_LINK = 0x02;

  /** PATHCONF says the same of every file. */
  public static final int HOMOGENEOUS = 0x08;

  /** SETATTR sets times to what the client says. */
  public static final int CAN_SET_TIME = 0x10;

  private FileSystemProperties() {}
}
