package dev.sluice.gateway.files;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.sluice.gateway.files.AccessList.Entry;
import dev.sluice.gateway.files.AccessList.Tag;
import dev.sluice.gateway.posix.Errno;
import dev.sluice.gateway.posix.SystemCalls;
import dev.sluice.nfs.nfs3.Nfs3Status;
import dev.sluice.nfs.nfsacl.NfsAclProcedure;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfShort;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads and sets files' access control lists, which the kernel shows as extended attributes. It is
 * the kernel that obeys them, and says who may set them: the owner, and root.
 */
final class AccessLists {
  private static final byte[] ACCESS = bytes("system.posix_acl_access");
  private static final byte[] DEFAULT = bytes("system.posix_acl_default");

  /** The only version of the attribute's form that there is. */
  private static final int FORM = 2;

  private static final int HEAD_BYTES = 4;
  private static final int ENTRY_BYTES = 8;
  private static final int BYTES_MAX = HEAD_BYTES + NfsAclProcedure.ENTRIES_MAX * ENTRY_BYTES;

  private static final OfInt INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final OfShort SHORT = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private AccessLists() {}

  /** The list by which access is decided; none where the mode says it all. */
  static AccessList access(Node node, SystemCalls calls) throws FileException {
    return read(node, ACCESS, calls);
  }

  /** The list that is given to what is made in a directory; none where there is none. */
  static AccessList byDefault(Node node, SystemCalls calls) throws FileException {
    return node.type() == FileType.DIRECTORY ? read(node, DEFAULT, calls) : AccessList.NONE;
  }

  /**
   * Sets one list or both, or throws and leaves both as they were; null leaves one alone. The one
   * that nothing else depends on comes first, as it can be put back without a trace.
   */
  static void set(
      Node node,
      @Nullable AccessList access,
      @Nullable AccessList byDefault,
      Caller caller,
      SystemCalls calls)
      throws FileException {
    check(access);
    check(byDefault);
    if (node.type() == FileType.SYMBOLIC_LINK) {
      throw FileErrors.of(Nfs3Status.NOTSUPP);
    }
    boolean isDirectory = node.type() == FileType.DIRECTORY;
    if (byDefault != null && !isDirectory && !byDefault.isNone()) {
      throw FileErrors.of(Errno.EACCES); // What Linux says of files' default lists.
    }
    AccessList inherited = isDirectory ? byDefault : null;
    AccessList former = inherited != null && access != null ? read(node, DEFAULT, calls) : null;
    try {
      if (inherited != null) {
        writeAs(caller, node, DEFAULT, inherited, calls);
      }
      if (access != null) {
        try {
          writeAs(caller, node, ACCESS, access, calls);
        } catch (FileException refusal) {
          if (former != null) {
            write(node, DEFAULT, former, calls);
          }
          throw refusal;
        }
      }
    } finally {
      node.countAttributeChange();
    }
  }

  private static void check(@Nullable AccessList list) throws FileException {
    String flaw = list == null ? null : list.flaw();
    if (flaw != null) {
      throw new FileException(Nfs3Status.INVAL, flaw);
    }
  }

  private static AccessList read(Node node, byte[] name, SystemCalls calls) throws FileException {
    if (node.type() == FileType.SYMBOLIC_LINK) {
      throw FileErrors.of(Nfs3Status.NOTSUPP);
    }
    int length = calls.readAttribute(node.descriptor(), name);
    if (length == -Errno.ENODATA || length == -Errno.EOPNOTSUPP) {
      return AccessList.NONE;
    }
    if (length == -Errno.ERANGE || length > BYTES_MAX) {
      throw new FileException(
          Nfs3Status.FBIG, "a list of more than " + NfsAclProcedure.ENTRIES_MAX + " entries");
    }
    return decode(MemorySegment.ofArray(calls.attributeBytes(FileErrors.check(length))));
  }

  private static AccessList decode(MemorySegment bytes) throws FileException {
    List<Entry> entries = new ArrayList<>();
    for (long at = HEAD_BYTES; at + ENTRY_BYTES <= bytes.byteSize(); at += ENTRY_BYTES) {
      Tag tag = Tag.of(bytes.get(SHORT, at));
      if (tag == null) {
        throw FileErrors.of(Nfs3Status.IO);
      }
      entries.add(new Entry(tag, bytes.get(INT, at + 4), bytes.get(SHORT, at + 2)));
    }
    return AccessList.of(entries);
  }

  private static void writeAs(
      Caller caller, Node node, byte[] name, AccessList list, SystemCalls calls)
      throws FileException {
    int result;
    try (var _ = ThreadIdentity.ofThisThread().as(caller)) {
      result = write(node, name, list, calls);
    }
    FileErrors.check(result);
  }

  private static int write(Node node, byte[] name, AccessList list, SystemCalls calls) {
    if (list.isNone()) {
      int result = calls.removeAttribute(node.descriptor(), name);
      return result == -Errno.ENODATA ? 0 : result;
    }
    byte[] value = new byte[HEAD_BYTES + ENTRY_BYTES * list.entries().size()];
    MemorySegment bytes = MemorySegment.ofArray(value);
    bytes.set(INT, 0, FORM);
    long at = HEAD_BYTES;
    for (Entry entry : list.entries()) {
      bytes.set(SHORT, at, (short) entry.tag().code());
      bytes.set(SHORT, at + 2, (short) entry.permissions());
      bytes.set(INT, at + 4, entry.tag().isNamed() ? entry.id() : -1);
      at += ENTRY_BYTES;
    }
    return calls.writeAttribute(node.descriptor(), name, value, SystemCalls.ATTRIBUTE_ANY);
  }

  private static byte[] bytes(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }
}
