package dev.sluice.stage.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Who may do what with a job's files: they stay ours, and one other user is let in by an access
 * control list. A group would let in all who are in it, and an owner could give his file away.
 */
final class FileRights {
  private static final String ACCESS_LIST = "system.posix_acl_access";
  private static final int ACCESS_LIST_VERSION = 2;
  private static final int NOBODY_IN_PARTICULAR = -1;
  private static final short OWNER = 1;
  private static final short USER = 2;
  private static final short GROUP = 4;
  private static final short MASK = 0x10;
  private static final short OTHERS = 0x20;

  static final int READ = 4;
  static final int READ_AND_WRITE = 6;

  private FileRights() {}

  /** The user that this program runs as. */
  static int ownUser() {
    return NativeCalls.effectiveUser();
  }

  static int userOf(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * Lets a user in, and nobody else but us. Where the file system knows no access control lists,
   * the file becomes the user's own.
   */
  static void grant(Path file, int user, int rights) throws IOException {
    if (user == ownUser()) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
      return;
    }
    ByteBuffer list = ByteBuffer.allocate(4 + 5 * 8).order(ByteOrder.LITTLE_ENDIAN);
    list.putInt(ACCESS_LIST_VERSION);
    entry(list, OWNER, READ_AND_WRITE, NOBODY_IN_PARTICULAR);
    entry(list, USER, rights, user);
    entry(list, GROUP, 0, NOBODY_IN_PARTICULAR);
    entry(list, MASK, rights, NOBODY_IN_PARTICULAR);
    entry(list, OTHERS, 0, NOBODY_IN_PARTICULAR);
    if (!NativeCalls.setExtendedAttribute(file.toString(), ACCESS_LIST, list.array())) {
      String mode = rights == READ ? "r--------" : "rw-------";
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      giveTo(user, file);
    }
  }

  private static void giveTo(int user, Path file) throws IOException {
    try {
      Files.setAttribute(file, "unix:uid", user);
    } catch (FileSystemException e) {
      throw new IOException(
          file
              + " cannot be given to user "
              + user
              + ": "
              + e.getReason()
              + " (not root, or a user namespace without that user?)",
          e);
    }
  }

  private static void entry(ByteBuffer list, short tag, int rights, int id) {
    list.putShort(tag).putShort((short) rights).putInt(id);
  }
}
