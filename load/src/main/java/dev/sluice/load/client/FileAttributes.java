package dev.sluice.load.client;

import dev.sluice.nfs.xdr.XdrReader;
import org.jspecify.annotations.Nullable;

/**
 * What a server says of a file (fattr3), as far as anybody here wants to know.
 *
 * @param type the number of the file's type: 1 for a regular file, 2 for a directory
 * @param mode its permission bits
 */
public record FileAttributes(
    int type, int mode, int links, int uid, int gid, long size, long fileId, long modifiedNanos) {
  /** The number of a regular file's type. */
  public static final int REGULAR = 1;

  /** The number of a directory's type. */
  public static final int DIRECTORY = 2;

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  static FileAttributes readFrom(XdrReader in) {
    int type = in.readInt();
    int mode = in.readInt();
    int links = in.readInt();
    int uid = in.readInt();
    int gid = in.readInt();
    long size = in.readLong();
    in.skip(3 * Long.BYTES); // used bytes, device numbers, file system
    long fileId = in.readLong();
    in.skip(Long.BYTES); // time of the last access
    long seconds = Integer.toUnsignedLong(in.readInt());
    long nanos = Integer.toUnsignedLong(in.readInt());
    in.skip(Long.BYTES); // time of the last change of these attributes
    return new FileAttributes(
        type, mode, links, uid, gid, size, fileId, seconds * NANOS_PER_SECOND + nanos);
  }

  /** Attributes that a server may leave out (post_op_attr). */
  static @Nullable FileAttributes readOptional(XdrReader in) {
    return in.readBoolean() ? readFrom(in) : null;
  }

  /** Passes over a file's attributes before and after a change (wcc_data). */
  static void skipBeforeAndAfter(XdrReader in) {
    if (in.readBoolean()) {
      in.skip(3 * Long.BYTES); // size, time of modification, time of change
    }
    readOptional(in);
  }
}
