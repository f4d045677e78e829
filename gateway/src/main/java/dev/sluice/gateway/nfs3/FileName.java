package dev.sluice.gateway.nfs3;

import dev.sluice.gateway.files.FileException;
import dev.sluice.nfs.nfs3.Nfs3Sizes;
import dev.sluice.nfs.nfs3.Nfs3Status;

/** Which names a directory can have entries of, and how the others are refused. */
final class FileName {
  private FileName() {}

  /** A name that may be looked up: also {@code .} and {@code ..}. */
  static byte[] check(byte[] name) throws FileException {
    if (name.length > Nfs3Sizes.NAME_BYTES_MAX) {
      throw new FileException(Nfs3Status.NAMETOOLONG, "a name of " + name.length + " bytes");
    }
    if (name.length == 0) {
      throw new FileException(Nfs3Status.ACCES, "an empty name");
    }
    for (byte letter : name) {
      if (letter == '/' || letter == 0) {
        throw new FileException(Nfs3Status.ACCES, "a name with a slash or a zero byte");
      }
    }
    return name;
  }

  /** A name that something may be made under: {@code .} and {@code ..} are always there. */
  static byte[] checkNew(byte[] name) throws FileException {
    return check(name, Nfs3Status.EXIST);
  }

  /** A name that may be removed or renamed. */
  static byte[] checkRemovable(byte[] name) throws FileException {
    return check(name, Nfs3Status.INVAL);
  }

  private static byte[] check(byte[] name, Nfs3Status whenDots) throws FileException {
    check(name);
    if (name[0] == '.' && (name.length == 1 || (name.length == 2 && name[1] == '.'))) {
      throw new FileException(whenDots, "\".\" and \"..\" are not for this");
    }
    return name;
  }
}
