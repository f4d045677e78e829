package dev.sluice.gateway.nfs4;

import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs4.Nfs4Status;
import dev.sluice.nfs.xdr.XdrReader;

/** Which names a directory can have entries of (component4), and how the others are refused. */
final class Names4 {
  private Names4() {}

  /** The protocol sets no bound: one that is too long is refused, and not unreadable. */
  static byte[] read(XdrReader in) {
    return in.readOpaque(in.remaining());
  }

  static byte[] check(byte[] name) throws Refusal {
    if (name.length == 0) {
      throw new Refusal(Nfs4Status.INVAL, "an empty name");
    }
    if (name.length > Nfs3Sizes.NAME_BYTES_MAX) {
      throw new Refusal(Nfs4Status.NAMETOOLONG, "a name of " + name.length + " bytes");
    }
    for (byte letter : name) {
      if (letter == '/' || letter == 0) {
        throw new Refusal(Nfs4Status.BADCHAR, "a name with a slash or a zero byte");
      }
    }
    if (name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'))) {
      throw new Refusal(Nfs4Status.BADNAME, "\".\" and \"..\" are no names here");
    }
    return name;
  }
}
