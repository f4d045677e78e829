package dev.sluice.gateway;

import dev.sluice.gateway.files.DurableFiles;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The directory where a gateway keeps what must survive a restart. One gateway at a time has it:
 * two with the same key would both write the same maps.
 */
final class StateDirectory implements AutoCloseable {
  private static final String LOCK = "lock";

  private final Path path;
  private final FileChannel lockFile;

  private StateDirectory(Path path, FileChannel lockFile) {
    this.path = path;
    this.lockFile = lockFile;
  }

  /** Takes possession of the directory, which is made if it is missing. */
  static StateDirectory take(Path path) throws IOException {
    try {
      if (!Files.isDirectory(path)) {
        DurableFiles.makeDirectories(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
      FileChannel lockFile =
          FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isTaken(lockFile)) {
        lockFile.close();
        throw new IOException(
            "state: " + path + ": another gateway runs with this state directory");
      }
      return new StateDirectory(path, lockFile);
    } catch (AccessDeniedException e) {
      throw new IOException(
          "state: " + path + ": permission denied; name a directory of your own with the key state",
          e);
    }
  }

  private static boolean isTaken(FileChannel lockFile) throws IOException {
    try {
      FileLock lock = lockFile.tryLock();
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    lockFile.close();
  }
}
