package dev.sluice.history.store;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether and where history is kept, as a configuration says; docs/history.md describes it.
 *
 * @param directory null for below the state directory
 * @param bytesMax what it may take on disk
 */
public record HistoryPlace(boolean kept, @Nullable Path directory, long bytesMax) {
  private static final String DIRECTORY = "history";

  /**
   * Reads the key {@code history}.
   *
   * @param node null where it is not given
   * @param relativeTo where a directory lies that is named without a slash in front
   */
  public static HistoryPlace read(@Nullable DocumentNode node, Path relativeTo) {
    if (node == null) {
      return new HistoryPlace(true, null, HistoryStore.BYTES_DEFAULT);
    }
    if (!node.isMap()) {
      String word = node.oneOf(List.of("on", "off"));
      return new HistoryPlace(word.equals("on"), null, HistoryStore.BYTES_DEFAULT);
    }
    DocumentMap map = node.map("directory", "size");
    DocumentNode directory = map.optional("directory");
    DocumentNode size = map.optional("size");
    return new HistoryPlace(
        true,
        directory == null ? null : path(directory, relativeTo),
        size == null
            ? HistoryStore.BYTES_DEFAULT
            : size.bytes(HistoryStore.BYTES_MIN, HistoryStore.BYTES_MAX));
  }

  private static Path path(DocumentNode node, Path relativeTo) {
    try {
      return relativeTo.resolve(node.text());
    } catch (InvalidPathException e) {
      throw node.error("expected a path");
    }
  }

  /** Where history is kept. */
  public Path directoryIn(Path state) {
    return directory == null ? state.resolve(DIRECTORY) : directory;
  }
}
