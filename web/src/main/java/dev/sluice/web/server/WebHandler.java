package dev.sluice.web.server;

/** Answers the requests of one route. Called by several threads at once. */
@FunctionalInterface
public interface WebHandler {
  /**
   * The answer; a {@link RefusedException} becomes one too.
   *
   * @throws RefusedException when there is something wrong with the request
   */
  WebAnswer answer(WebRequest request);
}
