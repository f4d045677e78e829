package dev.sluice.history.api;

import dev.sluice.access.Role;
import dev.sluice.history.store.HistoryFiles;
import dev.sluice.web.server.HttpMethod;
import dev.sluice.web.server.RefusedException;
import dev.sluice.web.server.Routes;
import dev.sluice.web.server.WebAnswer;
import dev.sluice.web.server.WebRequest;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Answers questions about history over HTTP. */
public final class HistoryRoutes {
  /** Reading a month takes a while: whoever comes while so many are at it comes again. */
  private static final int READERS_MAX = 2;

  private final Supplier<Optional<HistoryFiles>> files;
  private final Semaphore readers = new Semaphore(READERS_MAX);

  /** One kind of question. */
  @FunctionalInterface
  private interface Question {
    String answer(HistoryFiles files, Map<String, String> query, long nowMillis) throws IOException;
  }

  /**
   * @param files empty while no history is kept
   */
  public HistoryRoutes(Supplier<Optional<HistoryFiles>> files) {
    this.files = files;
  }

  /** Answers at {@code /api/v1/history} and below it. */
  public void addTo(Routes routes) {
    routes.add(
        HttpMethod.GET,
        "/api/v1/history",
        Role.READ,
        request -> answer(request, HistoryJson::curves));
    routes.add(
        HttpMethod.GET,
        "/api/v1/history/jobs",
        Role.READ,
        request -> answer(request, HistoryJson::jobs));
  }

  private WebAnswer answer(WebRequest request, Question question) {
    HistoryFiles kept =
        files.get().orElseThrow(() -> new RefusedException(404, "no history is kept"));
    if (!readers.tryAcquire()) {
      throw new RefusedException(503, "others are reading history; ask again in a moment");
    }
    try {
      return WebAnswer.json(question.answer(kept, request.query(), System.currentTimeMillis()));
    } catch (IllegalArgumentException e) {
      throw new RefusedException(400, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw new RefusedException(503, "history cannot be read: " + e.getMessage());
    } finally {
      readers.release();
    }
  }
}
