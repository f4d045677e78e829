package dev.sluice.gateway.files;

/** What a file is; NFSv3 numbers them from one in this order (ftype3). */
public enum FileType {
  REGULAR(1),
  DIRECTORY(2),
  BLOCK_DEVICE(3),
  CHARACTER_DEVICE(4),
  SYMBOLIC_LINK(5),
  SOCKET(6),
  FIFO(7);

  private final int code;

  FileType(int code) {
    this.code = code;
  }

  /** As it stands on the wire. */
  public int code() {
    return code;
  }
}
