package dev.sluice.gateway.files;

import dev.sluice.gateway.posix.FileStatus;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A file's number with the time at which the file was made, lest a later file that got the same
 * number is taken for it.
 *
 * @param birthNanos 0 where the file system does not keep it; with what tells subvolumes apart
 */
record InodeId(long inode, long birthNanos) {
  private static final int BYTES = 1 + 2 * Long.BYTES;

  /**
   * The id of a file.
   *
   * @param difference that of its {@link Subvolumes subvolume}: a snapshot's files have number and
   *     birth of what it was taken of
   */
  static InodeId of(FileStatus status, long difference) {
    return new InodeId(status.inode(), status.birthNanos() ^ difference);
  }

  /** What a handle says; null when it is no such id. */
  static @Nullable InodeId of(byte[] bytes) {
    if (bytes.length != BYTES || Byte.toUnsignedInt(bytes[0]) != KernelFileIds.TYPES_END) {
      return null;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).position(1);
    return new InodeId(in.getLong(), in.getLong());
  }

  /** As it stands in a handle. */
  byte[] bytes() {
    return ByteBuffer.allocate(BYTES)
        .put((byte) KernelFileIds.TYPES_END)
        .putLong(inode)
        .putLong(birthNanos)
        .array();
  }
}
