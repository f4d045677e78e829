package dev.sluice.gateway.nfsacl;

import dev.sluice.gateway.files.AccessList;
import dev.sluice.gateway.files.AccessList.Entry;
import dev.sluice.gateway.files.AccessList.Tag;
import dev.sluice.gateway.files.Attributes;
import dev.sluice.nfs.nfsacl.NfsAclParts;
import dev.sluice.nfs.nfsacl.NfsAclProcedure;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Access control lists as they stand on the wire: how many entries there are, and then the entries
 * with their number, or none of them where only that was asked for.
 *
 * <p>Solaris, whose protocol this is, wants a mask in every list. One that says no more than a mode
 * does is therefore sent with a mask that takes nothing away, and such a mask is not taken over.
 */
final class AccessListCodec {
  private static final int ENTRY_BYTES = 3 * Integer.BYTES;

  /** A list with a mask that takes nothing away. */
  private static final int MASKED_MODE_ENTRIES = 4;

  /** What a list takes at most. */
  static final int BYTES_MAX = 2 * Integer.BYTES + NfsAclProcedure.ENTRIES_MAX * ENTRY_BYTES;

  private AccessListCodec() {}

  /**
   * Writes a list.
   *
   * @param withEntries or only how many there are
   * @param tagged what is added to the tags
   * @param of whose owner and group stand where entries name nobody
   */
  static void write(
      AccessList list, boolean withEntries, int tagged, Attributes of, XdrWriter out) {
    List<Entry> entries = list.isLikeMode() ? masked(list) : list.entries();
    out.writeInt(entries.size());
    out.writeInt(withEntries ? entries.size() : 0);
    if (!withEntries) {
      return;
    }
    for (Entry entry : entries) {
      out.writeInt(entry.tag().code() | tagged)
          .writeInt(
              switch (entry.tag()) {
                case USER, GROUP -> entry.id();
                case OWNER -> of.uid();
                case OWNING_GROUP -> of.gid();
                case MASK, OTHERS -> 0;
              })
          .writeInt(entry.permissions());
    }
  }

  /** Reads a list; whether it can be one is for {@link AccessList#flaw} to say. */
  static AccessList read(XdrReader in) {
    in.readInt(); // How many entries there are, which follows once more.
    int count = in.readInt();
    if (count < 0 || count > NfsAclProcedure.ENTRIES_MAX) {
      throw new XdrException(
          "expected at most "
              + NfsAclProcedure.ENTRIES_MAX
              + " entries, not "
              + Integer.toUnsignedString(count));
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int code = in.readInt() & ~NfsAclParts.DEFAULT_TAG;
      Tag tag = Tag.of(code);
      if (tag == null) {
        throw new XdrException("an access control list has no entries with the tag " + code);
      }
      entries.add(new Entry(tag, in.readInt(), in.readInt()));
    }
    return unmasked(AccessList.of(entries));
  }

  private static List<Entry> masked(AccessList list) {
    List<Entry> entries = new ArrayList<>(list.entries());
    for (Entry entry : list.entries()) {
      if (entry.tag() == Tag.OWNING_GROUP) {
        entries.add(new Entry(Tag.MASK, 0, entry.permissions()));
      }
    }
    return AccessList.of(entries).entries();
  }

  private static AccessList unmasked(AccessList list) {
    int group = permissions(list, Tag.OWNING_GROUP);
    boolean isForm =
        list.entries().size() == MASKED_MODE_ENTRIES && group == permissions(list, Tag.MASK);
    return isForm && group >= 0
        ? new AccessList(list.entries().stream().filter(entry -> entry.tag() != Tag.MASK).toList())
        : list;
  }

  /** What the first entry with a tag allows; -1 where there is none. */
  private static int permissions(AccessList list, Tag tag) {
    for (Entry entry : list.entries()) {
      if (entry.tag() == tag) {
        return entry.permissions();
      }
    }
    return -1;
  }
}
