package dev.sluice.app.history;

import dev.sluice.document.DocumentMap;
import dev.sluice.document.Documents;
import dev.sluice.history.alert.AlertRules;
import dev.sluice.history.store.HistoryPlace;
import java.io.InputStream;
import java.nio.file.Path;

/**
 * What the configuration of a gateway or of a Lustre service says about history and alerts;
 * docs/history.md and docs/alerts.md describe it.
 */
public record HistorySettings(HistoryPlace place, AlertRules alerts) {
  /** Reads the keys {@code history} and {@code alerts} of a configuration. */
  public static HistorySettings read(Path file) {
    DocumentMap map = Documents.read(file.toString(), InputStream.nullInputStream()).openMap();
    Path absolute = file.toAbsolutePath();
    Path parent = absolute.getParent();
    AlertRules alerts = AlertRules.read(map.optional("alerts"));
    return new HistorySettings(
        HistoryPlace.read(map.optional("history"), parent == null ? absolute : parent), alerts);
  }
}
