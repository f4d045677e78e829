package dev.sluice.app.history;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.gateway.WebAdditions;
import dev.sluice.history.api.HistoryRoutes;
import dev.sluice.history.store.HistoryFiles;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What history adds to a gateway's web server, which starts before the gateway's history does. Safe
 * for use by many threads.
 */
public final class HistoryAdditions {
  private volatile @Nullable GatewayHistory history;

  /** To be given to the gateway. */
  public WebAdditions web() {
    return new WebAdditions(new HistoryRoutes(this::files)::addTo, this::addTo);
  }

  /** Answers from this history from now on. */
  public void follow(GatewayHistory begun) {
    history = begun;
  }

  private Optional<HistoryFiles> files() {
    return Optional.ofNullable(history).map(kept -> new HistoryFiles(kept.directory()));
  }

  private void addTo(MetricsText text) {
    GatewayHistory kept = history;
    if (kept != null) {
      kept.addTo(text);
    }
  }
}
