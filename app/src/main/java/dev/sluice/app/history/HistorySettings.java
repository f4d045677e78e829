package dev.sluice.app.history;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.DocumentNode;
import dev.sluice.document.Documents;
import dev.sluice.history.alert.AlertRules;
import dev.sluice.history.store.HistoryStore;
import java.io.InputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration says about history and alerts; docs/history.md and docs/alerts.md describe
 * it.
 *
 * @param kept whether history is kept
 * @param directory where; null for below the state directory
 */
public record HistorySettings(
    boolean kept, @Nullable Path directory, long bytesMax, AlertRules alerts) {
  private static final String DIRECTORY = "history";

  /** Reads the keys {@code history} and {@code alerts} of a gateway's configuration. */
  public static HistorySettings read(Path file) {
    DocumentMap map = Documents.read(file.toString(), InputStream.nullInputStream()).openMap();
    Path absolute = file.toAbsolutePath();
    Path parent = absolute.getParent();
    AlertRules alerts = AlertRules.read(map.optional("alerts"));
    return read(map.optional("history"), parent == null ? absolute : parent, alerts);
  }

  private static HistorySettings read(
      @Nullable DocumentNode node, Path relativeTo, AlertRules alerts) {
    if (node == null) {
      return new HistorySettings(true, null, HistoryStore.BYTES_DEFAULT, alerts);
    }
    if (!node.isMap()) {
      String word = node.oneOf(List.of("on", "off"));
      return new HistorySettings(word.equals("on"), null, HistoryStore.BYTES_DEFAULT, alerts);
    }
    DocumentMap map = node.map("directory", "size");
    DocumentNode directory = map.optional("directory");
    DocumentNode size = map.optional("size");
    return new HistorySettings(
        true,
        directory == null ? null : path(directory, relativeTo),
        size == null
            ? HistoryStore.BYTES_DEFAULT
            : size.bytes(HistoryStore.BYTES_MIN, HistoryStore.BYTES_MAX),
        alerts);
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
