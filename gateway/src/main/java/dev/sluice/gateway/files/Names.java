package dev.sluice.gateway.files;

import dev.sluice.nfs.nfs3.Nfs3Status;

/** What a client may call a file: one name, not a way. */
final class Names {
  static final byte[] PARENT = {'.', '.'};

  private Names() {}

  /** A name that may be looked up; one that no file can have is not there. */
  static void checkForLookup(byte[] name) throws FileException {
    if (!isSingleName(name)) {
      throw FileErrors.of(Nfs3Status.NOENT);
    }
  }

  /** A name that something may be made with. */
  static void checkForMaking(byte[] name) throws FileException {
    if (isSelf(name) || isParent(name)) {
      throw FileErrors.of(Nfs3Status.EXIST);
    }
    if (!isSingleName(name)) {
      throw FileErrors.of(Nfs3Status.INVAL);
    }
  }

  /** A name that may be taken away. */
  static void checkForRemoving(byte[] name) throws FileException {
    if (isSelf(name) || isParent(name) || !isSingleName(name)) {
      throw FileErrors.of(Nfs3Status.INVAL);
    }
  }

  /** Text that the kernel would take to end at a zero byte. */
  static void checkLinkContent(byte[] content) throws FileException {
    if (content.length == 0 || indexOf(content, (byte) 0) >= 0) {
      throw FileErrors.of(Nfs3Status.INVAL);
    }
  }

  static boolean isSelf(byte[] name) {
    return name.length == 1 && name[0] == '.';
  }

  static boolean isParent(byte[] name) {
    return name.length == 2 && name[0] == '.' && name[1] == '.';
  }

  private static boolean isSingleName(byte[] name) {
    return name.length > 0 && indexOf(name, (byte) '/') < 0 && indexOf(name, (byte) 0) < 0;
  }

  private static int indexOf(byte[] bytes, byte wanted) {
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == wanted) {
        return i;
      }
    }
    return -1;
  }
}
