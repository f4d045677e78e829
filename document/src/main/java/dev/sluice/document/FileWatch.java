package dev.sluice.document;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Notices that a file has changed and come to rest. A file that is being written may read like a
 * complete one, so a change counts once two looks in a row saw the same file. Not thread-safe; the
 * caller decides how often to look.
 */
public final class FileWatch {
  private final Path file;
  private Mark known;
  private Mark lastSeen;

  /** Whatever the file is now counts as known. */
  public FileWatch(Path file) {
    this.file = file;
    this.known = mark();
    this.lastSeen = known;
  }

  /** What tells two states of a file apart without reading it; all zero when there is none. */
  private record Mark(long modifiedNanos, long size, @Nullable Object key) {
    static final Mark MISSING = new Mark(0, -1, null);
  }

  /** Looks, and says whether there is a change at rest that was not told of yet. */
  public boolean changed() {
    Mark seen = mark();
    boolean atRest = seen.equals(lastSeen);
    lastSeen = seen;
    if (!atRest || seen.equals(known)) {
      return false;
    }
    known = seen;
    return true;
  }

  private Mark mark() {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Mark(
          found.lastModifiedTime().to(TimeUnit.NANOSECONDS),
          found.size(),
          Objects.requireNonNullElse(found.fileKey(), ""));
    } catch (IOException e) {
      return Mark.MISSING;
    }
  }
}
