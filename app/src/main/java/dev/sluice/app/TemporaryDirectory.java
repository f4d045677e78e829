package dev.sluice.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * A temporary directory, removed with all that is in it. In memory where there is room, because
 * storage that is played on must be faster than the capacity that it pretends to have.
 */
public final class TemporaryDirectory implements AutoCloseable {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long FREE_BYTES_MIN = 2L << 30;

  private final Path path;

  private TemporaryDirectory(Path path) {
    this.path = path;
  }

  /** A new one whose name begins like this. */
  public static TemporaryDirectory create(String prefix) throws IOException {
    return new TemporaryDirectory(
        isRoomy(MEMORY)
            ? Files.createTempDirectory(MEMORY, prefix)
            : Files.createTempDirectory(prefix));
  }

  private static boolean isRoomy(Path directory) {
    try {
      return Files.isWritable(directory)
          && Files.getFileStore(directory).getUsableSpace() >= FREE_BYTES_MIN;
    } catch (IOException e) {
      return false;
    }
  }

  /** A new directory in it. */
  public Path directory(String name) throws IOException {
    return Files.createDirectory(path.resolve(name));
  }

  @Override
  public void close() {
    try {
      Files.walkFileTree(path, new Removal());
    } catch (IOException e) {
      throw new UncheckedIOException(path + " cannot be removed", e);
    }
  }

  private static final class Removal extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    /** What went away while it was looked at needs no removal. */
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
        throws IOException {
      if (e != null) {
        throw e;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
