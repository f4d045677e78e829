package dev.sluice.app.history;

import dev.sluice.command.metrics.MetricsText;
import dev.sluice.gateway.WebAdditions;
import dev.sluice.history.api.HistoryRoutes;
import dev.sluice.history.keep.HistoryKeeper;
import dev.sluice.history.store.HistoryFiles;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What history adds to a program's web server, which starts before its history does. Safe for use
 * by many threads.
 */
public final class HistoryAdditions {
  private volatile @Nullable HistoryKeeper history;

  /** To be given to the program. */
  public WebAdditions web() {
    return new WebAdditions(new HistoryRoutes(this::files)::addTo, this::addTo);
  }

  /** Answers from this history from now on. */
  public void follow(HistoryKeeper begun) {
    history = begun;
  }

  private Optional<HistoryFiles> files() {
    return Optional.ofNullable(history).map(HistoryKeeper::files);
  }

  private void addTo(MetricsText text) {
    HistoryKeeper kept = history;
    if (kept != null) {
      kept.addTo(text);
    }
  }
}
