package dev.sluice.nfs.nfs3;

/** How MNT ended (mountstat3). */
public enum MountStatus {
  OK(0),
  PERM(1),
  NOENT(2),
  IO(5),
  ACCES(13),
  NOTDIR(20),
  INVAL(22),
  NAMETOOLONG(63),
  NOTSUPP(10004),
  SERVERFAULT(10006);

  private final int code;

  MountStatus(int code) {
    this.code = code;
  }

  public int code() {
    return code;
  }
}
