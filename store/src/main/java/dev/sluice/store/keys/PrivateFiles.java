package dev.sluice.store.keys;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Set;

/** Files that never exist, not even for a moment, with more rights than they should have. */
final class PrivateFiles {
  private static final Set<PosixFilePermission> OWNER_READS =
      PosixFilePermissions.fromString("rw-------");
  private static final Set<PosixFilePermission> ALL_READ =
      PosixFilePermissions.fromString("rw-r--r--");
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE);

  private PrivateFiles() {}

  /** A directory that only its owner may enter; one that is there stays as it is. */
  static void makeDirectory(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      Files.createDirectories(
          directory,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
  }

  /** Writes a file as a whole or not at all; one that is there is replaced. */
  static void write(Path file, String text, boolean secret) throws IOException {
    Path unfinished = file.resolveSibling("." + file.getFileName() + ".new");
    Files.deleteIfExists(unfinished);
    Files.createFile(unfinished, PosixFilePermissions.asFileAttribute(OWNER_READS));
    Files.writeString(unfinished, text);
    if (!secret) {
      Files.setPosixFilePermissions(unfinished, ALL_READ);
    }
    Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Refuses a secret that others could have read or changed. */
  static void requirePrivate(Path file) throws IOException {
    if (Files.getPosixFilePermissions(file).stream().anyMatch(OTHERS::contains)) {
      throw new IOException(file + ": others may read or write it; expected chmod 600");
    }
  }
}
