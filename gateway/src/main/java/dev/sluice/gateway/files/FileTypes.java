package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.FileStatus;

/** The kinds of files as the kernel numbers them (S_IFMT). */
final class FileTypes {
  private static final int FIFO = 0x1000;
  private static final int CHARACTER_DEVICE = 0x2000;
  private static final int DIRECTORY = 0x4000;
  private static final int BLOCK_DEVICE = 0x6000;
  private static final int REGULAR = 0x8000;
  private static final int SYMBOLIC_LINK = 0xa000;
  private static final int SOCKET = 0xc000;

  private FileTypes() {}

  static FileType of(FileStatus status) {
    return switch (status.typeBits()) {
      case REGULAR -> FileType.REGULAR;
      case DIRECTORY -> FileType.DIRECTORY;
      case BLOCK_DEVICE -> FileType.BLOCK_DEVICE;
      case CHARACTER_DEVICE -> FileType.CHARACTER_DEVICE;
      case SYMBOLIC_LINK -> FileType.SYMBOLIC_LINK;
      case SOCKET -> FileType.SOCKET;
      case FIFO -> FileType.FIFO;
      default -> throw new IllegalStateException("the kernel has a new kind: " + status.typeBits());
    };
  }

  static int bits(FileType type) {
    return switch (type) {
      case REGULAR -> REGULAR;
      case DIRECTORY -> DIRECTORY;
      case BLOCK_DEVICE -> BLOCK_DEVICE;
      case CHARACTER_DEVICE -> CHARACTER_DEVICE;
      case SYMBOLIC_LINK -> SYMBOLIC_LINK;
      case SOCKET -> SOCKET;
      case FIFO -> FIFO;
    };
  }
}
