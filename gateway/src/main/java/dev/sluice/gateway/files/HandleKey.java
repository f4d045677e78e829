package dev.sluice.gateway.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Set;

/** The secret that handles are signed with, kept in a file that only its owner can read. */
final class HandleKey {
  static final String FILE_NAME = "handle.key";

  private static final Set<PosixFilePermission> OWNER_ONLY =
      PosixFilePermissions.fromString("rw-------");

  private HandleKey() {}

  /** The key in this directory; made now if there is none. */
  static byte[] inDirectory(Path stateDirectory) throws IOException {
    Path file = stateDirectory.resolve(FILE_NAME);
    if (!Files.exists(file)) {
      make(file);
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(file);
    if (!OWNER_ONLY.containsAll(permissions)) {
      throw new IOException(
          file
              + " is the secret of all file handles and has the permissions "
              + PosixFilePermissions.toString(permissions)
              + "; expected "
              + PosixFilePermissions.toString(OWNER_ONLY));
    }
    byte[] key = Files.readAllBytes(file);
    if (key.length != SipHash.KEY_BYTES) {
      throw new IOException(
          file
              + " has "
              + key.length
              + " bytes, a key has "
              + SipHash.KEY_BYTES
              + "; without it clients must mount again");
    }
    return key;
  }

  /** Whole or not at all, also when two start at once. */
  private static void make(Path file) throws IOException {
    byte[] key = new byte[SipHash.KEY_BYTES];
    new SecureRandom().nextBytes(key);
    // If another was faster, theirs is as good.
    DurableFiles.make(file, key, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
  }
}
