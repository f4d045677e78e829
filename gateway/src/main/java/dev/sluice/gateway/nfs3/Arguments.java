package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.AttributeChange;
import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileType;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.nfs.nfs3.Nfs3Procedure;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfs3.TimeHow;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import org.jspecify.annotations.Nullable;

/** Reads what several procedures have among their arguments. */
final class Arguments {
  private static final int MODE_BITS = 07777;
  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final TimeChange NOW = new TimeChange.Now();

  private Arguments() {}

  /** Passes over the first handle, which was read when the call was inspected. */
  static void skipHandle(XdrReader in) {
    in.skipOpaque(Nfs3Procedure.HANDLE_BYTES_MAX);
  }

  /**
   * A filename3 or nfspath3. The protocol sets no bound, so one that is too long is not an
   * unreadable argument; {@link FileName} refuses it.
   */
  static byte[] readName(XdrReader in) {
    return in.readOpaque(in.remaining());
  }

  /** An nfstime3. */
  static Timestamp readTime(XdrReader in) {
    return new Timestamp(Integer.toUnsignedLong(in.readInt()), in.readInt());
  }

  /** A sattr3; {@link #check} says whether its values can be. */
  static AttributeChange readChange(XdrReader in) {
    Integer mode = readOptionalInt(in);
    Integer uid = readOptionalInt(in);
    Integer gid = readOptionalInt(in);
    Long size = in.readBoolean() ? Long.valueOf(in.readLong()) : null;
    TimeChange accessed = readTimeChange(in);
    TimeChange modified = readTimeChange(in);
    return new AttributeChange(
        mode == null ? null : Integer.valueOf(mode & MODE_BITS),
        uid,
        gid,
        size,
        accessed,
        modified);
  }

  /** Whether a sattr3, at which this stands, sets the size. */
  static boolean setsSize(XdrReader in) {
    for (int i = 0; i < 3; i++) {
      if (in.readBoolean()) {
        in.skip(Integer.BYTES);
      }
    }
    return in.readBoolean();
  }

  /** A sattrguard3: the ctime that the file must have; null where it does not matter. */
  static @Nullable Timestamp readGuard(XdrReader in) {
    return in.readBoolean() ? readTime(in) : null;
  }

  /** An ftype3. */
  static FileType readType(XdrReader in) {
    int code = in.readInt();
    return switch (code) {
      case 1 -> FileType.REGULAR;
      case 2 -> FileType.DIRECTORY;
      case 3 -> FileType.BLOCK_DEVICE;
      case 4 -> FileType.CHARACTER_DEVICE;
      case 5 -> FileType.SYMBOLIC_LINK;
      case 6 -> FileType.SOCKET;
      case 7 -> FileType.FIFO;
      default -> throw new XdrException("expected an ftype3 of 1 to 7, not " + code);
    };
  }

  /** Refuses what no file can have. */
  static AttributeChange check(AttributeChange change) throws FileException {
    if (isNoNumber(change.uid()) || isNoNumber(change.gid())) {
      throw new FileException(Nfs3Status.INVAL, "4294967295 is nobody's number");
    }
    if (change.size() != null && change.size() < 0) {
      throw new FileException(Nfs3Status.FBIG, "a size of 2^63 or more");
    }
    checkTime(change.accessed());
    checkTime(change.modified());
    return change;
  }

  /** The content of a symbolic link, which must not be too long to be read again. */
  static byte[] checkLink(byte[] content) throws FileException {
    if (content.length > Nfs3Sizes.LINK_BYTES_MAX) {
      throw new FileException(
          Nfs3Status.NAMETOOLONG, "a link's content of " + content.length + " bytes");
    }
    return content;
  }

  private static @Nullable Integer readOptionalInt(XdrReader in) {
    return in.readBoolean() ? Integer.valueOf(in.readInt()) : null;
  }

  private static @Nullable TimeChange readTimeChange(XdrReader in) {
    return switch (TimeHow.read(in)) {
      case DONT_CHANGE -> null;
      case SET_TO_SERVER_TIME -> NOW;
      case SET_TO_CLIENT_TIME -> new TimeChange.To(readTime(in));
    };
  }

  /** The kernel takes minus one for "leave it", which is not what the client asked for. */
  private static boolean isNoNumber(@Nullable Integer id) {
    return id != null && id == -1;
  }

  private static void checkTime(@Nullable TimeChange change) throws FileException {
    if (change instanceof TimeChange.To(Timestamp time)
        && (time.nanos() < 0 || time.nanos() >= NANOS_PER_SECOND)) {
      throw new FileException(
          Nfs3Status.INVAL,
          "expected less than a second of nanoseconds, not "
              + Integer.toUnsignedString(time.nanos()));
    }
  }
}
