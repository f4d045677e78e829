package dev.sluice.gateway.files;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Files that are still there, and whole, after a power failure. That takes both: the contents on
 * disk before the file has its name, and the name on disk, which is in the directory.
 */
public final class DurableFiles {
  private DurableFiles() {}

  /** Writes what a file is to hold. */
  @FunctionalInterface
  public interface Content {
    void writeTo(FileChannel out) throws IOException;
  }

  /** Puts a file where there may be one already: afterwards, and at any time, one of the two. */
  public static void replace(Path file, Content content) throws IOException {
    Path draft = file.resolveSibling("." + file.getFileName() + ".new");
    try (FileChannel out = FileChannel.open(draft, CREATE, WRITE, TRUNCATE_EXISTING)) {
      content.writeTo(out);
      out.force(true);
    }
    Files.move(draft, file, ATOMIC_MOVE, REPLACE_EXISTING);
    syncNames(directoryOf(file));
  }

  /**
   * Makes a file where there is none.
   *
   * @return false when there is one, which is then on disk with its name
   */
  static boolean make(Path file, byte[] content, FileAttribute<?>... attributes)
      throws IOException {
    Path directory = directoryOf(file);
    Path draft = Files.createTempFile(directory, "." + file.getFileName(), ".new", attributes);
    boolean isMade;
    try {
      try (FileChannel out = FileChannel.open(draft, WRITE)) {
        writeAll(out, content);
        out.force(true);
      }
      isMade = isLinked(file, draft);
    } finally {
      Files.delete(draft);
    }
    syncNames(directory);
    return isMade;
  }

  /** Makes a directory and those above it that are missing. */
  public static void makeDirectories(Path directory, FileAttribute<?>... attributes)
      throws IOException {
    Deque<Path> above = new ArrayDeque<>();
    @Nullable Path at = directory.toAbsolutePath();
    while (at != null && !Files.isDirectory(at)) {
      at = at.getParent();
      if (at != null) {
        above.push(at);
      }
    }
    Files.createDirectories(directory, attributes);
    for (Path parent : above) {
      syncNames(parent);
    }
  }

  /** Has the names in a directory on disk. */
  public static void syncNames(Path directory) throws IOException {
    try (FileChannel names = FileChannel.open(directory, READ)) {
      names.force(true);
    }
  }

  static void writeAll(FileChannel out, byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      out.write(rest);
    }
  }

  private static boolean isLinked(Path file, Path draft) throws IOException {
    try {
      Files.createLink(file, draft);
      return true;
    } catch (FileAlreadyExistsException somebodyWasFaster) {
      return false;
    }
  }

  private static Path directoryOf(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      throw new IllegalArgumentException("expected a file in a directory, not " + file);
    }
    return directory;
  }
}
