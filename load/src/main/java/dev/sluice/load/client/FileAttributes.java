package dev.sluice.load.client;

import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Attribute;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import java.nio.charset.StandardCharsets;
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

  /** What is asked of a file in version 4. */
  static final AttributeSet WANTED =
      AttributeSet.of(
          Nfs4Attribute.TYPE,
          Nfs4Attribute.SIZE,
          Nfs4Attribute.FILEID,
          Nfs4Attribute.MODE,
          Nfs4Attribute.NUMLINKS,
          Nfs4Attribute.OWNER,
          Nfs4Attribute.OWNER_GROUP,
          Nfs4Attribute.TIME_MODIFY);

  /** Who it belongs to where a server of version 4 tells a name and not a number. */
  public static final int NAMED = -1;

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

  /** Those of {@link #WANTED} that a server of version 4 tells (fattr4); 0 for the others. */
  static FileAttributes readVersion4(XdrReader in) {
    AttributeSet told = AttributeSet.read(in);
    if (!told.without(WANTED).isEmpty()) {
      throw new XdrException("attributes that nobody asked for: " + told);
    }
    XdrReader values = new XdrReader(in.readOpaqueInPlace(Nfs4Sizes.ATTRIBUTES_BYTES_MAX));
    int type = told.has(Nfs4Attribute.TYPE) ? values.readInt() : 0;
    long size = told.has(Nfs4Attribute.SIZE) ? values.readLong() : 0;
    long fileId = told.has(Nfs4Attribute.FILEID) ? values.readLong() : 0;
    int mode = told.has(Nfs4Attribute.MODE) ? values.readInt() : 0;
    int links = told.has(Nfs4Attribute.NUMLINKS) ? values.readInt() : 0;
    int uid = told.has(Nfs4Attribute.OWNER) ? readId(values) : NAMED;
    int gid = told.has(Nfs4Attribute.OWNER_GROUP) ? readId(values) : NAMED;
    long modifiedNanos =
        told.has(Nfs4Attribute.TIME_MODIFY)
            ? values.readLong() * NANOS_PER_SECOND + Integer.toUnsignedLong(values.readInt())
            : 0;
    return new FileAttributes(type, mode, links, uid, gid, size, fileId, modifiedNanos);
  }

  private static int readId(XdrReader in) {
    String text = new String(in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX), StandardCharsets.UTF_8);
    try {
      return Integer.parseUnsignedInt(text);
    } catch (NumberFormatException _) {
      return NAMED;
    }
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
