package dev.sluice.gateway.nfs4;

import dev.sluice.gateway.files.ExtendedAttributes;
import dev.sluice.gateway.files.ExtendedAttributes.Before;
import dev.sluice.gateway.files.ExtendedAttributes.Outcome;
import dev.sluice.gateway.files.FileException;
import dev.sluice.gateway.files.FileNode;
import dev.sluice.gateway.files.FileTree;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrException;
import dev.sluice.nfs.xdr.XdrReader;
import dev.sluice.nfs.xdr.XdrWriter;
import java.util.List;

/** GETXATTR, SETXATTR, LISTXATTRS and REMOVEXATTR (RFC 8276, section 8.4). */
final class ExtendedAttributeOperations {
  /** What a client gets of names at a time; all names of a file that Linux can list fit. */
  private static final int LIST_BYTES_MAX = 4 * ExtendedAttributes.VALUE_BYTES_MAX;

  private static final int LIST_FRAME_BYTES = Long.BYTES + 2 * Integer.BYTES;

  private ExtendedAttributeOperations() {}

  /** The room that a value may take in a reply. */
  static int valueReplyBytesMax() {
    return Integer.BYTES + ExtendedAttributes.VALUE_BYTES_MAX;
  }

  /** The room that names may take in a reply, of so many bytes, an unsigned number. */
  static int listBytes(int count) {
    return count < 0 ? LIST_BYTES_MAX : Math.min(count, LIST_BYTES_MAX);
  }

  static void get(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    byte[] name = readName(in);
    if (compound.pseudoPath() != null) {
      throw new Refusal(Nfs4Status.NOXATTR, "above the exports there are none");
    }
    FileNode file = compound.node();
    byte[] value = compound.tree().extendedAttributes().get(file, name, compound.caller());
    if (value == null) {
      throw absent();
    }
    if (out.remaining() < Integer.BYTES + XdrReader.padded(value.length)) {
      throw new Refusal(Nfs4Status.REP_TOO_BIG, "no room for " + value.length + " bytes");
    }
    out.writeOpaque(value);
  }

  static void set(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    Before before =
        switch (in.readInt()) {
          case 0 -> Before.ANY;
          case 1 -> Before.NONE;
          case 2 -> Before.ONE;
          default -> throw new XdrException("expected a setxattr_option4");
        };
    byte[] name = readName(in);
    byte[] value = in.readOpaque(in.remaining());
    FileNode file = compound.nodeForChange();
    if (value.length > ExtendedAttributes.VALUE_BYTES_MAX) {
      throw tooLarge();
    }
    FileTree tree = compound.tree();
    ChangeInfo info;
    try (FileTree.Change change = tree.beginChange(file, null, compound.call().client())) {
      Outcome outcome = tree.extendedAttributes().set(file, name, value, before, compound.caller());
      switch (outcome) {
        case DONE -> {}
        case ABSENT -> throw absent();
        case TOO_LARGE -> throw tooLarge();
      }
      info = ChangeInfo.of(change, file);
    }
    info.write(out);
  }

  /** LISTXATTRS: a cookie is how many names were told before. */
  static void list(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    long cookie = in.readLong();
    int bytesMax = Math.min(listBytes(in.readInt()), out.remaining());
    List<byte[]> names =
        compound.pseudoPath() != null
            ? List.of()
            : compound.tree().extendedAttributes().names(compound.node(), compound.caller());
    if (cookie < 0 || cookie > names.size()) {
      throw new Refusal(Nfs4Status.BAD_COOKIE, "there are " + names.size() + " names");
    }
    int first = (int) cookie;
    int end = first;
    int bytes = LIST_FRAME_BYTES;
    while (end < names.size() && bytes + nameBytes(names.get(end)) <= bytesMax) {
      bytes += nameBytes(names.get(end));
      end++;
    }
    if (bytes > bytesMax || (end == first && end < names.size())) {
      throw new Refusal(Nfs4Status.TOOSMALL, "no room for a name in " + bytesMax + " bytes");
    }
    out.writeLong(end).writeInt(end - first);
    names.subList(first, end).forEach(out::writeOpaque);
    out.writeBoolean(end == names.size());
  }

  static void remove(Compound compound, XdrReader in, XdrWriter out) throws Refusal, FileException {
    byte[] name = readName(in);
    FileNode file = compound.nodeForChange();
    FileTree tree = compound.tree();
    ChangeInfo info;
    try (FileTree.Change change = tree.beginChange(file, null, compound.call().client())) {
      if (!tree.extendedAttributes().remove(file, name, compound.caller())) {
        throw absent();
      }
      info = ChangeInfo.of(change, file);
    }
    info.write(out);
  }

  static byte[] readName(XdrReader in) throws Refusal {
    byte[] name = in.readOpaque(in.remaining());
    if (name.length == 0) {
      throw new Refusal(Nfs4Status.INVAL, "an empty name");
    }
    if (name.length > ExtendedAttributes.NAME_BYTES_MAX) {
      throw new Refusal(Nfs4Status.NAMETOOLONG, "a name of " + name.length + " bytes");
    }
    for (byte letter : name) {
      if (letter == 0) {
        throw new Refusal(Nfs4Status.BADCHAR, "a name with a zero byte");
      }
    }
    return name;
  }

  private static int nameBytes(byte[] name) {
    return Integer.BYTES + XdrReader.padded(name.length);
  }

  private static Refusal absent() {
    return new Refusal(Nfs4Status.NOXATTR, "the file has none of this name");
  }

  private static Refusal tooLarge() {
    return new Refusal(Nfs4Status.XATTR2BIG, "longer than any that a file can have");
  }
}
