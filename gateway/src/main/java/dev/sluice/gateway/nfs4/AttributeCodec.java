package dev.sluice.gateway.nfs4;

import static dev.sluice.nfs.nfs4.Nfs4Attribute.*;

import dev.sluice.gateway.files.AttributeChange;
import dev.sluice.gateway.files.AttributeChange.TimeChange;
import dev.sluice.gateway.files.Attributes;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileTree.Space;
import dev.sluice.gateway.files.HandleCodec;
import dev.sluice.gateway.files.Timestamp;
import dev.sluice.gateway.files.TransferSize;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.AttributeSet;
import dev.sluice.nfs.nfs4.Nfs4Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import org.jspecify.annotations.Nullable;

/**
 * Attributes as they stand on the wire (fattr4). What a client asks for and is not known is left
 * out; what it sets and is not known is refused.
 */
final class AttributeCodec {
  /** What can be set. */
  static final AttributeSet SETTABLE =
      AttributeSet.of(SIZE, MODE, OWNER, OWNER_GROUP, TIME_ACCESS_SET, TIME_MODIFY_SET, MODE_UMASK);

  /** What can be set while a file is made exclusively: its times are where the verifier is kept. */
  static final AttributeSet EXCLUSIVE = AttributeSet.of(SIZE, MODE, OWNER, OWNER_GROUP, MODE_UMASK);

  /** What can only be set. */
  private static final AttributeSet NEVER_TOLD =
      AttributeSet.of(TIME_ACCESS_SET, TIME_MODIFY_SET, MODE_UMASK);

  private static final AttributeSet TOLD =
      AttributeSet.of(
          SUPPORTED_ATTRS,
          TYPE,
          FH_EXPIRE_TYPE,
          CHANGE,
          SIZE,
          LINK_SUPPORT,
          SYMLINK_SUPPORT,
          NAMED_ATTR,
          FSID,
          UNIQUE_HANDLES,
          LEASE_TIME,
          RDATTR_ERROR,
          ACLSUPPORT,
          CANSETTIME,
          CASE_INSENSITIVE,
          CASE_PRESERVING,
          CHOWN_RESTRICTED,
          FILEHANDLE,
          FILEID,
          FILES_AVAIL,
          FILES_FREE,
          FILES_TOTAL,
          HOMOGENEOUS,
          MAXFILESIZE,
          MAXLINK,
          MAXNAME,
          MAXREAD,
          MAXWRITE,
          MODE,
          NO_TRUNC,
          NUMLINKS,
          OWNER,
          OWNER_GROUP,
          RAWDEV,
          SPACE_AVAIL,
          SPACE_FREE,
          SPACE_TOTAL,
          SPACE_USED,
          TIME_ACCESS,
          TIME_DELTA,
          TIME_METADATA,
          TIME_MODIFY,
          MOUNTED_ON_FILEID,
          SUPPATTR_EXCLCREAT,
          XATTR_SUPPORT);

  /** What is told or set: also those of which only one is possible. */
  static final AttributeSet SUPPORTED =
      new AttributeSet(TOLD.low() | SETTABLE.low(), TOLD.high() | SETTABLE.high(), false);

  private static final int MODE_BITS = 07777;
  private static final int NANOS_PER_SECOND = 1_000_000_000;
  private static final int SET_TO_CLIENT_TIME = 1;
  private static final TimeChange NOW = new TimeChange.Now();

  private final HandleCodec handles;
  private final OwnerNames owners;
  private final TransferSize transfers;
  private final int leaseSeconds;

  AttributeCodec(HandleCodec handles, OwnerNames owners, TransferSize transfers, int leaseSeconds) {
    this.handles = handles;
    this.owners = owners;
    this.transfers = transfers;
    this.leaseSeconds = leaseSeconds;
  }

  /** What is to be set, and which attributes that are. */
  record Change(AttributeSet attributes, AttributeChange change) {}

  /** What is not known is left out, but what can only be set is an error to ask for. */
  static void requireToBeTold(AttributeSet asked) throws Refusal {
    if (!asked.and(NEVER_TOLD).isEmpty()) {
      throw new Refusal(Nfs4Status.INVAL, "attributes that can only be set");
    }
  }

  /** Tells what is asked for and known. */
  void write(AttributeSet asked, Subject subject, XdrWriter out) throws FileException {
    AttributeSet told = asked.and(TOLD);
    told.write(out);
    int lengthAt = out.position();
    out.writeInt(0);
    int start = out.position();
    Space space = null;
    for (int attribute = told.next(0); attribute >= 0; attribute = told.next(attribute + 1)) {
      if (space == null && needsSpace(attribute)) {
        space = subject.space().space();
      }
      writeOne(attribute, subject, space, out);
    }
    out.buffer().putInt(lengthAt, out.position() - start);
  }

  private static boolean needsSpace(int attribute) {
    return switch (attribute) {
      case FILES_AVAIL,
          FILES_FREE,
          FILES_TOTAL,
          SPACE_AVAIL,
          SPACE_FREE,
          SPACE_TOTAL,
          MAXLINK,
          MAXNAME,
          XATTR_SUPPORT ->
          true;
      default -> false;
    };
  }

  private void writeOne(int attribute, Subject subject, @Nullable Space space, XdrWriter out) {
    Attributes attributes = subject.attributes();
    if (space != null && needsSpace(attribute)) {
      writeSpace(attribute, space, out);
      return;
    }
    switch (attribute) {
      case SUPPORTED_ATTRS -> SUPPORTED.write(out);
      case TYPE -> out.writeInt(attributes.type().code());
      case FH_EXPIRE_TYPE, RDATTR_ERROR, ACLSUPPORT -> out.writeInt(0);
      case CHANGE -> out.writeLong(changeOf(attributes));
      case SIZE -> out.writeLong(attributes.size());
      case LINK_SUPPORT,
          SYMLINK_SUPPORT,
          UNIQUE_HANDLES,
          CANSETTIME,
          CASE_PRESERVING,
          CHOWN_RESTRICTED,
          HOMOGENEOUS,
          NO_TRUNC ->
          out.writeBoolean(true);
      case NAMED_ATTR, CASE_INSENSITIVE -> out.writeBoolean(false);
      case FSID -> out.writeLong(Integer.toUnsignedLong(subject.fileSystem())).writeLong(0);
      case LEASE_TIME -> out.writeInt(leaseSeconds);
      case FILEHANDLE -> handles.write(subject.handle(), out);
      case FILEID -> out.writeLong(attributes.fileNumber());
      case MAXFILESIZE -> out.writeLong(Long.MAX_VALUE);
      case MAXREAD, MAXWRITE -> out.writeLong(transfers.bytesMax());
      case MODE -> out.writeInt(attributes.mode());
      case NUMLINKS -> out.writeInt(attributes.links());
      case OWNER -> out.writeOpaque(owners.user(attributes.uid()));
      case OWNER_GROUP -> out.writeOpaque(owners.group(attributes.gid()));
      case RAWDEV -> out.writeInt(attributes.deviceMajor()).writeInt(attributes.deviceMinor());
      case SPACE_USED -> out.writeLong(attributes.usedBytes());
      case TIME_ACCESS -> writeTime(attributes.accessed(), out);
      case TIME_DELTA -> writeTime(new Timestamp(0, 1), out);
      case TIME_METADATA -> writeTime(attributes.changed(), out);
      case TIME_MODIFY -> writeTime(attributes.modified(), out);
      case MOUNTED_ON_FILEID -> out.writeLong(subject.mountedOn());
      case SUPPATTR_EXCLCREAT -> EXCLUSIVE.write(out);
      default -> throw new IllegalStateException("attribute " + attribute + " is not told");
    }
  }

  private static void writeSpace(int attribute, Space space, XdrWriter out) {
    switch (attribute) {
      case FILES_AVAIL, FILES_FREE -> out.writeLong(space.freeFiles());
      case FILES_TOTAL -> out.writeLong(space.totalFiles());
      case SPACE_AVAIL -> out.writeLong(space.availableBytes());
      case SPACE_FREE -> out.writeLong(space.freeBytes());
      case SPACE_TOTAL -> out.writeLong(space.totalBytes());
      case XATTR_SUPPORT -> out.writeBoolean(space.hasExtendedAttributes());
      case MAXLINK -> out.writeInt(space.linksMax());
      case MAXNAME -> out.writeInt(Math.min(space.nameBytesMax(), Nfs3Sizes.NAME_BYTES_MAX));
      default -> throw new IllegalStateException("attribute " + attribute + " is not of space");
    }
  }

  /** Different after every change that the file system's clock can tell apart. */
  static long changeOf(Attributes attributes) {
    Timestamp changed = attributes.changed();
    return changed.seconds() * NANOS_PER_SECOND + changed.nanos();
  }

  private static void writeTime(Timestamp time, XdrWriter out) {
    out.writeLong(time.seconds()).writeInt(time.nanos());
  }

  /** Reads what is to be set, all of it before anything of it is refused. */
  Change readChange(XdrReader in) throws Refusal, FileException {
    AttributeSet attributes = AttributeSet.read(in);
    int length = in.readInt();
    if (length < 0 || length > in.remaining()) {
      throw new XdrException("expected attributes of at most " + in.remaining() + " bytes");
    }
    int end = in.position() + XdrReader.padded(length);
    AttributeSet unknown = attributes.without(SUPPORTED);
    if (!unknown.isEmpty()) {
      in.buffer().position(end);
      throw new Refusal(Nfs4Status.ATTRNOTSUPP, "attributes that are not known");
    }
    if (!attributes.without(SETTABLE).isEmpty()) {
      in.buffer().position(end);
      throw new Refusal(Nfs4Status.INVAL, "attributes that cannot be set");
    }
    if (attributes.has(MODE) && attributes.has(MODE_UMASK)) {
      in.buffer().position(end);
      throw new Refusal(Nfs4Status.INVAL, "a mode with a umask and one without");
    }
    int start = in.position();
    Long size = attributes.has(SIZE) ? Long.valueOf(in.readLong()) : null;
    Integer mode = attributes.has(MODE) ? Integer.valueOf(in.readInt() & MODE_BITS) : null;
    byte[] owner = attributes.has(OWNER) ? in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX) : null;
    byte[] group = attributes.has(OWNER_GROUP) ? in.readOpaque(Nfs4Sizes.OPAQUE_BYTES_MAX) : null;
    TimeChange accessed = attributes.has(TIME_ACCESS_SET) ? readTimeChange(in) : null;
    TimeChange modified = attributes.has(TIME_MODIFY_SET) ? readTimeChange(in) : null;
    if (attributes.has(MODE_UMASK)) {
      int bits = in.readInt();
      mode = bits & MODE_BITS & ~in.readInt();
    }
    if (in.position() - start != length) {
      throw new XdrException("expected " + length + " bytes of attributes");
    }
    if (size != null && size < 0) {
      throw new Refusal(Nfs4Status.FBIG, "a size of 2^63 or more");
    }
    checkTime(accessed);
    checkTime(modified);
    Integer uid = owner == null ? null : Integer.valueOf(owners.userNumber(owner));
    Integer gid = group == null ? null : Integer.valueOf(owners.groupNumber(group));
    return new Change(attributes, new AttributeChange(mode, uid, gid, size, accessed, modified));
  }

  private static TimeChange readTimeChange(XdrReader in) {
    int how = in.readInt();
    return how == SET_TO_CLIENT_TIME
        ? new TimeChange.To(new Timestamp(in.readLong(), in.readInt()))
        : NOW;
  }

  private static void checkTime(@Nullable TimeChange change) throws Refusal {
    if (change instanceof TimeChange.To(Timestamp time)
        && (time.nanos() < 0 || time.nanos() >= NANOS_PER_SECOND)) {
      throw new Refusal(Nfs4Status.INVAL, "more than a second of nanoseconds");
    }
  }
}
