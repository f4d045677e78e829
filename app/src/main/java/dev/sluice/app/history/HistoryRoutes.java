package dev.sluice.app.history;

import dev.sluice.history.store.HistoryFiles;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.RefusedException;
import dev.sluice.web.server.Role;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import dev.sluice.web.server.WebRequest;
import java.io.IOException;
import java.util.concurrent.Semaphore;

/** Answers questions about history over HTTP. */
public final class HistoryRoutes {
  /** Reading a day takes a while: whoever comes while so many are at it comes again. */
  private static final int READERS_MAX = 2;

  private final HistoryFiles files;
  private final Semaphore readers = new Semaphore(READERS_MAX);

  public HistoryRoutes(HistoryFiles files) {
    this.files = files;
  }

  /** Answers at {@code /api/v1/history}. */
  public void addTo(Routes routes) {
    routes.add(HttpMethod.GET, "/api/v1/history", Role.READ, this::answer);
  }

  private WebAnswer answer(WebRequest request) {
    if (!readers.tryAcquire()) {
      throw new RefusedException(503, "others are reading history; ask again in a moment");
    }
    try {
      return WebAnswer.json(HistoryJson.answer(files, request.query(), System.currentTimeMillis()));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(400, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new RefusedException(503, "history cannot be read: " + e.getMessage());
    } finally {
      readers.release();
    }
  }
}
