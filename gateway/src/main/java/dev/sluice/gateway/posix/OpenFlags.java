package dev.sluice.gateway.posix;

/** The flags that files are opened with. Two of them depend on the processor. */
public final class OpenFlags {
  public static final int READ_ONLY = 0;
  public static final int READ_WRITE = 2;
  public static final int CREATE = 0x40;
  public static final int EXCLUSIVE = 0x80;
  public static final int CLOSE_ON_EXEC = 0x8_0000;

  /** A descriptor that stands for the file and moves no data: opening it has no side effects. */
  public static final int PATH_ONLY = 0x20_0000;

  public static final int DIRECTORY = (int) Architecture.CURRENT.select(0x1_0000, 0x4000);
  public static final int NO_FOLLOW = (int) Architecture.CURRENT.select(0x2_0000, 0x8000);

  private OpenFlags() {}
}
